"""Gain and shift of intensities: `dynjax.brightness`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.spec import Spec
from ._lib.intensity import LAYOUTS, scaled_intensity


@operator("brightness", layouts=LAYOUTS, alone=True)
def brightness(
    image: Spec,
    /,
    *,
    brightness: PerFrame[float] = 1.0,
    brightness_shift: PerFrame[float] = 0.0,
    dtype: DTypeLike | None = None,
) -> Output:
    """Scales and shifts intensities.

        out = brightness_shift * range + brightness * x

    `range` is the largest value of the output's type; 1 for floats. Integers are rounded to nearest
    and clamped.

    Args:
        image: uint8, int16, int32 or float32.
        brightness: gain; 1 is neutral. May vary by sample or frame.
        brightness_shift: in units of `range`; 0 is neutral. May vary by sample or frame.
        dtype: one of the input's types. Default: the input's.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported.

    Source: DALI `Brightness`; definition checked against recordings.

    Example:
        >>> grey = dynjax.tensor(np.full((1, 2, 3), 100, np.uint8), layout="HWC")
        >>> np.asarray(dynjax.brightness(grey, brightness=1.5))[0, 0]
        array([150, 150, 150], dtype=uint8)
    """
    return scaled_intensity(
        "brightness", image, brightness=brightness, brightness_shift=brightness_shift, dtype=dtype
    )
