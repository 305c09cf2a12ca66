"""Brightness and contrast in one pass: `dynjax.brightness_contrast`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.spec import Spec
from ._lib.intensity import LAYOUTS, scaled_intensity


@operator("brightness_contrast", layouts=LAYOUTS, alone=True)
def brightness_contrast(
    image: Spec,
    /,
    *,
    brightness: PerFrame[float] = 1.0,
    brightness_shift: PerFrame[float] = 0.0,
    contrast: PerFrame[float] = 1.0,
    contrast_center: PerFrame[float] | None = None,
    dtype: DTypeLike | None = None,
) -> Output:
    """Scales intensities about a centre, then scales and shifts them.

        out = brightness_shift * range + brightness * (center + contrast * (x - center))

    `range` is the largest value of the output's type; 1 for floats. Integers are rounded to nearest
    and clamped. The arithmetic is one multiplication and one addition in float32.

    Args:
        image: uint8, int16, int32 or float32.
        brightness: gain; 1 is neutral. May vary by sample or frame, as the next three.
        brightness_shift: in units of `range`; 0 is neutral.
        contrast: factor about the centre; 1 is neutral.
        contrast_center: in units of the input. Default: half the input's range: 128 for uint8,
            16384 for int16, 0.5 for floats.
        dtype: one of the input's types. Default: the input's.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported.

    Source: DALI `BrightnessContrast`; definition checked against recordings.

    Example:
        >>> grey = dynjax.tensor(np.full((1, 2, 3), 100, np.uint8), layout="HWC")
        >>> np.asarray(dynjax.brightness_contrast(grey, brightness=2.0, contrast=0.5))[0, 0]
        array([228, 228, 228], dtype=uint8)
    """
    return scaled_intensity(
        "brightness_contrast",
        image,
        brightness=brightness,
        brightness_shift=brightness_shift,
        contrast=contrast,
        contrast_center=contrast_center,
        dtype=dtype,
    )
