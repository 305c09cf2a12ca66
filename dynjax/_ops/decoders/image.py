"""Decoding of pictures: `dynjax.decoders.image`."""

from collections.abc import Sequence

import numpy as np

from ..._schema import DTypeLike, Output, operator
from ..._types.data import Data
from ..._types.enums import DALIImageType
from ..._types.errors import ArgumentError
from .._lib.decoding import FULL_SCALE, Headers, channels_of, pixel_dtype
from .._lib.tolerant_decoding import OnError, Tolerance, tolerantly_decoded
from .._lib.traced_decoding import decode_traced

_WHAT = "decoders.image"


@operator(_WHAT, reads_data=True, takes_traced=True, chain="begins")
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
    scale: float = 1.0,
    bound: list[int] | None = None,
    on_error: OnError = "raise",
    fill_shape: list[int] | None = None,
    fill_value: float = 0,
) -> Output | Data:
    """Decodes pictures: JPEG, PNG, TIFF and WebP natively, others through Pillow.

    JPEG pixels equal libjpeg-turbo's with its default settings, bit for bit. Decoding runs on the
    host; with `device="gpu"` (or `"tpu"`) the result is placed there.

    Inside `jit`, on the CPU, what has a native decoder is decoded, by one native call with the
    steps that follow: crops, resizes, flips, rotations and `crop_mirror_normalize`, up to one whose
    result has a static size. With `bound=` any operator may follow. A file that cannot be decoded
    fails the program, unless `on_error="fill"`, which needs a bound there. Unusual TIFF files are
    left to Pillow, and from the wheel all of them are.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        adjust_orientation: turn the picture as its EXIF orientation says.
        dtype: uint8 (default), another integer type or float; values are scaled over the full
            range of the type, floats to [0, 1].
        output_type: `types.RGB` (default), `BGR`, `GRAY`, `YCbCr`, or `ANY_DATA` for the file's
            own channels. Alpha is dropped, not blended.
        scale: size of decoded JPEG pictures, in eighths of their own: 1/8, 2/8, ... 1. The pixels
            are transformed to that size and are close to, not the same as, those of a resized
            picture: `ceil(size * scale)` rows and columns. What follows has fewer pixels to read;
            decoding itself saves the transform, not the reading of the file's codes, which is the
            larger part. Other formats, which cannot be scaled so, keep their size.
        bound: height and width that no picture goes beyond, and the size of the slots inside
            `jit`. A larger picture counts as one that cannot be decoded.
        on_error: what to do about a file that cannot be decoded. `"raise"`; `"fill"`: a picture of
            `fill_value` takes its place, and `Batch.valid` is False there; `"skip"`: it is left
            out, see `drop_invalid` for what belongs to the pictures. `decoders.bad_samples` lists
            path, sample and reason; files of a reader are in its `skipped`, and one warning at the
            end of the epoch tells how many. Without a reader the call warns. The call waits until
            the pictures are decoded.
        fill_shape: of that picture: height and width, and if need be channels. Default: one pixel,
            for a resize that follows.
        fill_value: of its pixels, in the result's type.
        affine, cache_batch_copy, cache_debug, cache_size, cache_threshold, cache_type: hints of
            the original, without effect here; so are those that follow them in the signature.

    Returns:
        `[height, width, channels]` for each file, layout `"HWC"`.

    Raises:
        OperatorError: data that are no picture, are damaged or cut short, or have more pixels
            than `dynjax.decoders.set_max_image_pixels` allows. Names the sample and its file.
        ArgumentError: `scale`, `bound`, `on_error` or what to fill with is none of the above;
            `on_error="skip"` for a single sample or inside `jit`, whose results have a fixed size.

    Source: DALI `decoders.Image`; pixels checked against libjpeg-turbo, Pillow and recordings.

    Example:
        >>> import io
        >>> from PIL import Image
        >>> buffer = io.BytesIO()
        >>> Image.new("RGB", (30, 20), "red").save(buffer, "PNG")
        >>> encoded = np.frombuffer(buffer.getvalue(), np.uint8)
        >>> dynjax.decoders.image(encoded).shape
        (20, 30, 3)
        >>> import warnings
        >>> bad = np.frombuffer(b"not a picture", np.uint8)
        >>> with warnings.catch_warnings(action="ignore"):
        ...     images = dynjax.decoders.image(dynjax.batch([encoded, bad]), on_error="skip")
        >>> images.shape, dynjax.decoders.bad_samples(images)[0].reason
        ([(20, 30, 3)], 'the format was not recognised')
    """
    eighths = _eighths(scale)
    largest = _bound(bound)
    channels = channels_of(output_type)
    out_dtype = pixel_dtype(_WHAT, dtype)
    tolerance = Tolerance.of(_WHAT, on_error, fill_shape, fill_value, channels, out_dtype)
    traced = encoded.storage.is_traced()
    if tolerance is not None and tolerance.skip and (traced or not encoded.spec.batched):
        where = "inside jit" if traced else "of a single sample"
        raise ArgumentError(
            f"{_WHAT}: on_error='skip' would change the number of results, which {where} is fixed. "
            "Use 'fill'."
        )
    if traced:
        fill = None if tolerance is None else (tolerance.shape, tolerance.value)
        return decode_traced(
            *(_WHAT, encoded, out_dtype, output_type, largest, adjust_orientation, eighths, fill)
        )
    headers = Headers(
        *(_WHAT, encoded, output_type, adjust_orientation),
        scale=eighths,
        bound=largest,
        tolerant=tolerance is not None,
    )
    if tolerance is None:
        return headers.decoded(dtype)
    return tolerantly_decoded(_WHAT, headers, encoded, out_dtype, tolerance)


def _eighths(scale: float) -> int:
    eighths = scale * FULL_SCALE
    if eighths != int(eighths) or not 1 <= eighths <= FULL_SCALE:
        raise ArgumentError(
            f"{_WHAT}: scale={scale}; expected a number of eighths from 1/8 to 1, such as 0.5."
        )
    return int(eighths)


def _bound(bound: Sequence[int] | None) -> tuple[int, int] | None:
    if bound is None:
        return None
    sizes = tuple(bound)
    if len(sizes) != 2 or not all(isinstance(n, int) and n > 0 for n in sizes):
        raise ArgumentError(f"{_WHAT}: bound={bound!r}; expected a height and a width in pixels.")
    return sizes[0], sizes[1]
