"""The kernel of `clahe`: one sample in JAX; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ..._schema import Kernel
from .borders import MODES, source_index
from .histograms import LEVELS, histograms
from .lab import from_lab, to_lab

_REFLECT = MODES.index("reflect_101")


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    tiles_x: int,
    tiles_y: int,
    luma_only: bool,
) -> Any:
    del out_extent, out_shape
    clip_limit = tables[0][0]
    image = inputs[0]
    height, width = extents[0][0], extents[0][1]

    def equalized(plane: Any) -> Any:
        return _equalized(plane, height, width, tiles_x, tiles_y, clip_limit)

    if image.shape[-1] == 3 and luma_only:
        lightness, a, b = to_lab(image)
        return from_lab(equalized(lightness), a, b).astype(dtype)
    planes = [equalized(image[..., c].astype(jnp.int32)) for c in range(image.shape[-1])]
    return jnp.stack(planes, axis=-1).astype(dtype)


def _equalized(
    plane: Any, height: Any, width: Any, tiles_x: int, tiles_y: int, clip_limit: Any
) -> Any:
    # Where a side is no multiple of its tiles, both are continued beyond the border.
    uneven = (height % tiles_y != 0) | (width % tiles_x != 0)
    tile_h = (height + jnp.where(uneven, tiles_y - height % tiles_y, 0)) // tiles_y
    tile_w = (width + jnp.where(uneven, tiles_x - width % tiles_x, 0)) // tiles_x
    area = jnp.maximum(tile_h * tile_w, 1)
    tables = _tables(plane, height, width, tile_h, tile_w, area, tiles_x, tiles_y, clip_limit)
    top, bottom, down = _neighbours(plane.shape[0], tile_h, tiles_y)
    left, right, across = _neighbours(plane.shape[1], tile_w, tiles_x)

    def looked_up(row: Any, column: Any) -> Any:
        tile = row[:, None] * tiles_x + column[None, :]
        return tables[tile * LEVELS + plane].astype(jnp.float32)

    upper = looked_up(top, left) * (1 - across) + looked_up(top, right) * across
    lower = looked_up(bottom, left) * (1 - across) + looked_up(bottom, right) * across
    blended = upper * (1 - down[:, None]) + lower * down[:, None]
    return jnp.clip(jnp.round(blended), 0, 255).astype(jnp.int32)


def _tables(
    plane: Any,
    height: Any,
    width: Any,
    tile_h: Any,
    tile_w: Any,
    area: Any,
    tiles_x: int,
    tiles_y: int,
    clip_limit: Any,
) -> Any:
    """What each byte becomes in each tile, flat."""
    y, x = jnp.arange(plane.shape[0] + tiles_y), jnp.arange(plane.shape[1] + tiles_x)
    rows = jnp.take(plane, source_index(y, height, _REFLECT), axis=0, mode="clip")
    values = jnp.take(rows, source_index(x, width, _REFLECT), axis=1, mode="clip")
    inside = (y < tile_h * tiles_y)[:, None] & (x < tile_w * tiles_x)
    row = jnp.minimum(y // jnp.maximum(tile_h, 1), tiles_y - 1)
    column = jnp.minimum(x // jnp.maximum(tile_w, 1), tiles_x - 1)
    tile = row[:, None] * tiles_x + column
    counts = histograms(tile, values, inside, tiles_x * tiles_y)
    limit = jnp.floor(clip_limit * area.astype(jnp.float32) / LEVELS)
    # What no count reaches is no limit.
    limit = jnp.where(clip_limit > 0, jnp.clip(limit, 1, area), area)
    counts = _clipped(counts, limit.astype(jnp.int32))
    scale = (LEVELS - 1) / area.astype(jnp.float32)
    total = jnp.cumsum(counts, axis=1).astype(jnp.float32)
    return jnp.clip(jnp.round(total * scale), 0, 255).astype(jnp.uint8).reshape(-1)


def _clipped(counts: Any, limit: Any) -> Any:
    """Histograms with what exceeds the limit spread over all levels."""
    excess = jnp.maximum(counts - limit, 0).sum(axis=1, keepdims=True)
    share, rest = excess // LEVELS, excess % LEVELS
    step = jnp.maximum(LEVELS // jnp.maximum(rest, 1), 1)
    level = jnp.arange(LEVELS)[None]
    extra = (level % step == 0) & (level // step < rest)
    return jnp.minimum(counts, limit) + share + extra


def _neighbours(size: int, tile: Any, tiles: int) -> tuple[Any, Any, Any]:
    """For each pixel of an axis the tiles before and after it, and the weight of the latter."""
    position = jnp.arange(size, dtype=jnp.float32) * (1.0 / jnp.maximum(tile, 1)) - 0.5
    before = jnp.floor(position)
    weight = position - before
    before = before.astype(jnp.int32)
    after = jnp.minimum(before + 1, tiles - 1)
    return jnp.maximum(before, 0), after, weight


local_equalization = Kernel("clahe", _sample, cost=16)
