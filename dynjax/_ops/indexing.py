"""`tensor[...]` and `batch.slice[...]`: Python's indices, sample by sample.

An integer drops its axis, a slice keeps it; negative ones count from the end, bounds are clamped,
steps may be negative. An index or bound may differ from sample to sample (a Batch of scalars).

Host data are views or copies made by NumPy, so no program is compiled. Elsewhere where a selection
begins is a parameter of the program, so that one program serves all positions.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, Table, operator
from .._types import columns as col
from .._types import expressions
from .._types.columns import Column, is_constant, table
from .._types.data import Data
from .._types.errors import OperatorError, OutOfRangeError
from .._types.host import rows
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Padded, Storage
from .._types.tensor import Tensor
from ._lib.index_entries import AT, RANGE, WHOLE, WRONG, entries


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    picks: tuple[int | None, ...],
) -> Any:
    """One sample; `picks` gives for each axis its step, 0 for an integer, None for all of it."""
    del extents, out_extent, dtype
    x = inputs[0]
    axis = 0
    for k, step in enumerate(picks):
        start = tables[0][k]
        if step == 0:
            x = jax.lax.dynamic_index_in_dim(x, start, axis, keepdims=False)
            continue
        size = out_shape[axis]
        if step is not None or x.shape[axis] != size:
            position = (0 if step is None else start) + (step or 1) * jnp.arange(size)
            x = jnp.take(x, position, axis=axis, mode="clip")
        axis += 1
    return x


INDEX = Kernel("index", _sample, native=False)


class _Pick:
    """What is taken of one axis: from `start` on, `length` elements, `step` apart.

    Attributes:
        step: as above; 0 where an integer drops the axis, None where all of it stays.
        bound: the largest length it can have, if known.
    """

    __slots__ = ("bound", "length", "start", "step")

    def __init__(self, start: Column, length: Column, step: int | None, bound: int | None = None):
        self.start = start
        self.length = length
        self.step = step
        self.bound = bound


def _at(axis: int, index: Column, extent: Column) -> _Pick:
    if not col.is_traced(index, extent):
        wrong = (index < -extent) | (index >= extent)
        if col.any_of(wrong):
            i = col.first_of(wrong)
            raise OutOfRangeError(
                f"indexing: sample {i}: index {col.value_at(index, i)} of axis {axis}, which has "
                f"{col.value_at(extent, i)} elements."
            )
    return _Pick(col.where(index < 0, index + extent, index), 1, 0)


def _range(
    start: Column | None, stop: Column | None, step: int, extent: Column, slot: int | None
) -> _Pick:
    if start is None and stop is None and step == 1:
        return _Pick(0, extent, None)
    if step == 0:
        raise OperatorError("indexing: a slice has step 0; expected another.")
    lowest, highest = (0, extent) if step > 0 else (-1, extent - 1)
    first = lowest if step > 0 else highest
    last = highest if step > 0 else lowest
    if start is not None:
        first = _clamped(start, extent, lowest, highest)
    if stop is not None:
        last = _clamped(stop, extent, lowest, highest)
    length = col.maximum((last - first + step - (1 if step > 0 else -1)) // step, 0)
    return _Pick(first, length, step, _bound(start, stop, step, slot))


def _clamped(bound: Column, extent: Column, lowest: Column, highest: Column) -> Column:
    counted = col.where(bound < 0, bound + extent, bound)
    return col.minimum(col.maximum(counted, lowest), highest)


def _bound(start: Column | None, stop: Column | None, step: int, slot: int | None) -> int | None:
    """The largest possible length: from two constants of one sign, else the axis's slot."""
    first = 0 if start is None else start
    if step > 0 and is_constant(first) and is_constant(stop):
        assert stop is not None
        if (first < 0) == (stop < 0):
            return max(-((first - stop) // step), 0)
    return slot


def _picks(
    spec: Spec, index: Sequence[Any], values: Sequence[Column], slots: Sequence[int] | None
) -> list[_Pick]:
    def known(bound: Any) -> Any:
        return values[int(bound)] if isinstance(bound, str) else bound

    result = []
    for axis, extent in enumerate(spec.shape):
        kind, first, second, step = index[4 * axis : 4 * axis + 4]
        if kind == WRONG:
            raise OperatorError(first)
        if kind == AT:
            result.append(_at(axis, known(first), extent))
        else:
            assert kind == RANGE
            slot = int(extent) if is_constant(extent) else slots[axis] if slots else None
            result.append(_range(known(first), known(second), step, extent, slot))
    return result


def _host(spec: Spec, picks: Sequence[_Pick], batched: bool, count: int, uniform: bool) -> Any:
    """The host way: one view of a dense array if all samples are indexed alike."""
    alike = all(is_constant(p.start) and is_constant(p.length) for p in picks)

    def chosen() -> list[tuple[Any, ...]]:
        """NumPy's index for each sample, or the only one for all."""
        n = 1 if alike else count
        axes = []
        for p in picks:
            if p.step is None:
                axes.append([slice(None)] * n)
                continue
            starts, lengths = table([p.start, p.length], n, np.int64).T.tolist()
            axes.append(list(map(_numpy_index, starts, lengths, [p.step] * n)))
        return list(zip(*axes, strict=True))

    def host(storages: Sequence[Storage]) -> Storage:
        storage = storages[0]
        if alike and isinstance(storage, Dense) and storage.batched == batched:
            where = (slice(None), *chosen()[0]) if batched else chosen()[0]
            return Dense(_contiguous(np.asarray(storage.array)[where]), batched)
        where = chosen() * (count if alike else 1)
        parts = [storage.sample(i if spec.batched else 0)[where[i]] for i in range(count)]
        if uniform:
            return Dense(_contiguous(np.stack(parts) if batched else parts[0]), batched)
        if not batched:
            return Dense(_contiguous(parts[0]), batched=False)
        buffer, shapes = rows(parts)
        return Packed(buffer, shapes.astype(np.int32))

    return host


def _numpy_index(start: int, length: int, step: int | None) -> int | slice:
    if step == 0:
        return start
    step = 1 if step is None else step
    if length == 0:
        return slice(0, 0)
    stop = start + length * step
    return slice(start, None if stop < 0 else stop, step)


def _contiguous(array: Any) -> np.ndarray:
    return np.asarray(array, order="C")


@operator("indexing", hidden=True)
def indexing(
    x: Spec,
    /,
    *,
    index: list[Any],
    slots: list[int] | None = None,
    values: PerSample[list[int]] | None = None,
) -> Output:
    """The rule behind the syntax.

    Args:
        index: four entries for each axis, see `_lib/index_entries.py`.
        slots: inside `jit`, the padded size of each axis, which bounds that of the result.
        values: indices and bounds that are data, in the order of their numbers in `index`.
    """
    picks = _picks(x, index, values or (), slots)
    kept = [(axis, p) for axis, p in enumerate(picks) if p.step != 0]
    shape = tuple(p.length for _, p in kept)
    layout = "".join(x.layout[axis] for axis, _ in kept) if x.layout else None
    varying = [c for p in picks for c in (p.start, p.length) if not is_constant(c)]
    batched = x.batched or bool(varying)
    count = x.count if x.batched or not varying else len(varying[0])
    host: Callable[[Sequence[Storage]], Storage] | None = None
    if not col.is_traced(*varying):
        host = _host(x, picks, batched, count, all(map(is_constant, shape)))
    return Apply(
        INDEX,
        shape,
        x.dtype,
        layout or None,
        tables=[Table(np.int32, [p.start for p in picks])],
        static={"picks": tuple(p.step for p in picks)},
        bound=[p.bound for _, p in kept],
        host=host,
    )


def _indexed(data: Data, key: Any) -> Any:
    """What Python's syntax calls."""
    if data._spec is None:
        return data  # failed before its shape was known, and so has every part of it
    index, values = entries(data, key)
    if index == WHOLE * data.ndim:
        return data
    arguments = {} if values is None else {"values": values}
    storage = data._storage
    if isinstance(storage, Padded) and storage.is_traced():
        arguments["slots"] = storage.array.shape[storage.batched :]
    result = indexing(data, index=index, **arguments)
    if isinstance(data, Tensor) and data.external:
        result._external = True  # it may be a view of the user's memory
    return result


expressions.set_index(_indexed)
