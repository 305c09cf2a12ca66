"""Contrast-limited adaptive histogram equalisation: `dynjax.clahe`."""

import numpy as np

from .._schema import Apply, Output, Table, operator
from .._types.errors import ArgumentError, OperatorError
from .._types.spec import Spec
from ._lib.channels import channel_count
from ._lib.local_equalization import local_equalization


@operator("clahe", layouts=("HWC",))
def clahe(
    image: Spec,
    /,
    *,
    bins: int = 256,
    clip_limit: float,
    luma_only: bool = True,
    tiles_x: int,
    tiles_y: int,
) -> Output:
    """Equalises the histogram of each tile, with limited slope, and blends between the tiles.

    A tile's table is `rint(255 * cdf(v) / pixels)` of its histogram, of which no value counts for
    more than `clip_limit * pixels / 256`; what exceeds that is spread over all values. A pixel
    takes the tables of the four nearest tiles, blended bilinearly. Images whose sides are no
    multiples of the tiles are mirrored beyond the border.

    Args:
        image: uint8 with 1 or 3 channels (RGB).
        bins: accepted for compatibility: tables have 256 values.
        clip_limit: limit of the slope, in units of an even histogram; 0 or less is no limit.
        luma_only: with 3 channels, equalise the lightness of L*a*b* instead of each channel.
        tiles_x, tiles_y: number of tiles across and down.

    Returns:
        Shape and layout of the input.

    Raises:
        ArgumentError: another type or number of channels.
        OperatorError: no tiles.

    Source: DALI `Clahe`; K. Zuiderveld, "Contrast limited adaptive histogram equalization",
    Graphics Gems IV, 1994. Checked against recordings.

    Example:
        >>> ramp = dynjax.tensor(np.arange(64, dtype=np.uint8).reshape(8, 8, 1), layout="HWC")
        >>> out = np.asarray(dynjax.clahe(ramp, tiles_x=1, tiles_y=1, clip_limit=0.0))
        >>> out.min(), out.max()
        (np.uint8(4), np.uint8(255))
    """
    del bins
    if image.dtype != "uint8":
        raise ArgumentError(f"clahe: the input is {image.dtype.name}; expected uint8.")
    channels = channel_count("clahe", image)
    if channels not in (1, 3) and image.count:
        raise ArgumentError(f"clahe: the input has {channels} channels; expected 1 or 3.")
    if tiles_x < 1 or tiles_y < 1:
        raise OperatorError(
            f"clahe: tiles_x={tiles_x}, tiles_y={tiles_y}; expected at least 1 of each."
        )
    return Apply(
        local_equalization,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.float32, [float(clip_limit)]),),
        static={"tiles_x": tiles_x, "tiles_y": tiles_y, "luma_only": bool(luma_only)},
    )
