"""Random crop windows, the same bit for bit in NumPy and in JAX.

Eager calls work them out on the host, `jit` in its program. Only single products, quotients and
roots of float32 are used, which every processor rounds alike; a sum of products may be fused.
"""

import functools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from ..._random.threefry import rolled2x32, threefry2x32
from ..._types.columns import (
    Column,
    absolute,
    any_of,
    first_of,
    is_constant,
    is_traced,
    value_at,
)
from ..._types.errors import OperatorError
from .key_blocks import block_words

# Shares of the area are multiples of 2**-30.
_SHARES = 30
_LARGEST_SHARE = np.float32(3.99)
# An aspect ratio is one of 2**16: powers of the spread of ratios, by the bits of two digits.
_DIGIT_BITS = 8

Range = tuple[Column, Column]


@final
@dataclass(frozen=True, slots=True)
class WindowRule:
    """What windows are drawn from.

    Attributes:
        area: smallest and largest share of the image's area: float32 numbers, or one for each
            sample.
        aspect: smallest and largest width / height.
        attempts: how often a window that does not fit is drawn anew.
    """

    area: Range
    aspect: Range
    attempts: int

    @property
    def columns(self) -> tuple[Column, Column, Column, Column]:
        """The numbers of both ranges."""
        return *self.area, *self.aspect


def window_rule(
    what: str, random_area: Sequence[Column], random_aspect_ratio: Sequence[Column], attempts: int
) -> WindowRule:
    """The arguments of the operators, checked.

    Raises:
        OperatorError: an empty or impossible range, a negative number of attempts.
    """
    area = _range(what, "random_area", random_area)
    aspect = _range(what, "random_aspect_ratio", random_aspect_ratio)
    for name, values, wrong in (
        ("random_area", random_area, area[0] < 0),
        ("random_aspect_ratio", random_aspect_ratio, aspect[0] <= 0),
    ):
        if any_of(wrong):
            raise OperatorError(
                f"{what}: {name} must be positive; got {_shown(values, first_of(wrong))}."
            )
    if attempts < 0:
        raise OperatorError(f"{what}: num_attempts={attempts}; expected 0 or more.")
    return WindowRule(area, aspect, attempts)


def _range(what: str, name: str, values: Sequence[Column]) -> Range:
    if len(values) not in (1, 2):
        raise OperatorError(f"{what}: {name} has {len(values)} values; expected two numbers.")
    low, high = (_single(v) for v in (values[0], values[-1]))
    for column in (low, high):
        strange = (absolute(column) < math.inf) == False  # noqa: E712 a column; NaN is none
        if any_of(strange):
            shown = _shown(values, first_of(strange))
            raise OperatorError(f"{what}: {name}={shown}; expected two numbers.")
    if any_of(low > high):
        raise OperatorError(f"{what}: {name}={_shown(values, first_of(low > high))} is empty.")
    return low, high


def _single(column: Column) -> Column:
    """In float32, as ranges are inside `jit`."""
    if not is_constant(column):
        return column.astype(np.float32)
    with np.errstate(over="ignore"):
        return float(np.float32(column))


def _shown(values: Sequence[Column], sample: int) -> list[Any]:
    """The numbers as they were written, not as float32 rounds them."""
    return ["?" if is_traced(v) else float(str(np.float32(value_at(v, sample)))) for v in values]


def _shares(xp: Any, area: Range) -> tuple[Any, Any]:
    """The smallest share and the number of shares to choose from, in units of 2**-30."""
    if is_constant(area[0]) and is_constant(area[1]):
        low, high = (round(min(a, float(_LARGEST_SHARE)) * 2**_SHARES) for a in area)
        return np.uint32(low), high - low + 1
    low, high = (
        xp.rint(xp.clip(xp.asarray(a, np.float32), 0, _LARGEST_SHARE) * np.float32(2**_SHARES))
        for a in area
    )
    first = low.astype(np.uint32)
    return first, high.astype(np.uint32) - first + np.uint32(1)


@functools.lru_cache(maxsize=64)
def _factors(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """`_power` of each digit: coarse factors and fine ones."""
    roots = _roots(np, np.float32(low), np.float32(high))
    digits = np.arange(1 << _DIGIT_BITS, dtype=np.uint32)
    return _power(np, roots[:_DIGIT_BITS], digits), _power(np, roots[_DIGIT_BITS:], digits)


def _roots(xp: Any, low: Any, high: Any) -> list[Any]:
    """`high / low` to the power of 1/2, 1/4, 1/8, ..."""
    roots = [xp.sqrt(high / low)]
    for _ in range(2 * _DIGIT_BITS - 1):
        roots.append(xp.sqrt(roots[-1]))
    return roots


def _power(xp: Any, roots: Sequence[Any], digit: Any) -> Any:
    """The product of the roots that the bits of a digit choose, the highest bit first."""
    bits = (digit >> np.uint32(_DIGIT_BITS - 1 - k) & np.uint32(1) for k in range(_DIGIT_BITS))
    factors = (xp.where(b == 1, r, np.float32(1)) for b, r in zip(bits, roots, strict=True))
    return functools.reduce(operator.mul, factors)


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
    smallest, shares = _shares(xp, rule.area)
    share = (integer_below(first[:-1], shares) + smallest).astype(np.float32)
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
    smallest, largest = (xp.asarray(a, dtype=np.float32) for a in rule.aspect)
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
    low, high = rule.aspect
    digits = word >> np.uint32(24), word >> np.uint32(16) & np.uint32(255)
    if is_constant(low) and is_constant(high):
        tables = (xp.asarray(t) for t in _factors(low, high))
        # As int32, which every index may be.
        coarse, fine = (t[d.astype(np.int32)] for t, d in zip(tables, digits, strict=True))
        return np.float32(low) * (coarse * fine)
    low, high = (xp.asarray(a, dtype=np.float32) for a in rule.aspect)
    roots = _roots(xp, low, high)
    parts = roots[:_DIGIT_BITS], roots[_DIGIT_BITS:]
    coarse, fine = (_power(xp, r, d) for r, d in zip(parts, digits, strict=True))
    return low * (coarse * fine)


def _rounded(xp: Any, value: Any) -> Any:
    return xp.floor(value + np.float32(0.5)).astype(np.int32)
