"""Rotation of colours: `dynjax.hue`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.enums import DALIImageType
from .._types.spec import Spec
from ._lib.color_rotation import LAYOUTS, twisted


@operator("hue", layouts=LAYOUTS, alone=True)
def hue(
    image: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    hue: PerFrame[float] = 0.0,
    image_type: DALIImageType = DALIImageType.RGB,
) -> Output:
    """Turns the hue, as a linear map of RGB.

    The chroma of the YIQ space is turned by `hue`; see `hsv`.

    Args:
        image: RGB, channels last; uint8, int16, int32, float16 or float32.
        dtype: one of the input's types. Default: the input's.
        hue: in degrees; 0 is neutral. May vary by sample or frame.
        image_type: accepted for compatibility; without effect, as in the original.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported, or not 3 channels.

    Source: DALI `Hue`; definition checked against recordings.

    Example:
        >>> grey = dynjax.tensor(np.uint8([[[90, 90, 90]]]), layout="HWC")
        >>> np.asarray(dynjax.hue(grey, hue=120.0)).ravel()
        array([90, 90, 90], dtype=uint8)
    """
    del image_type
    return twisted("hue", image, hue=hue, dtype=dtype)
