"""Random crop windows, the same bit for bit in NumPy and in JAX.

Eager calls work them out on the host, `jit` in its program. Only single products, quotients and
roots of float32 are used, which every processor rounds alike; a sum of products may be fused.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from ..._random.threefry import rolled2x32, threefry2x32
from ..._types.errors import OperatorError
from .key_blocks import block_words

# Shares of the area are multiples of 2**-30.
_SHARES = 30
_LARGEST_SHARE = 3.99
# An aspect ratio is one of 2**16, a product of two factors out of 256 each.
_DIGIT = 256


@final
@dataclass(frozen=True, slots=True)
class WindowRule:
    """What windows are drawn from.

    Attributes:
        area: smallest share of the image's area, and the number of shares to choose from, in
            units of 2**-30.
        aspect: smallest and largest width / height.
        factors: of the smallest aspect: coarse ones and fine ones.
        attempts: how often a window that does not fit is drawn anew.
    """

    area: tuple[int, int]
    aspect: tuple[float, float]
    factors: tuple[tuple[float, ...], tuple[float, ...]]
    attempts: int


def window_rule(
    what: str, random_area: Sequence[float], random_aspect_ratio: Sequence[float], attempts: int
) -> WindowRule:
    """The arguments of the operators, checked.

    Raises:
        OperatorError: an empty or impossible range, a negative number of attempts.
    """
    area = _range(what, "random_area", random_area)
    aspect = _range(what, "random_aspect_ratio", random_aspect_ratio)
    if area[0] < 0 or aspect[0] <= 0:
        name = "random_area" if area[0] < 0 else "random_aspect_ratio"
        raise OperatorError(
            f"{what}: {name} must be positive; got {area if area[0] < 0 else aspect}."
        )
    if attempts < 0:
        raise OperatorError(f"{what}: num_attempts={attempts}; expected 0 or more.")
    first, last = (round(min(a, _LARGEST_SHARE) * 2**_SHARES) for a in area)
    factors = _factors(math.log(aspect[1] / aspect[0]))
    smallest, largest = (float(np.float32(a)) for a in aspect)
    return WindowRule((first, last - first + 1), (smallest, largest), factors, attempts)


@functools.lru_cache(maxsize=64)
def _factors(spread: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Coarse and fine factors whose products cover aspects from 1 to `exp(spread)`."""
    coarse, fine = (
        tuple(float(np.float32(math.exp(spread * k / size))) for k in range(_DIGIT))
        for size in (_DIGIT, _DIGIT**2)
    )
    return coarse, fine


def _range(what: str, name: str, values: Sequence[float]) -> tuple[float, float]:
    if len(values) not in (1, 2) or not all(map(math.isfinite, values)):
        raise OperatorError(f"{what}: {name}={list(values)}; expected two numbers.")
    low, high = values[0], values[-1]
    if low > high:
        raise OperatorError(f"{what}: {name}=[{low}, {high}] is empty.")
    return low, high


def random_window(
    xp: Any, key: Sequence[Any], height: Any, width: Any, rule: WindowRule
) -> tuple[Any, Any, Any, Any]:
    """Draws windows: area uniform, logarithm of the aspect uniform, place uniform.

    If none of the attempts fits, the largest window of the nearest aspect ratio is taken.

    Args:
        xp: `numpy` or `jax.numpy`.
        key: two uint32 words, `[N]` or scalars.
        height, width: of the image, int32.

    Returns:
        y, x, height and width, int32.
    """
    height, width = xp.asarray(height).astype(np.int32), xp.asarray(width).astype(np.int32)
    tall, wide = height.astype(np.float32), width.astype(np.float32)
    h, w = _fallback(xp, tall, wide, rule)
    # One row for each attempt, and one for the place; the words of a row are its block's.
    first, second = words_of(xp, key, rule.attempts + 1)
    share = (integer_below(first[:-1], rule.area[1]) + np.uint32(rule.area[0])).astype(np.float32)
    area = share * np.float32(2.0**-_SHARES) * (tall * wide)
    aspect = _aspect(xp, second[:-1], rule)
    new_w, new_h = _rounded(xp, xp.sqrt(area * aspect)), _rounded(xp, xp.sqrt(area / aspect))
    fits = (new_w >= 1) & (new_w <= width) & (new_h >= 1) & (new_h <= height)
    if rule.attempts:
        chosen = fits.argmax(0)[None]  # the first that fits
        h, w = (
            xp.where(fits.any(0), xp.take_along_axis(new, chosen, 0)[0], fallback)
            for new, fallback in ((new_h, h), (new_w, w))
        )
    y, x = integer_below(first[-1], height - h + 1), integer_below(second[-1], width - w + 1)
    return y.astype(np.int32), x.astype(np.int32), h, w


def _fallback(xp: Any, tall: Any, wide: Any, rule: WindowRule) -> tuple[Any, Any]:
    smallest, largest = (np.float32(a) for a in rule.aspect)
    flat, narrow = wide > tall * largest, wide < tall * smallest
    w = xp.where(flat, _rounded(xp, tall * largest), _rounded(xp, wide))
    h = xp.where(narrow, _rounded(xp, wide / smallest), _rounded(xp, tall))
    # At least 1, and within the image.
    h = xp.minimum(xp.maximum(h, 1), _rounded(xp, tall))
    return h, xp.minimum(xp.maximum(w, 1), _rounded(xp, wide))


def words_of(xp: Any, key: Sequence[Any], blocks: int) -> tuple[Any, Any]:
    """Two words `[blocks, N]` of each sample, as `draws.words` of element 0 has them."""
    first, second = (xp.asarray(k) for k in key)
    index = np.arange(blocks, dtype=np.uint32).reshape(-1, *[1] * first.ndim)
    with np.errstate(over="ignore"):
        if xp is np:
            return threefry2x32((first, second), (index, index ^ index))
        return block_words((first, second), (index, index ^ index), elsewhere=rolled2x32)


def integer_below(word: Any, count: Any) -> Any:
    """Uniform on {0, ..., count - 1}: the upper half of the 64-bit product, by 16-bit parts."""
    count = np.uint32(count) if isinstance(count, int) else count.astype(np.uint32)
    low, high = word & np.uint32(0xFFFF), word >> np.uint32(16)
    n_low, n_high = count & np.uint32(0xFFFF), count >> np.uint32(16)
    middle = high * n_low + (low * n_low >> np.uint32(16))
    crossed = low * n_high + (middle & np.uint32(0xFFFF))
    return high * n_high + (middle >> np.uint32(16)) + (crossed >> np.uint32(16))


def _aspect(xp: Any, word: Any, rule: WindowRule) -> Any:
    """The smallest aspect times `(largest / smallest) ** u`, u in [0, 1)."""
    coarse, fine = (xp.asarray(f, dtype=np.float32) for f in rule.factors)
    high, low = word >> np.uint32(24), word >> np.uint32(16) & np.uint32(255)
    # As int32, which every index may be.
    factors = coarse[high.astype(np.int32)] * fine[low.astype(np.int32)]
    return np.float32(rule.aspect[0]) * factors


def _rounded(xp: Any, value: Any) -> Any:
    return xp.floor(value + np.float32(0.5)).astype(np.int32)
