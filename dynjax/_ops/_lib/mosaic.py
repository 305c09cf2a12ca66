"""The kernel of `debayer`: one sample in JAX; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ..._schema import Kernel
from .by_frame import by_frame


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
    del out_extent
    size = extents[0][first_axis], extents[0][first_axis + 1]

    def apply(image: Any, first: Any, dropped: int) -> Any:
        del dropped
        return _interpolated(image.astype(jnp.int32), *size, *first).astype(dtype)

    return by_frame(apply, inputs[0].reshape(out_shape[:-1]), tables[0].reshape(-1, 2))


def _interpolated(image: Any, height: Any, width: Any, first_y: Any, first_x: Any) -> Any:
    # The outermost rows and columns are those beside them.
    y = jnp.clip(jnp.arange(image.shape[-2]), 1, jnp.maximum(height - 2, 1))[:, None]
    x = jnp.clip(jnp.arange(image.shape[-1]), 1, jnp.maximum(width - 2, 1))[None, :]

    def at(dy: int, dx: int) -> Any:
        # Sides of two elements are mirrored, others have neighbours.
        row = jnp.where(y + dy < height, y + dy, y - dy)
        column = jnp.where(x + dx < width, x + dx, x - dx)
        return image[..., row, column]

    own = at(0, 0)
    across = (at(0, -1) + at(0, 1) + 1) >> 1
    down = (at(-1, 0) + at(1, 0) + 1) >> 1
    cross = (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) + 2) >> 2
    corners = (at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1) + 2) >> 2
    first_row, first_column = (y - first_y) % 2 == 0, (x - first_x) % 2 == 0
    first = first_row & first_column
    last = ~first_row & ~first_column
    channels = (
        jnp.where(first, own, jnp.where(last, corners, jnp.where(first_row, across, down))),
        jnp.where(first | last, cross, own),
        jnp.where(last, own, jnp.where(first, corners, jnp.where(first_row, down, across))),
    )
    return jnp.stack(channels, axis=-1)


mosaic = Kernel("debayer", _sample, cost=2)
