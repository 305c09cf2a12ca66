"""The kernel of data movements: windows, steps, reversal, dropped and reordered axes in one.

    out[o] = in[anchor + step * o]    along each axis

Natively `ops/movement/`; one program or none serves all positions.
"""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column, Shape, is_traced
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .convert import convert
from .host_calls import MAX_RANK, HostCall
from .host_samples import batching


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axes: tuple[int, ...],
    perm: tuple[int, ...],
    fill_axis: int,
) -> Any:
    del out_extent
    window, fill = tables
    x = inputs[0]
    dropped = [axis for axis in range(x.ndim) if axis not in perm]
    inside: Any = True
    for axis in range(x.ndim):
        k = axes.index(axis) if axis in axes else None
        size = 1 if axis in dropped else out_shape[perm.index(axis)]
        if k is None and x.shape[axis] == size:
            continue
        index = jnp.arange(size)
        if k is not None:
            index = window[k] + window[len(axes) + k] * index
            # A window without fill values lies inside, except for an index that only the data know.
            if fill.shape[0] or axis in dropped:
                valid = (index >= 0) & (index < extents[0][axis])
                inside = inside & _along(valid, axis, x.ndim)
        if x.shape[axis] == 0:
            x = jnp.zeros((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype)
        else:
            x = jnp.take(x, jnp.clip(index, 0, x.shape[axis] - 1), axis=axis)
    x = convert(x, dtype)
    if inside is not True:
        values = convert(fill, dtype) if fill.shape[0] else jnp.zeros(1, dtype)
        filled = values[0] if fill_axis < 0 else _along(values, fill_axis, x.ndim)
        x = jnp.where(inside, x, filled)
    kept = [axis for axis in range(x.ndim) if axis not in dropped]
    return jnp.transpose(jnp.squeeze(x, dropped), [kept.index(axis) for axis in perm])


def _along(values: Any, axis: int, ndim: int) -> Any:
    """A vector as an array of `ndim` axes that varies along one of them."""
    return values.reshape([-1 if a == axis else 1 for a in range(ndim)])


KERNEL = Kernel("strided_copy", _sample, chains=True)


def strided(
    what: str,
    spec: Spec,
    shape: Shape,
    *,
    axes: Sequence[int] = (),
    anchors: Sequence[Column] = (),
    steps: Sequence[Column] = (),
    perm: Sequence[int] | None = None,
    fill: Sequence[Column] = (),
    fill_axis: int = -1,
    dtype: np.dtype | None = None,
    layout: str | None = None,
    bound: Any = None,
) -> Apply:
    """The output that holds certain positions of the input.

    Args:
        what: the operator, for messages.
        spec: the input.
        shape: of the result.
        axes: input axes that are not taken from start to end.
        anchors: the first position along each of them; may lie outside the input.
        steps: from one position to the next; may be negative.
        perm: which input axis becomes each axis of the result; those left out stand at their
            anchor. Default: all, in order.
        fill: what positions outside the input hold: one value, or one for each position of
            `fill_axis` (an input axis). Without values there must not be such positions.
        fill_axis: see `fill`; -1 for one value.
        dtype: of the result. Default: the input's.
        layout: of the result.
        bound: see `Apply.bound`.

    Raises:
        OperatorError: more axes than the kernels count.
    """
    if spec.ndim > MAX_RANK:
        raise OperatorError(f"{what}: samples of {spec.ndim} axes; expected at most {MAX_RANK}.")
    out_dtype = spec.dtype if dtype is None else dtype
    tables = (Table(np.int32, [*anchors, *steps]), Table(np.float32, fill))
    static = {
        "axes": tuple(axes),
        "perm": tuple(range(spec.ndim)) if perm is None else tuple(perm),
        "fill_axis": fill_axis,
    }
    columns = [*anchors, *steps, *fill, *shape]
    host = None
    if not is_traced(*columns):
        count, batched = batching([spec], *(columns if not spec.batched else ()))
        host = HostCall(
            *(KERNEL.name, [spec], shape, out_dtype, count, batched), tables=tables, static=static
        )
    return Apply(
        KERNEL,
        shape,
        out_dtype,
        layout,
        tables=tables,
        static=static,
        bound=bound,
        host=host,
    )
