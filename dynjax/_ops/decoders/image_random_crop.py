"""A random window of pictures: `dynjax.decoders.image_random_crop`."""

from collections.abc import Sequence

import numpy as np

from ..._schema import DTypeLike, Output, PerSample, operator
from ..._types.columns import Column, array_module
from ..._types.data import Data
from ..._types.enums import DALIImageType
from .._lib.random_windows import random_window, window_rule
from .._lib.traced_headers import read_headers

_WHAT = "decoders.image_random_crop"


@operator(_WHAT, reads_data=True, takes_traced=True, random=True, chain="begins")
def image_random_crop(
    encoded: Data,
    /,
    *,
    adjust_orientation: bool = True,
    affine: bool = True,
    device_memory_padding: int = 16777216,
    device_memory_padding_jpeg2k: int = 0,
    dtype: DTypeLike = np.uint8,
    host_memory_padding: int = 8388608,
    host_memory_padding_jpeg2k: int = 0,
    hw_decoder_load: float = 0.65,
    hybrid_huffman_threshold: int = 1000000,
    jpeg_fancy_upsampling: bool = False,
    memory_stats: bool = False,
    num_attempts: int = 10,
    output_type: DALIImageType = DALIImageType.RGB,
    preallocate_height_hint: int = 0,
    preallocate_width_hint: int = 0,
    random_area: PerSample[list[float]] = (0.08, 1.0),
    random_aspect_ratio: PerSample[list[float]] = (3 / 4, 4 / 3),
    split_stages: bool = False,
    use_chunk_allocator: bool = False,
    use_fast_idct: bool = False,
    key: Sequence[Column],
) -> Output | Data:
    """Decodes a random window of pictures, drawn as by `random_crop_generator`.

    As with `decoders.image_crop`, what lies outside the window is decoded as little as the format
    allows, also inside `jit`. There it is decoded with the steps that follow, up to one whose
    result has a static size.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        num_attempts: how often a window that does not fit is drawn anew.
        random_area: smallest and largest share of the picture's area.
        random_aspect_ratio: smallest and largest width divided by height.
        adjust_orientation, dtype, output_type: as for `decoders.image`. The window is one of the
            upright picture.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.
        affine, device_memory_padding, hw_decoder_load and their like: hints of the original,
            without effect here.

    Returns:
        The window of each picture, layout `"HWC"`: the one that `random_crop_generator` gives for
        its size and the same key.

    Raises:
        OperatorError: as for `decoders.image`, and ranges that make no sense.

    Source: DALI `decoders.ImageRandomCrop`; Szegedy et al., "Going deeper with convolutions"
    (2015).

    Example:
        >>> import io
        >>> from PIL import Image
        >>> buffer = io.BytesIO()
        >>> Image.new("RGB", (30, 20), "red").save(buffer, "PNG")
        >>> encoded = np.frombuffer(buffer.getvalue(), np.uint8)
        >>> crop = dynjax.decoders.image_random_crop(encoded, random_area=[0.2, 0.5])
        >>> height, width, _ = crop.shape
        >>> 0.15 < height * width / 600 < 0.55
        True
    """
    del affine, device_memory_padding, device_memory_padding_jpeg2k, host_memory_padding
    del host_memory_padding_jpeg2k, hw_decoder_load, hybrid_huffman_threshold
    del jpeg_fancy_upsampling, memory_stats, preallocate_height_hint, preallocate_width_hint
    del split_stages, use_chunk_allocator, use_fast_idct
    rule = window_rule(_WHAT, random_area, random_aspect_ratio, num_attempts)
    first, second = key
    headers = read_headers(
        *(_WHAT, encoded, output_type, adjust_orientation, len(first)), *key, *rule.columns
    )
    xp = array_module(headers.height)
    window = random_window(xp, (first, second), headers.height, headers.width, rule)
    return headers.decoded(dtype, window)
