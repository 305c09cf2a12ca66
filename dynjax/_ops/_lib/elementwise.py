"""How pointwise functions of one or more operands become operators."""

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel
from ..._types.columns import Shape, is_constant
from ..._types.spec import Spec
from .broadcasting import broadcast_shape, common_layout

Function = Callable[..., Any]


def elementwise_kernel(name: str, function: Function, operand: str) -> Kernel:
    """A kernel that applies a `jnp`-like function.

    Args:
        function: of the operands, converted to one type.
        operand: that type: `"result"` (the output's), or `"computed"`: given as the static
            parameter `computed`, where it differs from the output's.
    """

    def sample(
        inputs: Sequence[Any],
        extents: Sequence[Any],
        out_extent: Any,
        tables: Any,
        *,
        out_shape: tuple[int, ...],
        dtype: Any,
        computed: str | None = None,
        stretched: Sequence[Sequence[int]] = (),
    ) -> Any:
        del out_extent, tables
        kind = dtype if operand == "result" else jnp.dtype(computed)
        values = [x.astype(kind) for x in inputs]
        # Without extents the operands are flat buffers, which lie element beside element.
        for k, axes in enumerate(stretched if extents else ()):
            for axis in axes:
                values[k] = _stretched(values[k], axis, extents[k][axis], out_shape)
        return jnp.broadcast_to(function(*values), out_shape).astype(dtype)

    return Kernel(name, sample, native=False, pointwise=True)


def _stretched(x: Any, axis: int, extent: Any, out_shape: tuple[int, ...]) -> Any:
    """An operand whose extent along an axis is 1 for some samples and the result's for others."""
    index = jnp.arange(out_shape[len(out_shape) - x.ndim + axis])
    return jnp.take(x, jnp.where(extent == 1, 0, index), axis=axis, mode="clip")


def elementwise(
    what: str,
    kernel: Kernel,
    operands: Sequence[Spec],
    dtype: np.dtype,
    *,
    computed: np.dtype | None = None,
    check: Callable[[Sequence[np.ndarray]], None] | None = None,
) -> Apply:
    """The output of a pointwise kernel: broadcast shape, common layout."""
    static: dict[str, Any] = {} if computed is None else {"computed": computed.name}
    shape = broadcast_shape(what, [s.shape for s in operands])
    stretched = tuple(_stretched_axes(s.shape, shape) for s in operands)
    if any(stretched):
        static["stretched"] = stretched
    return Apply(
        kernel,
        shape,
        dtype,
        common_layout(what, operands),
        static=static,
        check=check,
    )


def _stretched_axes(operand: Shape, result: Shape) -> tuple[int, ...]:
    """Axes that are not known to be the result's own or of extent 1 throughout."""
    own = result[len(result) - len(operand) :]
    return tuple(
        axis
        for axis, (a, b) in enumerate(zip(operand, own, strict=True))
        if not (a is b or (is_constant(a) and (a == 1 or is_constant(b))))
    )
