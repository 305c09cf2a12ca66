"""Mirrored bounding boxes: `dynjax.bb_flip`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, Table, operator
from .._types.spec import Spec
from ._lib.rows import check_boxes, mapped_rows


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    ltrb: bool,
) -> Any:
    del extents, out_extent, out_shape, dtype
    boxes = inputs[0]
    index = jnp.arange(boxes.shape[-1])
    place = index % 4
    # The number of the same direction: right for left, width for x.
    partner = jnp.take(boxes, index ^ 2, axis=-1, mode="clip")
    wanted = (tables[0] != 0)[place % 2]
    if ltrb:
        return jnp.where(wanted, 1.0 - partner, boxes)
    return jnp.where(wanted & (place < 2), 1.0 - boxes - partner, boxes)


_kernel = Kernel("bb_flip", _sample, native=False)


@operator("bb_flip")
def bb_flip(
    boxes: Spec,
    /,
    *,
    horizontal: PerSample[int] = 1,
    ltrb: bool = False,
    vertical: PerSample[int] = 0,
) -> Output:
    """Mirrors bounding boxes as `flip` mirrors their image.

        left' = 1 - right, right' = 1 - left        (ltrb)
        x' = 1 - x - width                          (x, y, width, height)

    Args:
        boxes: float32 `[..., 4]`, or one axis with box after box; relative to the image, 0 to 1,
            which is not checked.
        horizontal: not 0: left and right change places. Default: 1.
        ltrb: boxes are left, top, right, bottom; otherwise x, y, width, height.
        vertical: not 0: top and bottom change places. Default: 0.

    Returns:
        Boxes in the shape and layout of the input.

    Raises:
        OperatorError: boxes that are not float32, or not four numbers each.

    Source: DALI `BbFlip`.

    Example:
        >>> box = np.array([[0.125, 0.25, 0.25, 0.5]], np.float32)
        >>> np.asarray(dynjax.bb_flip(box))
        array([[0.625, 0.25 , 0.25 , 0.5  ]], dtype=float32)
    """
    check_boxes("bb_flip", boxes)
    flags = (horizontal, vertical)
    return Apply(
        _kernel,
        boxes.shape,
        boxes.dtype,
        boxes.layout,
        tables=(Table(np.int32, flags),),
        static={"ltrb": ltrb},
        host=mapped_rows(boxes, 4, flags, _flip_corners if ltrb else _flip_sizes),
    )


def _flip_corners(boxes: np.ndarray, horizontal: Any, vertical: Any) -> np.ndarray:
    out = boxes.copy()
    for axis, wanted in enumerate((horizontal, vertical)):
        sides = boxes[:, axis::2]
        out[:, axis::2] = np.where(np.not_equal(wanted, 0), 1 - sides[:, ::-1], sides)
    return out


def _flip_sizes(boxes: np.ndarray, horizontal: Any, vertical: Any) -> np.ndarray:
    out = boxes.copy()
    for axis, wanted in enumerate((horizontal, vertical)):
        start, size = boxes[:, axis : axis + 1], boxes[:, axis + 2 : axis + 3]
        out[:, axis : axis + 1] = np.where(np.not_equal(wanted, 0), 1 - start - size, start)
    return out
