"""Decoding of pictures: `dynjax.decoders.image`."""

import numpy as np

from ..._schema import DTypeLike, Output, operator
from ..._types.data import Data
from ..._types.enums import DALIImageType
from .._lib.decoding import Headers


@operator("decoders.image", reads_data=True)
def image(
    encoded: Data,
    /,
    *,
    adjust_orientation: bool = True,
    affine: bool = True,
    cache_batch_copy: bool = True,
    cache_debug: bool = False,
    cache_size: int = 0,
    cache_threshold: int = 0,
    cache_type: str = "",
    device_memory_padding: int = 16777216,
    device_memory_padding_jpeg2k: int = 0,
    dtype: DTypeLike = np.uint8,
    host_memory_padding: int = 8388608,
    host_memory_padding_jpeg2k: int = 0,
    hw_decoder_load: float = 0.65,
    hybrid_huffman_threshold: int = 1000000,
    jpeg_fancy_upsampling: bool = True,
    memory_stats: bool = False,
    output_type: DALIImageType = DALIImageType.RGB,
    preallocate_height_hint: int = 0,
    preallocate_width_hint: int = 0,
    split_stages: bool = False,
    use_chunk_allocator: bool = False,
    use_fast_idct: bool = False,
) -> Output:
    """Decodes pictures: JPEG and PNG natively, other formats through Pillow.

    JPEG pixels equal libjpeg-turbo's with its default settings, bit for bit. Decoding runs on the
    host; with `device="gpu"` (or `"tpu"`) the result is placed there.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        adjust_orientation: turn the picture as its EXIF orientation says.
        dtype: uint8 (default), another integer type or float; values are scaled over the full
            range of the type, floats to [0, 1].
        output_type: `types.RGB` (default), `BGR`, `GRAY`, `YCbCr`, or `ANY_DATA` for the file's
            own channels. Alpha is dropped, not blended.
        affine, cache_batch_copy, cache_debug, cache_size, cache_threshold, cache_type: hints of
            the original, without effect here; so are all arguments that follow in the signature.

    Returns:
        `[height, width, channels]` for each file, layout `"HWC"`.

    Raises:
        OperatorError: data that are no picture, are damaged or cut short, or have more pixels
            than `dynjax.decoders.set_max_image_pixels` allows. Names the sample and its file.

    Source: DALI `decoders.Image`; pixels checked against libjpeg-turbo, Pillow and recordings.

    Example:
        >>> import io
        >>> from PIL import Image
        >>> buffer = io.BytesIO()
        >>> Image.new("RGB", (30, 20), "red").save(buffer, "PNG")
        >>> encoded = np.frombuffer(buffer.getvalue(), np.uint8)
        >>> dynjax.decoders.image(encoded).shape
        (20, 30, 3)
    """
    headers = Headers("decoders.image", encoded, output_type, adjust_orientation)
    return headers.decoded(dtype)
