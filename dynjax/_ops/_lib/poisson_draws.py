"""Poisson distributed numbers of any rate, by arithmetic that every platform rounds alike.

The kernels repeat it operation by operation (`ops/random/poisson_draws.h`); see `normal_draws`.
"""

from typing import Any

import jax
import jax.numpy as jnp

from . import draws
from .normal_draws import normal, polynomial

# Rates from here on are drawn through a normal number.
_LARGE = 10.0
# Probabilities below this are less than what the 24 bits of a uniform number tell apart.
_LEAST = 2.0**-25
# Counts whose probability at rate 10 is above _LEAST are smaller.
_COUNTS = 33
# (1 - exp(-r)) / r for r up to 0.625, relative error below 1e-9.
_EXPONENTIAL = (
    *(0.99999994, -0.499997735, 0.166642725),
    *(-0.0415500924, 0.00804346055, -0.00102464401),
)
# With w normal and s = w / sqrt(rate), the count is the whole part of
#
#     rate + sqrt(rate) * w + w**2 * SQUARED(s) + PLAIN(s) + DIVIDED(s) / rate
#
# The form is that of Temme's expansion, which begins with 1/6, 1/3 and -8/405. The coefficients are
# least squares against the incomplete gamma function for rates from 10 on and |w| < 6.7, which
# leaves less than 0.004 of a count: probabilities are right to about 1e-3 of themselves.
_SQUARED = (
    *(0.1666096, -0.0138628529, 0.00407041656, -0.00112635607),
    *(5.50561817e-05, -0.000512721715, 0.000485843251, -0.000120886703),
)
_PLAIN = (
    *(0.333464086, -0.027766997, 0.00943572074),
    *(-0.00694664568, -0.00125910272, 0.0038378539),
)
_DIVIDED = (-0.0213266164, 0.0238974635, -0.0122242132)
# Smaller s belong to the count 0, and to no place where the polynomials were fitted.
_SMALLEST = -1.3


def poisson(rate: Any, key: Any, index: Any) -> Any:
    """Poisson numbers of float32 rates >= 0, as float32, one for each element number.

    Source: rates below 10 by inversion of the distribution function; others by the inverse of its
    continuous form, as in Giles 2016 ("Approximation of the inverse Poisson cumulative distribution
    function"), with Temme's expansion (1979) of the incomplete gamma function.
    """
    first, second = draws.words(key, index)
    large = rate >= _LARGE
    few = _by_inversion(jnp.where(large, 0.0, rate), draws.unit(first))
    many = _by_expansion(jnp.where(large, rate, _LARGE), normal(first, second))
    return jnp.where(large, many, few)


def _by_inversion(rate: Any, u: Any) -> Any:
    """Takes probabilities from `u` until one is larger than what is left."""
    part = rate * 0.0625
    term = 1.0 - part * polynomial(_EXPONENTIAL, part)
    for _ in range(4):
        term = term * term

    def step(k, state):
        count, term, rest = state
        inside = (count == k) & (rest >= term) & (term >= _LEAST)
        following = (k + 1).astype(jnp.float32)
        # The product is divided before it is subtracted: no compiler can join the two.
        return jnp.where(inside, k + 1, count), term * rate / following, rest - term

    state = (jnp.zeros(jnp.shape(rate), jnp.int32), term, u)
    return jax.lax.fori_loop(0, _COUNTS, step, state)[0].astype(jnp.float32)


def _by_expansion(rate: Any, w: Any) -> Any:
    root, inverse = jnp.sqrt(rate), 1.0 / rate
    s = jnp.maximum(w * (root * inverse), _SMALLEST)
    small = polynomial(_DIVIDED, s) * inverse + polynomial(_PLAIN, s)
    offset = w * root + (w * w * polynomial(_SQUARED, s) + small)
    return jnp.maximum(jnp.floor(rate + offset), 0.0)
