"""Artefacts of JPEG: `dynjax.jpeg_compression_distortion`."""

import numpy as np

from .._schema import Apply, Output, PerSample, Table, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.channels import channel_count
from ._lib.element_types import check_input_type
from ._lib.jpeg_distortion import jpeg_distortion


@operator("jpeg_compression_distortion", layouts=("HWC", "FHWC"))
def jpeg_compression_distortion(image: Spec, /, *, quality: PerSample[int] = 50) -> Output:
    """Gives images the artefacts of JPEG compression.

    The result equals that of encoding with libjpeg (chroma at half the resolution, the standard
    tables scaled by `quality`) and decoding again, byte for byte; nothing is encoded in fact.

    Args:
        image: RGB, uint8.
        quality: 1 (worst) to 100; values outside are clamped. May vary by sample.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: another type than uint8, or not 3 channels.

    Source: DALI `JpegCompressionDistortion`; ITU-T T.81; checked against libjpeg-turbo.

    Example:
        >>> grey = dynjax.tensor(np.full((8, 8, 3), 100, np.uint8), layout="HWC")
        >>> np.asarray(dynjax.jpeg_compression_distortion(grey, quality=90))[0, 0]
        array([100, 100, 100], dtype=uint8)
    """
    check_input_type("jpeg_compression_distortion", image.dtype, ("uint8",))
    channels = channel_count("jpeg_compression_distortion", image)
    if channels != 3 and image.count:
        raise OperatorError(
            f"jpeg_compression_distortion: the input has {channels} channels; expected 3 (RGB)."
        )
    return Apply(
        jpeg_distortion,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.int32, [quality]),),
    )
