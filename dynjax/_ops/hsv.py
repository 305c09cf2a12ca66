"""Hue, saturation and value: `dynjax.hsv`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.spec import Spec
from ._lib.color_rotation import LAYOUTS, twisted


@operator("hsv", layouts=LAYOUTS, alone=True)
def hsv(
    image: Spec,
    /,
    *,
    dtype: DTypeLike | None = "uint8",
    hue: PerFrame[float] = 0.0,
    saturation: PerFrame[float] = 1.0,
    value: PerFrame[float] = 1.0,
) -> Output:
    """Turns the hue and scales saturation and value, as a linear map of RGB.

        out = value * inv(Q) @ H @ S @ Q @ x

    `Q` maps RGB to luma and two chroma axes (YIQ), `S` scales the chroma by `saturation` and `H`
    turns it by `hue`.

    Args:
        image: RGB, channels last; uint8, int16, int32, float16 or float32.
        dtype: of the result, rounded to nearest and clamped: one of the input's types. uint8 unless
            told otherwise, whatever the input is.
        hue: in degrees; 0 is neutral. May vary by sample or frame, as the next two.
        saturation: factor; 1 is neutral, 0 gives grey.
        value: factor; 1 is neutral.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported, or not 3 channels.

    Source: DALI `Hsv`; definition checked against recordings.

    Example:
        >>> red = dynjax.tensor(np.uint8([[[200, 0, 0]]]), layout="HWC")
        >>> np.asarray(dynjax.hsv(red, saturation=0.0)).ravel()
        array([60, 60, 60], dtype=uint8)
    """
    return twisted(
        "hsv", image, hue=hue, saturation=saturation, brightness=value, dtype=dtype or "uint8"
    )
