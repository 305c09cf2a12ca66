"""How pointwise functions of one or more operands become operators."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel
from ..._types.columns import Shape, is_constant, is_traced
from ..._types.spec import Spec
from .broadcasting import broadcast_bound, broadcast_shape, common_layout
from .slots import fitted
from .small_host import small_host

Function = Callable[..., Any]


def elementwise_kernel(name: str, function: Function, operand: str) -> Kernel:
    """A kernel that applies a `jnp`-like function.

    Args:
        function: of the operands.
        operand: the type in which it gets them: `"result"` (the output's) or `"own"`.
    """

    def sample(
        inputs: Sequence[Any],
        extents: Sequence[Any],
        out_extent: Any,
        tables: Any,
        *,
        out_shape: tuple[int, ...],
        dtype: Any,
        stretched: Sequence[Sequence[int]] = (),
    ) -> Any:
        del out_extent, tables
        values = [x.astype(dtype) if operand == "result" else x for x in inputs]
        # Without extents the operands are flat buffers, which lie element beside element.
        for k in range(len(values) if extents else 0):
            axes = stretched[k] if stretched else ()
            values[k] = _in_slot(values[k], extents[k], axes, out_shape)
        return jnp.broadcast_to(function(*values), out_shape).astype(dtype)

    return Kernel(name, sample, native=False, pointwise=True, joins=True)


def _in_slot(x: Any, extent: Sequence[Any], stretched: Sequence[int], out_shape: Any) -> Any:
    """An operand in the result's slot, or with extents of 1 that broadcast to it.

    Args:
        stretched: axes whose extent is 1 for some samples and the result's for others.
    """
    own = out_shape[len(out_shape) - x.ndim :]
    for axis, (size, wanted) in enumerate(zip(x.shape, own, strict=True)):
        if axis not in stretched and size in (1, wanted):
            continue
        slot = fitted(x, [wanted if a == axis else n for a, n in enumerate(x.shape)])
        if axis in stretched and size:
            first = jax.lax.slice_in_dim(x, 0, 1, axis=axis)
            slot = jnp.where(extent[axis] == 1, first, slot)
        x = slot
    return x


def elementwise(
    what: str,
    kernel: Kernel,
    operands: Sequence[Spec],
    dtype: np.dtype,
    *,
    check: Callable[[Sequence[np.ndarray]], None] | None = None,
    numpy: Function | None = None,
    computed: np.dtype | None = None,
) -> Apply:
    """The output of a pointwise kernel: broadcast shape, common layout.

    Args:
        what: the operator, for messages.
        kernel: see `elementwise_kernel`.
        operands: the inputs.
        dtype: of the result.
        check: see `Apply.check`.
        numpy: a NumPy function with the kernel's results, to the bit.
        computed: the type in which `numpy` gets the operands. Default: the result's.
    """
    static: dict[str, Any] = {}
    shape = broadcast_shape(what, [s.shape for s in operands])
    stretched = tuple(_stretched_axes(s.shape, shape) for s in operands)
    if any(stretched):
        static["stretched"] = stretched
    host = None
    traced = is_traced(*(column for spec in operands for column in spec.shape))
    if numpy is not None and not any(stretched) and not traced:
        host = small_host(numpy, operands, shape, dtype, computed or dtype)
    return Apply(
        kernel,
        shape,
        dtype,
        common_layout(what, operands),
        static=static,
        bound=lambda slots: broadcast_bound(slots, len(shape)),
        check=check,
        host=host,
    )


def _stretched_axes(operand: Shape, result: Shape) -> tuple[int, ...]:
    """Axes that are not known to be the result's own or of extent 1 throughout."""
    own = result[len(result) - len(operand) :]
    return tuple(
        axis
        for axis, (a, b) in enumerate(zip(operand, own, strict=True))
        if not (a is b or (is_constant(a) and (a == 1 or is_constant(b))))
    )
