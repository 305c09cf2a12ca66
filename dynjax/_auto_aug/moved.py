"""What an affine map does to boxes and points, inside and outside of `jit`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._ops.coord_transform import coord_transform
from .._ops.math.binary import clamp
from .._types.batch import Batch
from .._types.construct import as_batch

# Rows of `[a b c; d e f]`: numbers, or one for each sample.
Map = tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]
# Height and width: numbers, or one for each sample.
Size = tuple[Any, Any]


def relative(moved: Map, old: Size, new: Size) -> Map:
    """A map of pixels as one of shares of the sides of the old and the new image."""
    (a, b, c), (d, e, f) = moved
    (height, width), (h, w) = old, new
    return (
        (a * (width / w), b * (height / w), c / w),
        (d * (width / h), e * (height / h), f / h),
    )


def moved_points(points: Batch, moved: Map) -> Any:
    """float32 `[..., 2]`, x and y."""
    return coord_transform(points, MT=matrices(moved, points.batch_size))


def moved_boxes(boxes: Batch, moved: Map) -> Any:
    """The upright boxes around moved ones, cut off at the sides of the image.

    With left, top, right, bottom relative to the image. The largest `a x + b y` in a box is reached
    at a corner that the signs of a and b tell: so it is a linear map of the four numbers.
    """
    (a, b, c), (d, e, f) = moved
    rows = [
        (_up(a), _up(b), _down(a), _down(b), c),
        (_up(d), _up(e), _down(d), _down(e), f),
        (_down(a), _down(b), _up(a), _up(b), c),
        (_down(d), _down(e), _up(d), _up(e), f),
    ]
    return clamp(coord_transform(boxes, MT=matrices(rows, boxes.batch_size)), 0.0, 1.0)


def scaled_boxes(boxes: Any, size: Size) -> Any:
    """Boxes with x multiplied by a width and y by a height."""
    scales = (size[1], size[0], size[1], size[0])
    rows = [[scale if i == j else 0.0 for j in range(4)] + [0.0] for i, scale in enumerate(scales)]
    return coord_transform(boxes, MT=matrices(rows, boxes.batch_size))


def _up(x: Any) -> Any:
    return (x + abs(x)) / 2


def _down(x: Any) -> Any:
    return (x - abs(x)) / 2


def matrices(rows: Any, count: int) -> Batch:
    """float32 `[N, rows, columns]` of numbers, or of one for each sample."""
    entries = [entry for row in rows for entry in row]
    xp = jnp if any(isinstance(e, jax.Array) for e in entries) else np
    flat = [xp.broadcast_to(xp.asarray(e, np.float32), (count,)) for e in entries]
    return as_batch(xp.stack(flat, axis=-1).reshape(count, len(rows), len(rows[0])))
