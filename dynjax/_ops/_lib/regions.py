"""Connected regions of equal value in label maps."""

from typing import Any, final

import numpy as np


@final
class Regions:
    """The regions of one label map.

    Pixels belong together where they share a side (diagonal neighbours do not) and have the same
    label.

    Attributes:
        labels: of each region, `[R]`.
        starts, ends: its bounding box, int32 `[R, ndim]`; ends are exclusive.
    """

    def __init__(self, labels: np.ndarray, starts: np.ndarray, ends: np.ndarray):
        self.labels = labels
        self.starts = starts
        self.ends = ends

    def __len__(self) -> int:
        return len(self.labels)

    def only(self, which: np.ndarray) -> "Regions":
        """Some of the regions, by a mask or by numbers."""
        return Regions(self.labels[which], self.starts[which], self.ends[which])

    def volumes(self) -> np.ndarray:
        """The volume of each bounding box."""
        return (self.ends - self.starts).astype(np.int64).prod(axis=1)


def find_regions(mask: np.ndarray, background: int) -> Regions:
    """The regions of a label map but for the background, in the order of their first pixels.

    Runs of equal pixels along the last axis are joined where they touch: there are far fewer of
    them than pixels.
    """
    rows = np.ascontiguousarray(mask).reshape(-1, mask.shape[-1])
    first, last, row = _runs(rows)
    value = rows[row, first]
    run_of = np.zeros(rows.shape, np.int64)
    # The number of the run that each pixel belongs to, from the runs' starts.
    run_of[row, first] = 1
    run_of = (np.cumsum(run_of.reshape(-1)) - 1).reshape(mask.shape)
    root = _joined(len(first), *_touching(run_of, value, background))
    inside = value != background
    first, last, row, value, root = (a[inside] for a in (first, last, row, value, root))
    names, number = np.unique(root, return_inverse=True)
    starts = np.full((len(names), mask.ndim), np.iinfo(np.int32).max, np.int32)
    ends = np.zeros((len(names), mask.ndim), np.int32)
    outer = np.unravel_index(row, mask.shape[:-1]) if mask.ndim > 1 else ()
    for axis, (low, high) in enumerate([*((o, o + 1) for o in outer), (first, last)]):
        np.minimum.at(starts[:, axis], number, low.astype(np.int32))
        np.maximum.at(ends[:, axis], number, high.astype(np.int32))
    labels = np.zeros(len(names), value.dtype)
    labels[number] = value
    return Regions(labels, starts, ends)


def _runs(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Start, end and row of each run of equal values, in order."""
    starts = np.ones(rows.shape, np.bool_)
    np.not_equal(rows[:, 1:], rows[:, :-1], out=starts[:, 1:])
    row, first = np.nonzero(starts)
    last = np.append(first[1:], 0)
    last[last == 0] = rows.shape[1]
    return first, last, row


def _touching(run_of: np.ndarray, value: np.ndarray, background: int) -> tuple[Any, Any]:
    """Pairs of runs of one label that touch across an axis other than the last."""
    pairs: list[np.ndarray] = [np.zeros((0, 2), np.int64)]
    for axis in range(run_of.ndim - 1):
        a = np.moveaxis(run_of, axis, 0)
        low, high = a[:-1].reshape(-1), a[1:].reshape(-1)
        # Where neither run changes, the pair is the one before.
        new = np.ones(len(low), np.bool_)
        new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        low, high = low[new], high[new]
        same = (value[low] == value[high]) & (value[low] != background)
        pairs.append(np.stack([low[same], high[same]], axis=1))
    both = np.concatenate(pairs)
    return both[:, 0], both[:, 1]


def _joined(count: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The least member of the set that each of `count` things belongs to."""
    parent = np.arange(count)
    while True:
        low, high = np.minimum(parent[a], parent[b]), np.maximum(parent[a], parent[b])
        apart = low != high
        if not apart.any():
            return parent
        a, b = a[apart], b[apart]
        np.minimum.at(parent, high[apart], low[apart])
        while True:
            further = parent[parent]
            if np.array_equal(further, parent):
                break
            parent = further
