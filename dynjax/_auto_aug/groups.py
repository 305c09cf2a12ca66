"""An image and what belongs to it: mask, boxes, keypoints, in a dict."""

from collections.abc import Callable, Mapping
from typing import Any, final

import jax
import numpy as np

from .._ops.expand_dims import expand_dims
from .._ops.squeeze import squeeze
from .._types.batch import Batch
from .._types.construct import as_batch, as_tensor
from .._types.errors import ArgumentError, at_call
from .draws import Draws
from .images import batch_of_one, is_traced
from .moved import Map, Size, moved_boxes, moved_points, relative, scaled_boxes

_PICTURES = {"image": "HWC", "mask": "HWC"}
_MOVED = ("image", "mask", "boxes", "keypoints")


@final
class Group:
    """The parts of a dict as batches of equal size; parts of other names are handed through.

    Attributes:
        count: number of samples.
        size: height and width of the images: numbers, or one for each sample.

    Raises:
        ArgumentError: neither an image nor a mask, parts of unequal batch or picture size.
    """

    def __init__(self, name: str, sample: Mapping[str, Any], normalized: bool):
        self.name = name
        self._given = sample
        self._normalized = normalized
        self._batched = any(isinstance(sample.get(k), Batch) for k in _MOVED)
        self.parts = {k: self._part(k, sample[k]) for k in _MOVED if sample.get(k) is not None}
        pictures = [self.parts[k] for k in _PICTURES if k in self.parts]
        if not pictures:
            raise at_call(ArgumentError(f"{name}: there is no 'image' and no 'mask' in the dict."))
        self.count = pictures[0].batch_size
        self.size: Size = _size(pictures[0])
        for key, part in self.parts.items():
            if part.batch_size != self.count:
                raise at_call(
                    ArgumentError(
                        f"{name}: {key!r} has {part.batch_size} samples; "
                        f"{next(iter(self.parts))!r} has {self.count}."
                    )
                )
        if len(pictures) == 2 and not _same(_size(pictures[1]), self.size, self.traced):
            raise at_call(ArgumentError(f"{name}: 'image' and 'mask' differ in height or width."))

    @property
    def traced(self) -> bool:
        return is_traced(next(iter(self.parts.values())))

    def draws(self, key: Any, rng: Any) -> Draws:
        return Draws(self.name, key, rng, self.count, self.traced)

    def _part(self, key: str, value: Any) -> Batch:
        data = value if isinstance(value, Batch) else batch_of_one(as_tensor(value))
        if isinstance(value, Batch) != self._batched:
            raise at_call(
                ArgumentError(f"{self.name}: {key!r} is no batch, but others in the dict are.")
            )
        if key not in _PICTURES:
            return data
        if data.ndim == 2:
            return expand_dims(as_batch(data, layout="HW"), axes=[2], new_axis_names="C")
        if data.ndim != 3 or data.layout not in (None, "HWC"):
            raise at_call(
                ArgumentError(
                    f"{self.name}: {key!r} has layout {data.layout!r} and {data.ndim} axes; "
                    "expected HWC, or HW."
                )
            )
        return data if data.layout else as_batch(data, layout="HWC")

    def moved(
        self, picture: Callable[[str, Batch], Any], moved: Map, new_size: Size
    ) -> dict[str, Any]:
        """The dict with all of its parts moved.

        Args:
            picture: gives the moved image or mask, from its name and the batch.
            moved: the same map for points, from pixels of the old image to pixels of the new one.
            new_size: height and width of the new image.
        """
        out = dict(self._given)
        shares = relative(moved, self.size, new_size)
        for key, part in self.parts.items():
            if key in _PICTURES:
                result = picture(key, part)
                if _ndim(self._given[key]) == 2:
                    result = squeeze(result, axes=[2])
            elif key == "keypoints":
                result = moved_points(part, shares if self._normalized else moved)
            elif self._normalized:
                result = moved_boxes(part, shares)
            else:
                height, width = self.size
                part = scaled_boxes(part, (1 / height, 1 / width))
                result = scaled_boxes(moved_boxes(part, shares), new_size)
            out[key] = result if self._batched else result.select(0)
        return out


def _ndim(value: Any) -> int:
    return value.ndim if hasattr(value, "ndim") else np.ndim(value)


def _size(pictures: Batch) -> Size:
    height, width = pictures.spec.shape[:2]
    return _floats(height), _floats(width)


def _floats(column: Any) -> Any:
    return float(column) if isinstance(column, int) else column.astype(np.float32)


def _same(a: Size, b: Size, traced: bool) -> bool:
    if traced or any(isinstance(x, jax.Array) for x in (*a, *b)):
        return True
    return all(np.all(np.equal(x, y)) for x, y in zip(a, b, strict=True))
