"""Bounding boxes in a rotated image: `dynjax.bbox_rotate`."""

import math
from collections.abc import Sequence

import numpy as np

from .._schema import Output, PerSample, operator
from .._types.columns import Column, is_constant
from .._types.data import Data
from .._types.errors import OperatorError, at_call
from ._lib.host_samples import batching
from ._lib.ready import host_samples, ready
from ._lib.rotation import canvas as rotated_canvas
from ._lib.rotation import turned

_WHAT = "bbox_rotate"
_MODES = ("expand", "fixed", "halfway")
_LAYOUTS = ("xyXY", "xyWH")


@operator(_WHAT, reads_data=True, devices=("cpu",))
def bbox_rotate(
    boxes: Data,
    labels: Data | None = None,
    /,
    *,
    angle: PerSample[float],
    bbox_layout: str = "xyXY",
    bbox_normalized: bool = True,
    input_shape: PerSample[list[int]],
    keep_size: bool = False,
    mode: str = "expand",
    remove_threshold: float = 0.1,
    shape_layout: str = "HW",
    size: PerSample[list[float]] | None = None,
) -> Output | tuple[Output, Output]:
    """Turns bounding boxes as `rotate` turns their image.

    Each box becomes the upright box around its turned corners (`"expand"`), keeps its size about
    its turned centre (`"fixed"`), or the mean of the two (`"halfway"`). A box that keeps its size
    has its sides exchanged where the angle is nearer to a quarter turn than to none or a half. It
    is clipped to the canvas and dropped if less than `remove_threshold` of its area is left.

    Args:
        boxes: float32 `[n, 4]`.
        labels: int32 `[n]` or `[n, 1]`, which are dropped along with their boxes.
        angle: in degrees, counter-clockwise as displayed.
        bbox_layout: `"xyXY"` (left, top, right, bottom) or `"xyWH"` (left, top, width, height).
        bbox_normalized: boxes are relative to the image (the default) and not in pixels.
        input_shape: extents of the image in the order of `shape_layout`, in pixels.
        keep_size: the canvas is as large as the image.
        mode: see above. Default: `"expand"`.
        remove_threshold: least share of a box's area on the canvas, 0 to less than 1. Default: 0.1.
        shape_layout: letters for `input_shape`. Default: `"HW"`.
        size: height and width of the canvas, whatever `shape_layout` says. Default: what `rotate`
            makes of the image and the angle.

    Returns:
        The boxes that are left, relative to the canvas or in its pixels, and their labels if any
        were given.

    Raises:
        OperatorError: other types or shapes, as many labels as there are not boxes, an unknown
            mode or layout, a threshold outside [0, 1).

    Source: DALI `BBoxRotate`; definition checked against recordings.

    Example:
        >>> box = np.array([[0.0, 0.0, 0.5, 1.0]], np.float32)
        >>> turned = dynjax.bbox_rotate(box, angle=90.0, input_shape=[100, 100])
        >>> np.asarray(turned).round(4)
        array([[0. , 0.5, 1. , 1. ]], dtype=float32)
    """
    _check(boxes, labels, bbox_layout, mode, remove_threshold)
    specs = [boxes.spec] if labels is None else [boxes.spec, labels.spec]
    columns = [angle, *input_shape, *(size or ())]
    count, batched = batching(specs, *columns)
    found = f"input_shape has {len(input_shape)} values for shape_layout={shape_layout!r}"
    height, width = _image_size(input_shape, shape_layout, found)
    wanted = None
    if size and not keep_size:
        wanted = _image_size(size, "HW", f"size has {len(size)} values")
    all_labels = None if labels is None else host_samples(_WHAT, labels, count)
    kept: list[np.ndarray] = []
    names: list[np.ndarray] = []
    for i, given in enumerate(host_samples(_WHAT, boxes, count)):
        image = (_at(width, i), _at(height, i))
        degrees = _at(angle, i)
        if keep_size:
            canvas = image
        elif wanted is not None:
            canvas = (_at(wanted[1], i), _at(wanted[0], i))
        else:
            tall, wide = rotated_canvas(turned(degrees, None), (int(image[1]), int(image[0])))
            canvas = (float(wide), float(tall))
        moved, is_left = _rotated(
            *(given, degrees, image, canvas, mode, bbox_layout, bbox_normalized, remove_threshold)
        )
        kept.append(moved)
        if all_labels is not None:
            if len(all_labels[i]) != len(given):
                raise OperatorError(
                    f"{_WHAT}: sample {i} has {len(given)} boxes and {len(all_labels[i])} labels; "
                    "expected as many."
                )
            names.append(all_labels[i][is_left])
    output = ready(kept, 2, np.dtype(np.float32), batched, boxes.layout, inner=(4,))
    if labels is None:
        return output
    spec = labels.spec
    return output, ready(names, spec.ndim, spec.dtype, batched, spec.layout)


