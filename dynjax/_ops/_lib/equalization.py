"""The kernel of `equalize`: one sample in JAX; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ..._schema import Kernel
from .histograms import LEVELS, histograms


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first_axis: int,
) -> Any:
    del out_extent, out_shape, tables
    pixels = (first_axis, first_axis + 1)
    image = jnp.moveaxis(inputs[0], pixels, (-2, -1))
    lead = image.shape[:-2]
    planes = image.reshape(-1, *image.shape[-2:])
    height, width = (extents[0][a] for a in pixels)
    inside = (jnp.arange(planes.shape[1]) < height)[:, None] & (jnp.arange(planes.shape[2]) < width)
    group = jnp.broadcast_to(jnp.arange(planes.shape[0])[:, None, None], planes.shape)
    counts = histograms(group, planes, inside, planes.shape[0])
    table = _equalizing(counts, height * width)
    result = table.reshape(-1)[group * LEVELS + planes]
    return jnp.moveaxis(result.reshape(*lead, *planes.shape[1:]), (-2, -1), pixels).astype(dtype)


def _equalizing(counts: Any, total: Any) -> Any:
    """What each byte becomes, `[planes, 256]`."""
    first = jnp.argmax(counts > 0, axis=1, keepdims=True)
    lowest = jnp.take_along_axis(counts, first, axis=1)
    rest = total - lowest
    scale = 255.0 / jnp.maximum(rest, 1).astype(jnp.float32)
    above = jnp.cumsum(counts, axis=1) - lowest
    table = jnp.clip(jnp.round(above.astype(jnp.float32) * scale), 0, 255)
    return jnp.where(rest == 0, jnp.arange(LEVELS), table).astype(jnp.uint8)


equalization = Kernel("equalize", _sample, cost=4)
