"""Hue, saturation, brightness and contrast: `dynjax.color_twist`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.enums import DALIImageType
from .._types.spec import Spec
from ._lib.color_rotation import LAYOUTS, twisted


@operator("color_twist", layouts=LAYOUTS, alone=True)
def color_twist(
    image: Spec,
    /,
    *,
    brightness: PerFrame[float] = 1.0,
    contrast: PerFrame[float] = 1.0,
    dtype: DTypeLike | None = None,
    hue: PerFrame[float] = 0.0,
    image_type: DALIImageType = DALIImageType.RGB,
    saturation: PerFrame[float] = 1.0,
) -> Output:
    """Adjusts hue, saturation, contrast and brightness in one linear map of RGB.

        out = brightness * (half + contrast * (A @ x - half))

    `A` is the map of `hsv` for `hue` and `saturation`; `half` is 128 for integer inputs and 0.5 for
    floats.

    Args:
        image: RGB, channels last; uint8, int16, int32, float16 or float32.
        brightness: gain; 1 is neutral. May vary by sample or frame, as the other factors.
        contrast: factor about `half`; 1 is neutral.
        dtype: one of the input's types. Default: the input's.
        hue: in degrees; 0 is neutral.
        image_type: accepted for compatibility; without effect, as in the original.
        saturation: factor; 1 is neutral, 0 gives grey.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported, or not 3 channels.

    Source: DALI `ColorTwist`; definition checked against recordings.

    Example:
        >>> red = dynjax.tensor(np.uint8([[[200, 0, 0]]]), layout="HWC")
        >>> np.asarray(dynjax.color_twist(red, saturation=0.0, brightness=2.0)).ravel()
        array([120, 120, 120], dtype=uint8)
    """
    del image_type
    return twisted(
        "color_twist",
        image,
        hue=hue,
        saturation=saturation,
        brightness=brightness,
        contrast=contrast,
        dtype=dtype,
    )