def _check(boxes: Data, labels: Data | None, layout: str, mode: str, threshold: float) -> None:
    spec = boxes.spec
    if spec.dtype != np.float32 or spec.ndim != 2 or np.any(np.asarray(spec.shape[1]) != 4):
        raise at_call(
            OperatorError(
                f"{_WHAT}: boxes have {spec.ndim} axes of {spec.dtype.name}; expected float32 "
                "[n, 4]."
            )
        )
    if labels is not None and (labels.spec.dtype != np.int32 or not labels.spec.ndim):
        raise at_call(
            OperatorError(f"{_WHAT}: labels are {labels.spec.dtype.name}; expected int32 [n].")
        )
    for name, value, known in (("mode", mode, _MODES), ("bbox_layout", layout, _LAYOUTS)):
        if value not in known:
            raise OperatorError(f"{_WHAT}: {name}={value!r}; expected one of {', '.join(known)}.")
    if not 0 <= threshold < 1:
        raise OperatorError(f"{_WHAT}: remove_threshold={threshold}; expected 0 to less than 1.")


def _image_size(values: Sequence[Column], layout: str, found: str) -> tuple[Column, Column]:
    """Height and width; `found` is for messages."""
    places = [layout.find(letter) for letter in "HW"]
    if min(places) < 0 or max(places) >= len(values):
        raise OperatorError(f"{_WHAT}: {found}; expected a height and a width.")
    return values[places[0]], values[places[1]]


def _at(column: Column, i: int) -> float:
    return float(column if is_constant(column) else np.asarray(column)[i])


def _rotated(
    boxes: np.ndarray,
    degrees: float,
    image: tuple[float, float],
    canvas: tuple[float, float],
    mode: str,
    layout: str,
    normalized: bool,
    threshold: float,
) -> tuple[np.ndarray, np.ndarray]:
    """The boxes that are left, and which they were."""
    scale = np.array([*image, *image]) if normalized else np.ones(4)
    given = boxes.astype(np.float64) * scale
    low, high = given[:, :2], given[:, 2:]
    if layout == "xyWH":
        high = low + high
    radians = math.radians(degrees)
    cos, sin = math.cos(radians), math.sin(radians)
    # Displayed counter-clockwise while y points down.
    turn = np.array([[cos, sin], [-sin, cos]])
    half = (high - low) / 2
    centre = ((low + high) / 2 - np.array(image) / 2) @ turn.T + np.array(canvas) / 2
    around = np.abs(half) @ np.abs(turn).T
    kept = half[:, ::-1] if 45 < abs(degrees) % 180 < 135 else half
    reach = {"expand": around, "fixed": kept, "halfway": (around + kept) / 2}[mode]
    start, end = centre - reach, centre + reach
    first, last = (np.clip(p, 0, np.array(canvas)) for p in (start, end))
    area, left = (end - start).prod(axis=1), (last - first).prod(axis=1)
    is_left = (left > 0) & (left >= threshold * area)
    second = last - first if layout == "xyWH" else last
    scale = np.array([*canvas, *canvas]) if normalized else np.ones(4)
    moved = np.concatenate([first, second], axis=1) / scale
    return moved[is_left].astype(np.float32), is_left
