"""How functions of the elements along some axes become operators."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel
from ..._types.spec import Spec
from .._lib.slots import fitted
from .axes import reduced_axes, reduced_layout, reduced_shape
from .valid import elements, inside

# `(input, mask, count, axes, dtype) -> result with extents of 1`
Function = Callable[[Any, Any, Any, tuple[int, ...], Any], Any]


def reduction_kernel(name: str, function: Function) -> Kernel:
    """A kernel that reduces one input.

    Args:
        function: of the input, the mask of what lies inside the sample, the number of elements
            that make one result, the axes, and the type of the result.
    """

    def sample(
        inputs: Sequence[Any],
        extents: Sequence[Sequence[Any]],
        out_extent: Any,
        tables: Any,
        *,
        out_shape: tuple[int, ...],
        dtype: Any,
        axes: tuple[int, ...],
        keep_dims: bool,
    ) -> Any:
        del out_extent, tables
        dtype = jax.dtypes.canonicalize_dtype(dtype)  # inside `jit` it may be a narrower one
        x, extent = inputs[0], extents[0]
        mask, count = inside(x, extent, axes), elements(extent, axes)
        result = function(x, mask, count, axes, dtype)
        result = result if keep_dims else jnp.squeeze(result, axes)
        return fitted(result, out_shape).astype(dtype)

    return Kernel(name, sample, native=False)


def reduction(
    what: str,
    kernel: Kernel,
    input: Spec,
    dtype: np.dtype,
    axes: Sequence[int] | None,
    axis_names: str | None,
    keep_dims: bool,
) -> Apply:
    """The output of a reduction of one input."""
    reduced = reduced_axes(what, input, axes, axis_names)
    return Apply(
        kernel,
        reduced_shape(input.shape, reduced, keep_dims),
        dtype,
        reduced_layout(input.layout, reduced, keep_dims),
        static={"axes": reduced, "keep_dims": keep_dims},
    )
