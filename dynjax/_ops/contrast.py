"""Scaling of intensities about a centre: `dynjax.contrast`."""

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.spec import Spec
from ._lib.intensity import LAYOUTS, scaled_intensity


@operator("contrast", layouts=LAYOUTS, alone=True)
def contrast(
    image: Spec,
    /,
    *,
    contrast: PerFrame[float] = 1.0,
    contrast_center: PerFrame[float] | None = None,
    dtype: DTypeLike | None = None,
) -> Output:
    """Scales the distance of intensities from a centre.

        out = center + contrast * (x - center)

    Integers are rounded to nearest and clamped.

    Args:
        image: uint8, int16, int32 or float32.
        contrast: factor; 1 is neutral, 0 gives a flat image. May vary by sample or frame.
        contrast_center: intensity that stays, in units of the input. Default: half the input's
            range: 128 for uint8, 0.5 for floats. May vary by sample or frame.
        dtype: one of the input's types. Default: the input's.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a type that is not supported.

    Source: DALI `Contrast`; definition checked against recordings.

    Example:
        >>> grey = dynjax.tensor(np.full((1, 2, 3), 100, np.uint8), layout="HWC")
        >>> np.asarray(dynjax.contrast(grey, contrast=0.5))[0, 0]
        array([114, 114, 114], dtype=uint8)
    """
    return scaled_intensity(
        "contrast", image, contrast=contrast, contrast_center=contrast_center, dtype=dtype
    )
