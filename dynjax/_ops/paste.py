"""An image on a larger canvas: `dynjax.paste`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .._schema import Output, PerSample, operator
from .._types.columns import (
    Column,
    any_of,
    as_integer,
    first_of,
    is_constant,
    is_traced,
    maximum,
    trunc,
    value_at,
)
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.bounds import window_bound
from ._lib.gather_window import window


@operator("paste", layouts=("HWC",))
def paste(
    image: Spec,
    /,
    *,
    fill_value: list[int],
    min_canvas_size: PerSample[float] = 0.0,
    n_channels: int = 3,
    paste_x: PerSample[float] = 0.5,
    paste_y: PerSample[float] = 0.5,
    ratio: PerSample[float],
) -> Output:
    """Pastes an image onto a larger canvas of one colour.

        canvas = max(trunc(ratio * size), trunc(min_canvas_size))
        anchor = trunc(paste * (canvas - size))

    Args:
        image: uint8, layout HWC.
        fill_value: the canvas's colour: one value, or one for each channel; 0 to 255.
        min_canvas_size: least height and width of the canvas, in pixels. Default: 0.
        n_channels: without effect: the image has its own number; accepted for old programs.
        paste_x, paste_y: place of the image, 0 (left, top) to 1 (right, bottom). Default: 0.5.
        ratio: size of the canvas divided by that of the image, at least 1.

    Returns:
        The canvas, uint8, layout HWC.

    Raises:
        OperatorError: data that are not uint8, a ratio below 1, a place outside [0, 1], a wrong
            number of fill values.

    Source: DALI `Paste`; definition checked against recordings.

    Example:
        >>> image = dynjax.tensor(np.full((1, 1, 1), 7, np.uint8), layout="HWC")
        >>> np.asarray(dynjax.paste(image, ratio=3.0, fill_value=[1]))[:, :, 0]
        array([[1, 1, 1],
               [1, 7, 1],
               [1, 1, 1]], dtype=uint8)
    """
    del n_channels
    if image.dtype != np.uint8:
        raise OperatorError(
            f"paste: the image is {image.dtype.name}; expected uint8. Use dynjax.cast before."
        )
    if any_of(ratio < 1):
        i = first_of(ratio < 1)
        raise OperatorError(f"paste: ratio={value_at(ratio, i)}; expected 1 or more.")
    fill = _fill(image, fill_value)
    anchors: list[Column] = []
    sizes: list[Column] = []
    for size, place, name in (
        (image.shape[0], paste_y, "paste_y"),
        (image.shape[1], paste_x, "paste_x"),
    ):
        outside = (place < 0) | (place > 1) if not is_constant(place) else not 0 <= place <= 1
        if any_of(outside):
            i = first_of(outside)
            raise OperatorError(f"paste: {name}={value_at(place, i)}; expected 0 to 1.")
        canvas = maximum(
            maximum(as_integer(trunc(_single(ratio, size))), as_integer(trunc(min_canvas_size))),
            size,
        )
        anchors.append(-as_integer(trunc(_single(place, canvas - size))))
        sizes.append(canvas)
    return window(
        image,
        (0, 1),
        anchors,
        sizes,
        what="paste",
        fill=fill,
        fill_axis=2 if len(fill) > 1 else -1,
        bound=window_bound(3, (0, 1), "pad", _largest(ratio, min_canvas_size)),
    )


def _largest(ratio: Column, least: Column) -> Callable[[int, int], int | None]:
    """The largest canvas of images up to a size, where that is known inside `jit`."""

    def size_of(_: int, slot: int) -> int | None:
        factor, smallest = _top(ratio), _top(least)
        if factor is None or smallest is None:
            return None
        return max(int(np.float32(factor) * np.float32(slot)), int(smallest), slot)

    return size_of


def _top(column: Column) -> float | None:
    if is_traced(column):
        return None
    return float(column if is_constant(column) else np.max(column, initial=0.0))


def _single(factor: Column, size: Column) -> Any:
    """The product in single precision, which decides what is truncated."""
    if is_constant(factor) and is_constant(size):
        return float(np.float32(factor) * np.float32(size))
    if is_traced(factor, size):
        return factor * size
    return np.asarray(factor, np.float32) * np.asarray(size, np.float32)


def _fill(image: Spec, values: Any) -> tuple[float, ...]:
    channels = image.shape[2]
    if len(values) == 1:
        return (float(values[0]),)
    if any_of(channels != len(values)):
        i = first_of(channels != len(values))
        raise OperatorError(
            f"paste: fill_value has {len(values)} values; expected 1 or "
            f"{value_at(channels, i)}, the number of channels."
        )
    return tuple(map(float, values))
