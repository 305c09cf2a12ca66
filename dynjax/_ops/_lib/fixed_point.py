"""Positive ratios as fixed-point numbers, for positions that 32-bit floats cannot hold.

A position far into a long signal needs more digits than float32 has, and compiled programs have no
wider type. A ratio is held as a whole number and three 16-bit digits of its fraction.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._types.columns import Column, is_traced

DIGITS = 4


def ratio_digits(numerator: Column, denominator: Column) -> tuple[Column, ...]:
    """Columns of the digits of `numerator / denominator`, truncated; of 0 where it is infinite."""
    if is_traced(numerator, denominator):
        return _traced_digits(numerator, denominator)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.asarray(numerator, np.float64) / np.asarray(denominator, np.float64)
    ratio = np.where(np.isfinite(ratio), ratio, 0)
    digits = []
    for _ in range(DIGITS):
        whole = np.floor(ratio)
        digits.append(int(whole) if whole.ndim == 0 else whole.astype(np.int64))
        ratio = (ratio - whole) * 65536
    return tuple(digits)


def _traced_digits(numerator: Any, denominator: Any) -> tuple[Any, ...]:
    """By long division: the remainder of two floats is exact."""
    divisor = jnp.asarray(denominator, jnp.float32)
    rest = jnp.asarray(numerator, jnp.float32)
    digits = []
    for _ in range(DIGITS):
        remainder = jnp.fmod(rest, divisor)
        whole = jnp.round((rest - remainder) / divisor)
        digits.append(jnp.where(divisor > 0, whole, 0).astype(jnp.int32))
        rest = remainder * 65536
    return tuple(digits)


def product(n: Any, digits: Any) -> tuple[Any, Any]:
    """Whole part, int32, and fraction, uint32 in units of 2^-32, of `n` times a ratio.

    Args:
        n: whole numbers below 2^31.
        digits: see `ratio_digits`.
    """
    whole, first, second, third = (jnp.asarray(d).astype(jnp.uint32) for d in digits)
    n = jnp.asarray(n).astype(jnp.uint32)
    high, low = n >> 16, n & 0xFFFF
    a, b, c = low * third, high * third, low * second
    d, e, f = high * second, low * first, high * first
    last = (a >> 16) + (b & 0xFFFF) + (c & 0xFFFF)
    middle = (last >> 16) + (b >> 16) + (c >> 16) + (d & 0xFFFF) + (e & 0xFFFF)
    units = (middle >> 16) + (d >> 16) + (e >> 16) + f
    fraction = ((middle & 0xFFFF) << 16) | (last & 0xFFFF)
    return (units + n * whole).astype(jnp.int32), fraction


def ceiling(n: Any, digits: Any) -> Any:
    """The product, rounded up."""
    whole, fraction = product(n, digits)
    return whole + (fraction > 0)
