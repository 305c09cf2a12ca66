"""Bounding boxes on the canvas of `paste`: `dynjax.bbox_paste`."""

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
    ratio, x, y = tables[0]
    place = jnp.arange(inputs[0].shape[-1]) % 4
    moved = (1.0 - 1.0 / ratio) * jnp.stack([x, y])[place % 2]
    return inputs[0] / ratio + jnp.where((place < 2) | ltrb, moved, 0.0)


_kernel = Kernel("bbox_paste", _sample, native=False)


@operator("bbox_paste", devices=("cpu",))
def bbox_paste(
    boxes: Spec,
    /,
    *,
    ltrb: bool = False,
    paste_x: PerSample[float] = 0.5,
    paste_y: PerSample[float] = 0.5,
    ratio: PerSample[float],
) -> Output:
    """Moves bounding boxes as `paste` moves their image.

        position' = position / ratio + paste * (1 - 1 / ratio)
        size' = size / ratio

    Args:
        boxes: float32 `[..., 4]`, or one axis with box after box; relative to the image.
        ltrb: boxes are left, top, right, bottom; otherwise x, y, width, height.
        paste_x, paste_y: where on the canvas the image lies, 0 (left, top) to 1. Default: 0.5.
        ratio: size of the canvas divided by that of the image.

    Returns:
        Boxes relative to the canvas, in the shape and layout of the input.

    Raises:
        OperatorError: boxes that are not float32, or not four numbers each.

    Source: DALI `BBoxPaste`.

    Example:
        >>> box = np.array([[0.0, 0.0, 1.0, 0.5]], np.float32)
        >>> np.asarray(dynjax.bbox_paste(box, ratio=2.0))
        array([[0.25, 0.25, 0.5 , 0.25]], dtype=float32)
    """
    check_boxes("bbox_paste", boxes)
    parameters = (ratio, paste_x, paste_y)

    def moved(rows: np.ndarray, ratio: Any, x: Any, y: Any) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            out = rows / np.float32(ratio)
            margin = np.float32(1) - np.float32(1) / np.float32(ratio)
        ends = 2 if ltrb else 1
        for first, paste in ((0, x), (1, y)):
            out[:, first : first + 2 * ends : 2] += margin * np.float32(paste)
        return out

    return Apply(
        _kernel,
        boxes.shape,
        boxes.dtype,
        boxes.layout,
        tables=(Table(np.float32, parameters),),
        static={"ltrb": ltrb},
        host=mapped_rows(boxes, 4, parameters, moved),
    )
