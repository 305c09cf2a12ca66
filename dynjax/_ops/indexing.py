"""`tensor[...]` and `batch.slice[...]`: Python's indices, sample by sample.

An integer drops its axis, a slice keeps it; negative ones count from the end, bounds are clamped,
steps may be negative. An index or bound may differ from sample to sample (a Batch of scalars).

Where all samples are indexed alike and the selection lies together, the result on the host is a
view. Elsewhere where a selection begins is a parameter, so that one program serves all positions.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._schema import Output, PerSample, operator
from .._types import columns as col
from .._types import expressions
from .._types.columns import Column, is_constant
from .._types.data import Data
from .._types.errors import OperatorError, OutOfRangeError
from .._types.spec import Spec
from .._types.storage import Dense, Storage
from .._types.tensor import Tensor
from ._lib.index_entries import AT, RANGE, WHOLE, WRONG, entries, index_syntax
from ._lib.strided_copy import strided

_SMALL_BYTES = 1 << 14  # NumPy copies so many before a native call would have started


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


def _at(what: str, axis: int, index: Column, extent: Column) -> _Pick:
    if not col.is_traced(index, extent):
        wrong = (index < -extent) | (index >= extent)
        if col.any_of(wrong):
            i = col.first_of(wrong)
            raise OutOfRangeError(
                f"{what}: sample {i}: index {col.value_at(index, i)} of axis {axis}, which has "
                f"{col.value_at(extent, i)} elements."
            )
    return _Pick(col.where(index < 0, index + extent, index), 1, 0)


def _range(
    what: str, start: Column | None, stop: Column | None, step: int, extent: Column
) -> _Pick:
    if start is None and stop is None and step == 1:
        return _Pick(0, extent, None)
    if step == 0:
        raise OperatorError(f"{what}: a slice has step 0; expected another.")
    lowest, highest = (0, extent) if step > 0 else (-1, extent - 1)
    first = lowest if step > 0 else highest
    last = highest if step > 0 else lowest
    if start is not None:
        first = _clamped(start, extent, lowest, highest)
    if stop is not None:
        last = _clamped(stop, extent, lowest, highest)
    length = col.maximum((last - first + step - (1 if step > 0 else -1)) // step, 0)
    return _Pick(first, length, step, _bound(start, stop, step))


def _clamped(bound: Column, extent: Column, lowest: Column, highest: Column) -> Column:
    counted = col.where(bound < 0, bound + extent, bound)
    return col.minimum(col.maximum(counted, lowest), highest)


def _bound(start: Column | None, stop: Column | None, step: int) -> int | None:
    """The largest possible length if two constants of one sign tell it."""
    first = 0 if start is None else start
    if step > 0 and is_constant(first) and is_constant(stop):
        assert stop is not None
        if (first < 0) == (stop < 0):
            return max(-((first - stop) // step), 0)
    return None


def _picks(spec: Spec, index: Sequence[Any], values: Sequence[Column]) -> list[_Pick]:
    what = index_syntax(spec.batched)

    def known(bound: Any) -> Any:
        return values[int(bound)] if isinstance(bound, str) else bound

    result = []
    for axis, extent in enumerate(spec.shape):
        kind, first, second, step = index[4 * axis : 4 * axis + 4]
        if kind == WRONG:
            raise OperatorError(first)
        if kind == AT:
            result.append(_at(what, axis, known(first), extent))
        else:
            assert kind == RANGE
            result.append(_range(what, known(first), known(second), step, extent))
    return result


def _view(batched: bool, picks: Sequence[_Pick]) -> Callable[[Storage], Storage | None]:
    """What is picked alike from all samples, as NumPy's view or, if small, its copy."""
    whole = [slice(None)] * batched
    where = (*whole, *(slice(None) if p.step is None else _numpy_index(p) for p in picks))

    def view(storage: Storage) -> Storage | None:
        if not isinstance(storage, Dense) or storage.batched != batched:
            return None
        part = np.asarray(storage.array)[where]
        if not part.flags.c_contiguous and part.nbytes > _SMALL_BYTES:
            return None
        return Dense(np.asarray(part, order="C"), batched)

    return view


def _numpy_index(pick: _Pick) -> int | slice:
    start, length, step = int(pick.start), int(pick.length), pick.step
    if step == 0:
        return start
    assert step is not None
    stop = start + length * step
    return slice(start, None if stop < 0 else stop, step) if length else slice(0, 0)


@operator("indexing", hidden=True)
def indexing(
    x: Spec,
    /,
    *,
    index: list[Any],
    values: PerSample[list[int]] | None = None,
) -> Output:
    """The rule behind the syntax.

    Args:
        index: four entries for each axis, see `_lib/index_entries.py`.
        values: indices and bounds that are data, in the order of their numbers in `index`.
    """
    picks = _picks(x, index, values or ())
    kept = [(axis, p) for axis, p in enumerate(picks) if p.step != 0]
    shape = tuple(p.length for _, p in kept)
    layout = "".join(x.layout[axis] for axis, _ in kept) if x.layout else None
    chosen = [axis for axis, p in enumerate(picks) if p.step is not None]
    apply = strided(
        index_syntax(x.batched),
        x,
        shape,
        axes=chosen,
        anchors=[picks[axis].start for axis in chosen],
        steps=[picks[axis].step or 1 for axis in chosen],
        perm=[axis for axis, _ in kept],
        layout=layout or None,
        bound=lambda slots: [
            slots[0][axis] if p.bound is None else min(p.bound, slots[0][axis]) for axis, p in kept
        ],
    )
    alike = all(is_constant(p.start) and is_constant(p.length) for p in picks)
    if apply.host is None or not alike or not x.uniform:
        return apply
    copied = apply.host
    view = _view(x.batched, picks)

    def host(storages: Sequence[Storage]) -> Storage | None:
        part = view(storages[0])
        return copied(storages) if part is None else part

    return dataclasses.replace(apply, host=host)


def _indexed(data: Data, key: Any) -> Any:
    """What Python's syntax calls."""
    if not data.has_spec:
        return data  # failed before its shape was known, and so has every part of it
    index, values = entries(data, key)
    if index == WHOLE * data.ndim:
        return data
    arguments = {} if values is None else {"values": values}
    result = indexing(data, index=index, **arguments)
    if isinstance(data, Tensor) and data.external:
        result._external = True  # it may be a view of the user's memory
    return result


expressions.set_index(_indexed)
