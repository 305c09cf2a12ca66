"""Values made of host memory that the library owns: how readers hand out what they read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from .batch import Batch
from .columns import from_table
from .device import Device
from .spec import Spec
from .storage import Dense, Packed, capacity
from .tensor import Tensor


@final
class SampleSource:
    """Which samples of a data source a batch holds, for messages and for keys per sample.

    Attributes:
        indices: int64 `[N]`, each sample's number in the data source.
        epoch: the pass in which they were handed out.
        valid: bool `[N]`, which of them count; None: all.
        is_named: whether the data source is known; otherwise the numbers are places in a batch.
        kept: int64 `[N]`, which samples of the batch that was decoded these are, if some were left
            out of it; None: all of them.
        asked: how many samples that batch had.
        bad: what is known of its samples that could not be decoded.
        note: takes a sample's epoch, number and reason: how the data source hears of those.
    """

    __slots__ = (
        *("_listed_of", "_name_of", "asked", "bad", "epoch"),
        *("indices", "is_named", "kept", "note", "valid"),
    )

    def __init__(
        self,
        indices: np.ndarray,
        epoch: int,
        name_of: Callable[[int], bytes] | None,
        valid: np.ndarray | None = None,
        note: Callable[[int, int, str], None] | None = None,
        listed_of: Callable[[int], bytes] | None = None,
    ):
        """`name_of` gives the path, or what else names a sample, from its number.

        `listed_of` gives its name in the data set. Default: the same.
        """
        self.is_named = name_of is not None
        self.kept: np.ndarray | None = None
        self.asked = len(indices)
        self.bad: tuple[BadSample, ...] = ()
        self.note = note
        self.indices = indices
        self.epoch = epoch
        self.valid = valid
        self._name_of = name_of
        self._listed_of = name_of if listed_of is None else listed_of

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, which) -> "SampleSource":
        valid = None if self.valid is None else np.atleast_1d(self.valid[which])
        indices = np.atleast_1d(self.indices[which])
        part = SampleSource(indices, self.epoch, self._name_of, valid, self.note, self._listed_of)
        part.bad = self.bad
        part.asked = self.asked
        part.kept = None if self.kept is None else np.atleast_1d(self.kept[which])
        return part

    def marked(self, bad: "Sequence[BadSample]", leave_out: bool) -> "SampleSource":
        """These samples without the bad ones, or with them, not valid."""
        good = np.ones(len(self), np.bool_)
        good[[b.sample for b in bad]] = False
        if leave_out:
            result = self[np.flatnonzero(good)]
            result.kept = np.flatnonzero(good)
            result.asked = len(self)
        else:
            valid = good if self.valid is None else self.valid & good
            result = SampleSource(
                self.indices, self.epoch, self._name_of, valid, self.note, self._listed_of
            )
        result.bad = tuple(bad)
        return result

    def name(self, i: int) -> str:
        """The path of sample `i` of this batch."""
        if self._name_of is None:
            return ""
        return self._name_of(int(self.indices[i])).decode(errors="replace")

    def listed(self, i: int) -> bytes:
        """The name of sample `i` of this batch in its data set; empty if that is not known."""
        return b"" if self._listed_of is None else self._listed_of(int(self.indices[i]))


@final
@dataclass(frozen=True)
class BadSample:
    """A sample that could not be decoded.

    Attributes:
        sample: its place in the batch that was to be decoded.
        name: its path, or what else names it; empty if no data source is known.
        reason: why.
    """

    sample: int
    name: str
    reason: str


def packed_batch(
    buffer: np.ndarray,
    shapes: np.ndarray,
    *,
    layout: str | None = None,
    source: SampleSource | None = None,
) -> Batch:
    """A batch of samples that lie one after another in a flat buffer; shapes `[N, rank]`.

    The number of channels, if all samples share it, is a property of the source and not of the
    batch at hand, so it is static; all other extents are data, even if they happen to agree.
    """
    extent = np.ascontiguousarray(shapes, np.int32)
    columns = list(from_table(extent))
    axis = _channel_axis(layout, len(columns))
    if axis is not None and len(extent) and (extent[:, axis] == extent[0, axis]).all():
        columns[axis] = int(extent[0, axis])
    spec = Spec(len(extent), tuple(columns), buffer.dtype, layout, True, Device.CPU)
    return Batch._make(spec, Packed(buffer, extent), source=source)


def _channel_axis(layout: str | None, rank: int) -> int | None:
    if layout is None:
        return rank - 1 if rank >= 3 else None
    return layout.index("C") if "C" in layout else None


def dense_batch(
    array: np.ndarray, *, layout: str | None = None, source: SampleSource | None = None
) -> Batch:
    """A batch of the rows of an array `[N, *shape]`."""
    spec = Spec(len(array), tuple(array.shape[1:]), array.dtype, layout, True, Device.CPU)
    return Batch._make(spec, Dense(array), source=source)


def tensor(
    array: np.ndarray, *, layout: str | None = None, source: SampleSource | None = None
) -> Tensor:
    """A tensor of an array."""
    spec = Spec(1, tuple(array.shape), array.dtype, layout, False, Device.CPU)
    return Tensor._make(spec, Dense(array, batched=False), source=source)


def rows(values: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Arrays of equal rank and dtype one after another: a flat buffer and shapes `[N, rank]`."""
    shapes = np.array([v.shape for v in values], np.int64).reshape(len(values), values[0].ndim)
    total = sum(v.size for v in values)
    buffer = np.zeros(capacity(total), values[0].dtype)
    np.concatenate([v.reshape(-1) for v in values], out=buffer[:total])
    return buffer, shapes
