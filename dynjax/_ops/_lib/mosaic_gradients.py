"""A mosaic interpolated by a variable number of gradients, in JAX; natively `ops/colour/`.

After Chang, Cheung, Pang, "Color filter array recovery using a threshold-based variable number of
gradients" (1999): each of eight directions has a gradient, and what the directions of small ones
say of the difference between two colours is averaged. Sums and gradients are doubled, so that all
but the average are whole numbers.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

# A mosaic smaller than this has no room for gradients.
SIDE = 8

# How far gradients reach.
MARGIN = 2

# 1 / (2 n), by which a doubled sum over n directions becomes a mean.
_SHARE = np.array([0, *(1 / (2 * n) for n in range(1, 9))], np.float32)

_STRAIGHT = np.array([(-1, 0), (0, 1), (1, 0), (0, -1)], np.int32)
_SLANTED = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.int32)

At = Callable[[Any, Any], Any]


class _Direction(NamedTuple):
    """What a direction says of the pixels: doubled sums.

    On green, `first` is the colour of the row and `second` that of the column; elsewhere green, and
    the colour of the corners.
    """

    gradient: Any
    own: Any
    first: Any
    second: Any


def by_gradients(at: At, row: Any, column: Any) -> Any:
    """The three channels of each pixel.

    Args:
        at: the pixels, shifted by `(dy, dx)` of up to `MARGIN`, which may be traced.
        row, column: where rows and columns of the first channel lie.
    """
    own = at(0, 0)
    is_green = row != column
    first, second = _lacking(at, is_green)
    channels = (
        jnp.where(is_green, jnp.where(row, first, second), jnp.where(row, own, second)),
        jnp.where(is_green, own, first),
        jnp.where(is_green, jnp.where(row, second, first), jnp.where(row, second, own)),
    )
    return jnp.stack(channels, axis=-1)


def _lacking(at: At, is_green: Any) -> tuple[Any, Any]:
    """The two colours that each pixel lacks.

    Loops over directions, twice: unrolled, XLA compiles them for ten seconds.
    """
    centre = at(0, 0)
    least = jnp.full_like(centre, np.iinfo(np.int32).max)

    def extremes(found: tuple[Any, Any], d: _Direction) -> tuple[Any, Any]:
        return jnp.minimum(found[0], d.gradient), jnp.maximum(found[1], d.gradient)

    least, most = _over_directions(at, is_green, extremes, (least, jnp.zeros_like(centre)))
    # 1.5 min + 0.5 (max - min) of the paper; more than the least, so that one is always below.
    threshold = least + jnp.maximum(most >> 1, 1)

    def add(sums: tuple[Any, Any, Any], d: _Direction) -> tuple[Any, Any, Any]:
        is_smooth = d.gradient < threshold
        first, second = (jnp.where(is_smooth, c - d.own, 0) for c in (d.first, d.second))
        return sums[0] + is_smooth, sums[1] + first, sums[2] + second

    zero = jnp.zeros_like(centre)
    count, *sums = _over_directions(at, is_green, add, (zero, zero, zero))
    share = jnp.asarray(_SHARE)[count]
    means = (jnp.round(s.astype(jnp.float32) * share).astype(centre.dtype) for s in sums)
    first, second = (jnp.clip(centre + mean, 0, 255) for mean in means)
    return first, second


def _over_directions(
    at: At, is_green: Any, function: Callable[[Any, _Direction], Any], carry: Any
) -> Any:
    for kind, steps in ((_straight, _STRAIGHT), (_slanted, _SLANTED)):

        def apply(carry: Any, step: Any, kind: Any = kind) -> tuple[Any, None]:
            return function(carry, kind(at, is_green, *step)), None

        carry, _ = jax.lax.scan(apply, carry, jnp.asarray(steps))
    return carry


def _straight(at: At, is_green: Any, y: Any, x: Any) -> _Direction:
    """Along rows or columns; (x, y) is the step square to (y, x)."""
    near, far, centre = at(y, x), at(2 * y, 2 * x), at(0, 0)
    corners = at(y + x, x + y), at(y - x, x - y)
    far_sides = at(2 * y + x, 2 * x + y), at(2 * y - x, 2 * x - y)
    gradient = (
        2 * (jnp.abs(near - at(-y, -x)) + jnp.abs(far - centre))
        + jnp.abs(corners[0] - at(x - y, y - x))
        + jnp.abs(corners[1] - at(-y - x, -x - y))
        + jnp.abs(far_sides[0] - at(x, y))
        + jnp.abs(far_sides[1] - at(-x, -y))
    )
    near, beside = 2 * near, sum(far_sides)
    first = jnp.where(is_green & (x == 0), beside, near)
    second = jnp.where(is_green, jnp.where(x == 0, near, beside), sum(corners))
    return _Direction(gradient, far + centre, first, second)


def _slanted(at: At, is_green: Any, y: Any, x: Any) -> _Direction:
    """Towards a corner."""
    corner, far, centre = at(y, x), at(2 * y, 2 * x), at(0, 0)
    down, across, down_far, across_far = at(y, 0), at(0, x), at(y, 2 * x), at(2 * y, x)
    before, above = at(0, -x), at(-y, 0)
    along = 2 * (jnp.abs(corner - at(-y, -x)) + jnp.abs(far - centre))
    on_green = 2 * (jnp.abs(across_far - before) + jnp.abs(down_far - above))
    on_colour = (
        jnp.abs(down - before)
        + jnp.abs(across - above)
        + jnp.abs(across_far - down)
        + jnp.abs(down_far - across)
    )
    greens = (down + across + down_far + across_far) >> 1
    return _Direction(
        along + jnp.where(is_green, on_green, on_colour),
        jnp.where(is_green, 2 * corner, far + centre),
        jnp.where(is_green, across + across_far, greens),
        jnp.where(is_green, down + down_far, 2 * corner),
    )
