"""A window of pictures, without decoding the rest: `dynjax.decoders.image_crop`."""

import numpy as np

from ..._schema import DTypeLike, Output, PerSample, operator
from ..._types.data import Data
from ..._types.enums import DALIImageType
from .._lib import windows
from .._lib.host_samples import batching
from .._lib.traced_headers import in_double_precision, read_headers


@operator("decoders.image_crop", reads_data=True, takes_traced=True, chain="begins")
def image_crop(
    encoded: Data,
    /,
    *,
    adjust_orientation: bool = True,
    affine: bool = True,
    crop: PerSample[list[float]] | None = None,
    crop_d: PerSample[float] | None = None,
    crop_h: PerSample[float] | None = None,
    crop_pos_x: PerSample[float] = 0.5,
    crop_pos_y: PerSample[float] = 0.5,
    crop_pos_z: PerSample[float] = 0.5,
    crop_w: PerSample[float] | None = None,
    device_memory_padding: int = 16777216,
    device_memory_padding_jpeg2k: int = 0,
    dtype: DTypeLike = np.uint8,
    host_memory_padding: int = 8388608,
    host_memory_padding_jpeg2k: int = 0,
    hw_decoder_load: float = 0.65,
    hybrid_huffman_threshold: int = 1000000,
    jpeg_fancy_upsampling: bool = False,
    memory_stats: bool = False,
    output_type: DALIImageType = DALIImageType.RGB,
    preallocate_height_hint: int = 0,
    preallocate_width_hint: int = 0,
    rounding: str = "round",
    split_stages: bool = False,
    use_chunk_allocator: bool = False,
    use_fast_idct: bool = False,
) -> Output | Data:
    """Decodes a window of pictures: `crop(decoders.image(x))`, pixel by pixel.

    Of a JPEG only the blocks in and around the window are transformed, and nothing after its last
    row is read; of other formats the whole is decoded, of PNG up to that row.

    Inside `jit`, on the CPU, what has a native decoder is decoded. A constant `crop` gives the
    result its size; other windows are decoded by one native call with the steps that follow, as
    those of `decoders.image` are. A window that does not fit fails the program there.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        crop: height and width of the window in pixels. Default: the whole picture.
        crop_h, crop_w: the same by name, alternatively. `crop_d` and `crop_pos_z` are for volumes,
            which pictures are not.
        crop_pos_x, crop_pos_y: place of the window, 0 (start) to 1 (end). Default: 0.5.
        rounding: of its first row and column: `"round"` or `"truncate"`.
        adjust_orientation, dtype, output_type: as for `decoders.image`. The window is one of the
            upright picture.
        affine, device_memory_padding, hw_decoder_load and their like: hints of the original,
            without effect here.

    Returns:
        The window of each picture, layout `"HWC"`.

    Raises:
        OperatorError: as for `decoders.image`, and a window that does not fit. Damage behind the
            window's last row may go unnoticed.

    Source: DALI `decoders.ImageCrop`.

    Example:
        >>> import io
        >>> from PIL import Image
        >>> buffer = io.BytesIO()
        >>> Image.new("RGB", (30, 20), "red").save(buffer, "PNG")
        >>> encoded = np.frombuffer(buffer.getvalue(), np.uint8)
        >>> dynjax.decoders.image_crop(encoded, crop=[5, 6]).shape
        (5, 6, 3)
    """
    del affine, device_memory_padding, device_memory_padding_jpeg2k, host_memory_padding
    del host_memory_padding_jpeg2k, hw_decoder_load, hybrid_huffman_threshold
    del jpeg_fancy_upsampling, memory_stats, preallocate_height_hint, preallocate_width_hint
    del split_stages, use_chunk_allocator, use_fast_idct
    del crop_pos_z
    what = "decoders.image_crop"
    sizes = windows.crop_sizes(what, "HW", crop, crop_d, crop_h, crop_w)
    positions = (crop_pos_y, crop_pos_x)
    given = [s for s in sizes if s is not None]
    count, _ = batching([encoded.spec], *positions, *given)
    headers = read_headers(
        *(what, encoded, output_type, adjust_orientation, count), *positions, *given
    )
    with in_double_precision(headers):
        (y, x), (height, width) = windows.place(
            *(what, (headers.height, headers.width), sizes, positions),
            rounding=rounding,
            policy="error",
        )
    return headers.decoded(dtype, (y, x, height, width))
