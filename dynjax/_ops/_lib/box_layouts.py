"""How bounding boxes and the extents beside them are written: `bbox_layout`, `shape_layout`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..._types.columns import Column, table
from ..._types.errors import OperatorError

# Axes, and whether the second half holds sizes.
_KNOWN = {"xyXY": (2, False), "xyWH": (2, True), "xyzXYZ": (3, False), "xyzWHD": (3, True)}


class BoxLayout(NamedTuple):
    """Boxes of `axes` axes, x first.

    Attributes:
        what: the operator, for messages.
        axes: 2 or 3.
        sized: boxes are start and size, not start and end.
        order: for x, y (, z) where its extent stands in a shape.
        rank: values of a shape.
    """

    what: str
    axes: int
    sized: bool
    order: tuple[int, ...]
    rank: int

    @classmethod
    def of(
        cls, what: str, bbox_layout: str | None, ltrb: bool, shape_layout: str | None
    ) -> "BoxLayout":
        """From the arguments of these names."""
        name = bbox_layout or ("xyXY" if ltrb else "xyWH")
        if name not in _KNOWN:
            known = ", ".join(_KNOWN)
            raise OperatorError(f"{what}: bbox_layout={name!r}; expected one of {known}.")
        axes, sized = _KNOWN[name]
        letters = shape_layout or "WHD"[:axes]
        order = tuple(letters.find(letter) for letter in "WHD"[:axes])
        if -1 in order:
            raise OperatorError(
                f"{what}: shape_layout={letters!r}; expected the letters {'WHD'[:axes]}."
            )
        return cls(what, axes, sized, order, len(letters))

    def corners(self, boxes: np.ndarray) -> np.ndarray:
        """Boxes `[n, 2 * axes]` as lower and upper corners `[n, 2, axes]`."""
        pairs = boxes.reshape(-1, 2, self.axes)
        return np.stack([pairs[:, 0], pairs.sum(axis=1)], axis=1) if self.sized else pairs

    def boxes(self, corners: np.ndarray) -> np.ndarray:
        """The reverse of `corners`."""
        if self.sized:
            corners = np.stack([corners[:, 0], corners[:, 1] - corners[:, 0]], axis=1)
        return corners.reshape(-1, 2 * self.axes)

    def extents(self, name: str, values: Sequence[Column] | None, count: int) -> np.ndarray | None:
        """A shape argument of each sample, x first, `[N, axes]`."""
        if not values:
            return None
        if len(values) != self.rank:
            raise OperatorError(
                f"{self.what}: {name} has {len(values)} values; expected {self.rank}."
            )
        given = table(values, count, np.float64)
        return given[:, list(self.order)]
