"""The kernel of `cat` and `stack`: inputs one after another along an axis."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ..._schema import Apply, Kernel
from ..._types.columns import Column, any_of, first_of, is_constant, is_traced, value_at
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .host_calls import MAX_RANK, HostCall
from .host_samples import batching


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axis: int,
    stacked: bool,
) -> Any:
    del out_extent, tables
    if stacked:
        extents = [(*e[:axis], 1, *e[axis:]) for e in extents]
        inputs = [jnp.expand_dims(x, axis) for x in inputs]
    result = jnp.zeros(out_shape, dtype)
    start: Any = 0
    number = jnp.arange(out_shape[axis])
    for x, extent in zip(inputs, extents, strict=True):
        size = extent[axis]
        inside = (number >= start) & (number < start + size)
        taken = jnp.take(x, jnp.clip(number - start, 0, max(x.shape[axis] - 1, 0)), axis=axis)
        taken = _fitted(taken, axis, out_shape)
        shape = [1] * result.ndim
        shape[axis] = -1
        result = jnp.where(inside.reshape(shape), taken, result)
        start = start + size
    return result


def _fitted(x: Any, axis: int, out_shape: tuple[int, ...]) -> Any:
    """Slots of the inputs may differ along the other axes; what is real fits the result."""
    for a, size in enumerate(out_shape):
        if a != axis and x.shape[a] != size:
            x = jnp.take(x, jnp.arange(size), axis=a, mode="fill", fill_value=0)
    return x


_kernel = Kernel("joining", _sample)


def joined(
    what: str, specs: Sequence[Spec], axis: int, layout: str | None, *, stacked: bool
) -> Apply:
    """The output of inputs one after another along `axis`, which `stack` adds."""
    first = specs[0]
    for k, spec in enumerate(specs):
        if spec.dtype != first.dtype or spec.ndim != first.ndim:
            raise OperatorError(
                f"{what}: input {k} is {spec.dtype.name} with {spec.ndim} axes, input 0 is "
                f"{first.dtype.name} with {first.ndim}; expected equal types and numbers of axes."
            )
    if first.ndim + stacked > MAX_RANK:
        raise OperatorError(
            f"{what}: a result of {first.ndim + stacked} axes; expected at most {MAX_RANK}."
        )
    shape: list[Column] = []
    for a in range(first.ndim):
        columns = [s.shape[a] for s in specs]
        if a == axis and not stacked:
            total: Column = 0
            for c in columns:
                total = total + c
            shape.append(total)
        else:
            shape.append(_common(what, a, columns))
    if stacked:
        shape.insert(axis, len(specs))
    static = {"axis": axis, "stacked": stacked}
    host = None
    if not is_traced(*(c for s in specs for c in s.shape)):
        count, batched = batching(specs)
        host = HostCall(
            *(_kernel.name, specs, tuple(shape), first.dtype, count, batched),
            static=static,
            listed=True,
        )

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        result: list[int | None] = [None] * len(shape)
        if not stacked:
            result[axis] = sum(slot[axis] for slot in slots)
        return result

    return Apply(_kernel, tuple(shape), first.dtype, layout, static=static, bound=bound, host=host)


def _common(what: str, axis: int, columns: Sequence[Column]) -> Column:
    """An extent that all inputs must share: a constant if any of them is one."""
    chosen = next((c for c in columns if is_constant(c)), columns[0])
    for k, column in enumerate(columns):
        if is_traced(column, chosen) or column is chosen:
            continue
        wrong = column != chosen
        if any_of(wrong):
            i = first_of(wrong)
            raise OperatorError(
                f"{what}: sample {i}: input {k} has an extent of {value_at(column, i)} along axis "
                f"{axis}, another has {value_at(chosen, i)}; expected equal ones."
            )
    return chosen
