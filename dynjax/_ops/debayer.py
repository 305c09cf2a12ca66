"""Colour images from a sensor's mosaic: `dynjax.debayer`."""

from typing import Any

import numpy as np

from .._schema import Apply, Output, PerFrame, Table, operator
from .._types.columns import any_of, first_of, value_at
from .._types.errors import OperatorError
from .._types.frames import as_frames, frame_count
from .._types.spec import Spec
from ._lib.channels import channel_count
from ._lib.element_types import check_input_type
from ._lib.mosaic import METHODS, mosaic, mosaic_gradients

_ALGORITHMS = {
    "default": "bilinear",
    "bilinear_ocv": "bilinear",
    "bilinear_npp": "bilinear",
    "default_npp": "bilinear",
    "edgeaware_ocv": "edge_aware",
    "vng_ocv": "gradients",
    "gray_ocv": "grey",
}


@operator("debayer", layouts=("HW", "HWC", "FHW", "FHWC"))
def debayer(
    image: Spec, /, *, algorithm: str = "default", blue_position: PerFrame[list[int]]
) -> Output:
    """Interpolates a Bayer mosaic.

    - Bilinear: each colour of a pixel is the mean of the two or four nearest pixels that have it,
      halves rounded up.
    - Edge-aware: green, where there is none, is the mean along the direction in which it changes
      less: up and down if left and right differ more, else left and right. The rest is bilinear.
    - Variable number of gradients: of eight directions, those that change little, by a threshold
      `min + max / 2` on their gradients, give the mean difference between two colours. A mosaic
      with a side below 8 is interpolated bilinearly.
    - Grey: `0.299 first + 0.587 green + 0.114 last` of bilinear colours, rounded once.

    The outermost rows and columns repeat those beside them; gradients see the mosaic mirrored.

    Args:
        image: uint8 or uint16 with one value for each pixel; even height and width.
        algorithm: `"bilinear_ocv"` (the default; also `"bilinear_npp"`, `"default_npp"`),
            `"edgeaware_ocv"`, `"vng_ocv"` (uint8 only) or `"gray_ocv"`.
        blue_position: row and column, 0 or 1, within each 2x2 tile, of the colour that becomes the
            first channel; the last one lies diagonally opposite. OpenCV names the tile behind the
            first row and column instead: BG is `[0, 0]`, GB `[0, 1]`, GR `[1, 0]` and RG `[1, 1]`.
            May vary by sample or frame.

    Returns:
        Layout HWC or FHWC, of three channels, or of one with `"gray_ocv"`.

    Raises:
        OperatorError: odd sizes, more than one channel, another type, algorithm or position.

    Source: DALI `Debayer`; definition checked against recordings. Chang, Cheung, Pang, "Color
    filter array recovery using a threshold-based variable number of gradients" (1999).

    Example:
        >>> flat = dynjax.tensor(np.full((4, 4), 7, np.uint8), layout="HW")
        >>> np.asarray(dynjax.debayer(flat, blue_position=[0, 0]))[0, 0]
        array([7, 7, 7], dtype=uint8)
    """
    assert image.layout is not None
    check_input_type("debayer", image.dtype, ("uint8", "uint16"))
    if algorithm not in _ALGORITHMS:
        raise OperatorError(
            f"debayer: algorithm={algorithm!r}; expected one of {', '.join(_ALGORITHMS)}."
        )
    method = _ALGORITHMS[algorithm]
    if method == "gradients" and image.dtype != np.uint8:
        raise OperatorError(
            f"debayer: algorithm={algorithm!r} of {image.dtype.name}; expected uint8. Other "
            "algorithms take uint16."
        )
    shape = image.shape
    if image.layout.endswith("C"):
        channels = channel_count("debayer", image)
        if channels != 1 and image.count:
            raise OperatorError(f"debayer: the input has {channels} channels; expected 1.")
        shape = shape[:-1]
    for name, extent in zip(("height", "width"), shape[-2:], strict=True):
        if any_of(extent % 2 != 0):
            i = first_of(extent % 2 != 0)
            raise OperatorError(
                f"debayer: sample {i}: {name} is {value_at(extent, i)}; expected an even number."
            )
    positions = as_frames(blue_position)
    columns: list[Any] = []
    for frame in range(frame_count("debayer", image, blue_position=positions)):
        _check_position(positions[frame])
        columns += positions[frame]
    return Apply(
        mosaic_gradients if method == "gradients" else mosaic,
        (*shape, 1 if method == "grey" else 3),
        image.dtype,
        image.layout if image.layout.endswith("C") else image.layout + "C",
        tables=(Table(np.int32, columns),),
        static={"first_axis": len(shape) - 2, "method": METHODS.index(method)},
    )


def _check_position(position: Any) -> None:
    if len(position) != 2:
        raise OperatorError(
            f"debayer: blue_position has {len(position)} values; expected row and column."
        )
    for coordinate in position:
        wrong = (coordinate < 0) | (coordinate > 1)
        if any_of(wrong):
            raise OperatorError(
                f"debayer: blue_position has {value_at(coordinate, first_of(wrong))}; expected 0 "
                "or 1."
            )
