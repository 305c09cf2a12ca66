"""Spread about a given mean: `dynjax.reductions.variance`, `dynjax.reductions.std_dev`."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Apply, Kernel, Output, operator
from ..._types.spec import Spec
from .._lib.promotion import float_of
from .axes import reduced_axes, reduced_layout, reduced_shape
from .given import form_of, laid_out
from .sums import precise
from .valid import elements, fitted, inside, masked


def _spread_kernel(name: str, of_variance: Callable[[Any], Any]) -> Kernel:
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
        ddof: int,
        form: str,
    ) -> Any:
        del out_extent, tables
        dtype = jax.dtypes.canonicalize_dtype(dtype)
        x = inputs[0].astype(precise(inputs[0].dtype, dtype))
        mean = laid_out(inputs[1].astype(x.dtype), form, x, axes)
        distance = masked(x - mean, inside(x, extents[0], axes), 0)
        total = jnp.sum(distance * distance, axes, keepdims=True)
        count = jnp.asarray(elements(extents[0], axes) - ddof, x.dtype)
        result = of_variance(total / count)
        result = result if keep_dims else jnp.squeeze(result, axes)
        return fitted(result, out_shape).astype(dtype)

    return Kernel(name, sample, native=False)


_VARIANCE = _spread_kernel("reduce_variance", lambda v: v)
_STD_DEV = _spread_kernel("reduce_std_dev", jnp.sqrt)


def _spread(
    what: str,
    kernel: Kernel,
    data: Spec,
    mean: Spec,
    axes: list[int] | None,
    axis_names: str | None,
    ddof: int,
    keep_dims: bool,
) -> Apply:
    reduced = reduced_axes(what, data, axes, axis_names)
    form = form_of(what, "the mean", mean, data, reduced)
    return Apply(
        kernel,
        reduced_shape(data.shape, reduced, keep_dims),
        float_of(data.dtype),
        reduced_layout(data.layout, reduced, keep_dims),
        static={"axes": reduced, "keep_dims": keep_dims, "ddof": ddof, "form": form},
    )


@operator("reductions.variance")
def variance(
    data: Spec,
    mean: Spec,
    /,
    *,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    ddof: int = 0,
    keep_dims: bool = False,
) -> Output:
    """The mean square distance from a given mean along some axes.

        sum((data - mean)**2) / (n - ddof)

    Args:
        data: any type.
        mean: one number, or the means along the same axes, with or without `keep_dims`.
        axes: the axes to reduce; negative ones count from the end. Default: all.
        axis_names: the same by letters of the layout, alternatively.
        ddof: subtracted from the number of elements; 1 gives the unbiased estimate.
        keep_dims: keep the reduced axes with an extent of 1.

    Returns:
        float32 for integers, else the input's type; layout without the reduced axes.

    Raises:
        IndexError: no such axis; at the call.
        OperatorError: a letter that is not in the layout, or a mean of another shape.

    Source: DALI `reductions.Variance`.

    Example:
        >>> dynjax.reductions.variance([1.0, 3.0], 2.0).item()
        1.0
    """
    arguments = (axes, axis_names, ddof, keep_dims)
    return _spread("reductions.variance", _VARIANCE, data, mean, *arguments)


@operator("reductions.std_dev")
def std_dev(
    data: Spec,
    mean: Spec,
    /,
    *,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    ddof: int = 0,
    keep_dims: bool = False,
) -> Output:
    """The root of the mean square distance from a given mean along some axes.

        sqrt(sum((data - mean)**2) / (n - ddof))

    Args:
        data: any type.
        mean: one number, or the means along the same axes, with or without `keep_dims`.
        axes: the axes to reduce; negative ones count from the end. Default: all.
        axis_names: the same by letters of the layout, alternatively.
        ddof: subtracted from the number of elements; 1 gives the unbiased estimate.
        keep_dims: keep the reduced axes with an extent of 1.

    Returns:
        float32 for integers, else the input's type; layout without the reduced axes.

    Raises:
        IndexError: no such axis; at the call.
        OperatorError: a letter that is not in the layout, or a mean of another shape.

    Source: DALI `reductions.StdDev`.

    Example:
        >>> dynjax.reductions.std_dev([1.0, 5.0], 3.0).item()
        2.0
    """
    arguments = (axes, axis_names, ddof, keep_dims)
    return _spread("reductions.std_dev", _STD_DEV, data, mean, *arguments)
