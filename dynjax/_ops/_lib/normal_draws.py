"""Normally distributed numbers from random words, by arithmetic that every platform rounds alike.

The kernels repeat it operation by operation (`ops/random/normal_draws.h`), so that native and JAX
form give the same bits. A library's logarithm and cosine differ from compiler to compiler, so both
are polynomials here; each sum has one product at most, which becomes one multiply-add.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

# (log(1 + f) - f) / f**2 for f between sqrt(1/2) - 1 and sqrt(2) - 1; the error of the logarithm
# is below 4e-8 of it. Least squares of relative errors.
_LOGARITHM = (
    *(-0.499999911, 0.333339632, -0.25001812, 0.199615926),
    *(-0.16568619, 0.149215549, -0.143242717, 0.0874580517),
)
# sin(2 pi t) / t in powers of t**2, for a quarter of a turn; relative error below 6e-9.
_SINE = (6.28318548, -41.3416786, 81.6022263, -76.5749664, 39.7108307)
_SQRT_HALF_BITS = 0x3F3504F3
_LN_2 = 0.693147182


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    """The sum of `coefficients[k] * x**k`, float32, by Horner's rule."""
    value = jnp.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value = value * x + jnp.float32(coefficient)
    return value


def normal(first: Any, second: Any) -> Any:
    """Standard normal, float32, of two words.

    Source: Box and Muller 1958: `sqrt(-2 log(r)) * cos(2 pi t)` for uniform r and t.
    """
    # 31 bits, and never 0: the tail reaches 6.5 standard deviations.
    radius = ((first >> 1).astype(jnp.float32) + 1.0) * jnp.float32(2.0**-31)
    turn = (jax.lax.bitcast_convert_type(second, jnp.int32) >> 8).astype(jnp.float32)
    # The cosine of t turns, |t| <= 1/2, is the sine of 1/4 - |t|.
    turn = 0.25 - jnp.abs(turn) * jnp.float32(2.0**-24)
    sine = turn * polynomial(_SINE, turn * turn)
    return jnp.sqrt(-2.0 * logarithm(radius)) * sine


def logarithm(x: Any) -> Any:
    """Of normal float32 numbers > 0."""
    bits = jax.lax.bitcast_convert_type(x, jnp.int32)
    exponent = (bits - np.int32(_SQRT_HALF_BITS)) >> 23
    f = jax.lax.bitcast_convert_type(bits - (exponent << 23), jnp.float32) - 1.0
    rest = f * f * polynomial(_LOGARITHM, f) + f
    return exponent.astype(jnp.float32) * jnp.float32(_LN_2) + rest
