"""The region of interest of `readers.Numpy`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from .._ops._lib.axes import position
from .._ops._lib.slicing import Bounds, windows_of
from .._types.batch import Batch
from .._types.columns import Column, value_at
from .._types.errors import OperatorError

NAMES = ("roi_start", "rel_roi_start", "roi_end", "rel_roi_end", "roi_shape", "rel_roi_shape")


@final
@dataclass(frozen=True)
class Region:
    """Which part of each array is wanted; the default is all of it.

    Attributes:
        bounds: argument -> one column for each axis.
        axes: along which axes; none: all.
        policy: `"error"`, `"pad"` or `"trim_to_shape"`.
        fill_value: for `"pad"`.
    """

    bounds: Mapping[str, Sequence[Column]] = field(default_factory=dict)
    axes: Sequence[int] = ()
    policy: str = "error"
    fill_value: float = 0.0

    def cut(self, operator: str, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The regions of arrays of equal rank.

        Raises:
            OperatorError: a region that does not fit, or arguments that exclude each other.
        """
        rank = arrays[0].ndim
        axes = [position(operator, a, rank) for a in self.axes] or list(range(rank))
        if len(set(axes)) != len(axes):
            raise OperatorError(f"{operator}: roi_axes={list(self.axes)} names an axis twice.")
        bounds = Bounds(operator, len(axes))
        for name, values in self.bounds.items():
            # One value stands for all axes.
            spread = list(values) * len(axes) if len(values) == 1 else values
            bounds.add(name.replace("roi_", ""), spread)
        shapes = np.array([a.shape for a in arrays], np.int64).reshape(len(arrays), rank)
        extents = [shapes[:, a] for a in axes]
        anchors, sizes = windows_of(operator, extents, bounds, self.policy)
        if not self.bounds:
            return list(arrays)
        return [
            self._window(
                array,
                {
                    axis: (value_at(anchor, i), value_at(size, i))
                    for axis, anchor, size in zip(axes, anchors, sizes, strict=True)
                },
            )
            for i, array in enumerate(arrays)
        ]

    def _window(self, array: np.ndarray, window: Mapping[int, tuple[int, int]]) -> np.ndarray:
        source, target, shape = [], [], []
        for axis, extent in enumerate(array.shape):
            start, size = map(int, window.get(axis, (0, extent)))
            begin = min(max(start, 0), extent)
            end = max(min(start + size, extent), begin)
            source.append(slice(begin, end))
            target.append(slice(begin - start, end - start))
            shape.append(size)
        inside = array[tuple(source)]
        if inside.shape == tuple(shape):
            return inside
        out = np.full(shape, np.array(self.fill_value).astype(array.dtype), array.dtype)
        if inside.size:
            out[tuple(target)] = inside
        return out


def bound(operator: str, name: str, value: Any) -> list[Column]:
    """The columns of an argument: a number, a list of them, a Tensor, or a Batch of such.

    Raises:
        TypeError: it holds no numbers.
    """
    try:
        values = np.asarray(value)
    except (TypeError, ValueError):
        values = np.array(None)
    if values.dtype.kind not in "iuf":
        raise TypeError(f"{operator}: {name}={value!r:.80}; expected numbers.")
    kind = np.float64 if name.startswith("rel_") else np.int64
    values = values.astype(kind)
    if isinstance(value, Batch):
        table = values.reshape(len(values), -1)
        return [table[:, k] for k in range(table.shape[1])]
    return values.reshape(-1).tolist()
