"""The kernel of `debayer`: one sample in JAX; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Kernel
from .borders import MODES, widened
from .by_frame import by_frame
from .mosaic_gradients import MARGIN, SIDE, by_gradients

# The native kernel knows them by their number.
METHODS = ("bilinear", "edge_aware", "gradients", "grey")
_GRADIENTS = METHODS.index("gradients")
_MIRROR = MODES.index("reflect_101")

# BT.601's weights of the first channel, green and the last, in 14 bits.
_LUMA = (4899, 9617, 1868)


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first_axis: int,
    method: int,
) -> Any:
    del out_extent
    size = extents[0][first_axis], extents[0][first_axis + 1]

    def apply(image: Any, first: Any, dropped: int) -> Any:
        del dropped
        return _interpolated(image, *size, first[0], first[1], method).astype(dtype)

    return by_frame(apply, inputs[0].reshape(out_shape[:-1]), tables[0].reshape(-1, 2))


def _interpolated(
    image: Any, height: Any, width: Any, first_y: Any, first_x: Any, method: int
) -> Any:
    y, x = (jnp.arange(n) for n in image.shape[-2:])
    # Where rows and columns of the first channel lie.
    row, column = ((y - first_y) % 2 == 0)[:, None], ((x - first_x) % 2 == 0)[None, :]
    for axis, extent in ((-2, height), (-1, width)):
        size = image.shape[axis] + 2 * MARGIN
        image = widened(image, axis % image.ndim, extent, MARGIN, size, _MIRROR)
    # The sum of grey's products needs all 32 bits.
    image = image.astype(jnp.uint32 if METHODS[method] == "grey" else jnp.int32)

    def at(dy: Any, dx: Any) -> Any:
        rows = jax.lax.dynamic_slice_in_dim(image, MARGIN + dy, len(y), image.ndim - 2)
        return jax.lax.dynamic_slice_in_dim(rows, MARGIN + dx, len(x), image.ndim - 1)

    if METHODS[method] == "grey":
        near = _grey(at, row, column)
    else:
        near = _neighbours(at, row, column, METHODS[method] == "edge_aware")
    # The outermost rows and columns are those beside them.
    inner_y = jnp.clip(y, 1, jnp.maximum(height - 2, 1))
    inner_x = jnp.clip(x, 1, jnp.maximum(width - 2, 1))
    near = jnp.take(jnp.take(near, inner_y, -3, mode="clip"), inner_x, -2, mode="clip")
    if method != _GRADIENTS or min(len(y), len(x)) < SIDE:
        return near
    return jnp.where(jnp.minimum(height, width) < SIDE, near, by_gradients(at, row, column))


def _neighbours(at: Any, row: Any, column: Any, is_edge_aware: bool) -> Any:
    """Means of the nearest pixels of each colour."""
    left, right, up, down = at(0, -1), at(0, 1), at(-1, 0), at(1, 0)
    own = at(0, 0)
    across = (left + right + 1) >> 1
    upright = (up + down + 1) >> 1
    corners = (at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1) + 2) >> 2
    if is_edge_aware:
        green = jnp.where(jnp.abs(left - right) > jnp.abs(up - down), upright, across)
    else:
        green = (left + right + up + down + 2) >> 2
    first, last = row & column, ~row & ~column
    channels = (
        jnp.where(first, own, jnp.where(last, corners, jnp.where(row, across, upright))),
        jnp.where(first | last, green, own),
        jnp.where(last, own, jnp.where(first, corners, jnp.where(row, upright, across))),
    )
    return jnp.stack(channels, axis=-1)


def _grey(at: Any, row: Any, column: Any) -> Any:
    """The luma of bilinear interpolation, rounded once."""
    first, green, last = (jnp.uint32(w) for w in _LUMA)
    own = at(0, 0)
    across, upright = at(0, -1) + at(0, 1), at(-1, 0) + at(1, 0)
    corners = at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1)
    # What the row holds beside green, and what it does not.
    near, far = jnp.where(row, first, last), jnp.where(row, last, first)
    on_colour = 4 * own * near + (across + upright) * green + corners * far
    on_green = 4 * own * green + 2 * (across * near + upright * far)
    total = jnp.where(row == column, on_colour, on_green)
    return ((total + jnp.uint32(1 << 15)) >> 16)[..., None]


mosaic = Kernel("debayer", _sample, cost=2)
mosaic_gradients = Kernel("debayer", _sample, cost=16)
