"""Strength of colours: `dynjax.saturation`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.enums import DALIImageType
from .._types.spec import Spec
from ._lib.color_rotation import LAYOUTS, twisted


@operator("saturation", layouts=LAYOUTS, alone=True)
def saturation(
    image: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    image_type: DALIImageType = DALIImageType.RGB,
    saturation: PerFrame[float] = 1.0,
) -> Output:
    """Scales the saturation, as a linear map of RGB.

    The chroma of the YIQ space is scaled; see `hsv`.

    Args:
        image: RGB, channels last; uint8, int16, int32, float16 or float32.
        dtype: one of the input's types. Default: the input's.
        image_type: accepted for compatibility; without effect, as in the original.
        saturation: factor; 1 is neutral, 0 gives grey. May vary by sample or frame.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported, or not 3 channels.

    Source: DALI `Saturation`; definition checked against recordings.

    Example:
        >>> red = dynjax.tensor(np.uint8([[[200, 0, 0]]]), layout="HWC")
        >>> np.asarray(dynjax.saturation(red, saturation=0.0)).ravel()
        array([60, 60, 60], dtype=uint8)
    """
    del image_type
    return twisted("saturation", image, saturation=saturation, dtype=dtype)
