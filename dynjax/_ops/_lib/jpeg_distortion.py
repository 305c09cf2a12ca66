"""The kernel of `jpeg_compression_distortion`: one sample in JAX; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Kernel
from .jpeg_transform import coded, quantisers


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    del out_extent, out_shape
    quality = tables[0][0]
    image = inputs[0]
    height, width = extents[0][-3], extents[0][-2]
    if image.ndim == 4:
        frames = jax.vmap(lambda frame: _distorted(frame, height, width, quality))(image)
        return frames.astype(dtype)
    return _distorted(image, height, width, quality).astype(dtype)


def _distorted(image: Any, height: Any, width: Any, quality: Any) -> Any:
    rows, columns = (-(-n // 16) * 16 for n in image.shape[:2])
    # Blocks at the right and bottom repeat the last column and row.
    y = jnp.minimum(jnp.arange(rows), jnp.maximum(height - 1, 0))
    x = jnp.minimum(jnp.arange(columns), jnp.maximum(width - 1, 0))
    pixels = jnp.take(jnp.take(image, y, axis=0), x, axis=1).astype(jnp.int32)
    r, g, b = (pixels[..., c] for c in range(3))
    half = 1 << 15
    luma = (19595 * r + 38470 * g + 7471 * b + half) >> 16
    offset = (128 << 16) + half - 1
    blue = (-11059 * r - 21709 * g + 32768 * b + offset) >> 16
    red = (32768 * r - 27439 * g - 5329 * b + offset) >> 16
    steps = quantisers(quality, chroma=True)
    half_height, half_width = (height + 1) // 2, (width + 1) // 2
    luma = coded(luma, quantisers(quality, chroma=False))
    chroma = [
        _upsampled(coded(_halved(c, half_height), steps), half_height, half_width)
        for c in (blue, red)
    ]
    return _to_rgb(luma, *chroma)[: image.shape[0], : image.shape[1]]


def _halved(plane: Any, height: Any) -> Any:
    """Means of 2x2 pixels; halves are rounded down and up in turn along a row."""
    total = plane[0::2, 0::2] + plane[0::2, 1::2] + plane[1::2, 0::2] + plane[1::2, 1::2]
    halved = (total + 1 + jnp.arange(total.shape[1]) % 2) >> 2
    # The last row of chroma is repeated, not the last row of pixels.
    padded = jnp.pad(halved, ((0, -halved.shape[0] % 8), (0, -halved.shape[1] % 8)), mode="edge")
    index = jnp.minimum(jnp.arange(padded.shape[0]), jnp.maximum(height - 1, 0))
    return jnp.take(padded, index, axis=0)


def _upsampled(plane: Any, height: Any, width: Any) -> Any:
    """Twice the size, each pixel 9/16, 3/16, 3/16 and 1/16 of its neighbours."""
    rows, columns = plane.shape
    y, x = jnp.arange(rows), jnp.arange(columns)
    bottom, right = jnp.maximum(height - 1, 0), jnp.maximum(width - 1, 0)
    above = jnp.take(plane, jnp.clip(y - 1, 0, bottom), axis=0)
    below = jnp.take(plane, jnp.clip(y + 1, 0, bottom), axis=0)
    result = jnp.stack([3 * plane + above, 3 * plane + below], axis=1).reshape(2 * rows, columns)
    before = jnp.take(result, jnp.clip(x - 1, 0, right), axis=1)
    after = jnp.take(result, jnp.clip(x + 1, 0, right), axis=1)
    smooth = jnp.stack([(3 * result + before + 8) >> 4, (3 * result + after + 7) >> 4], axis=2)
    # Narrow images are enlarged by repetition.
    plain = jnp.repeat(jnp.repeat(plane, 2, axis=0), 2, axis=1)
    return jnp.where(width > 2, smooth.reshape(2 * rows, 2 * columns), plain)


def _to_rgb(luma: Any, blue: Any, red: Any) -> Any:
    cb, cr, half = blue - 128, red - 128, 1 << 15
    r = luma + ((91881 * cr + half) >> 16)
    g = luma + ((-22554 * cb - 46802 * cr + half) >> 16)
    b = luma + ((116130 * cb + half) >> 16)
    return jnp.clip(jnp.stack([r, g, b], axis=-1), 0, 255).astype(jnp.uint8)


jpeg_distortion = Kernel("jpeg_distortion", _sample, cost=16)
