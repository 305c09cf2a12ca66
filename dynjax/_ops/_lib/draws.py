"""Random words for the elements of a sample, and the quantities made from them.

The words of element j are block j of Threefry under the sample's key, where j counts the elements
of the true extents: padding changes no value. With the first block of words alone,
`first ^ second` is what `jax.random.bits` gives.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._random.threefry import threefry2x32
from ..._types.columns import Shape, any_of
from ..._types.dtypes import numpy_dtype
from ..._types.errors import OperatorError
from ..._types.spec import Spec

REAL_DTYPES = (
    *("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float32", "float64"),
)


def drawn_shape(name: str, like: Spec | None, shape: Sequence[Any] | None) -> Shape:
    """The shape of the result of a distribution operator."""
    if like is not None and shape is not None:
        raise OperatorError(f"{name}: shape_like and shape are both given; pass one of them.")
    if like is not None:
        return like.shape
    if shape is None:
        return ()
    if any(any_of(n < 0) for n in shape):
        raise OperatorError(f"{name}: shape={tuple(shape)!r}; an extent is negative.")
    return tuple(shape)


def drawn_dtype(name: str, dtype: Any, default: Any, accepted: Sequence[str]) -> np.dtype:
    """The dtype of the result of a distribution operator."""
    chosen = np.dtype(default) if dtype is None else numpy_dtype(dtype)
    if chosen.name not in accepted:
        raise OperatorError(f"{name}: dtype={chosen.name}; expected one of {', '.join(accepted)}.")
    return chosen


def element_index(extent: Sequence[Any], slot: Sequence[int]) -> Any:
    """The number of each element of a slot among those of the true extents, uint32."""
    index = jnp.zeros((), jnp.uint32)
    for axis, size in enumerate(slot):
        shape = [1] * len(slot)
        shape[axis] = size
        step = jnp.asarray(extent[axis]).astype(jnp.uint32)
        index = index * step + jnp.arange(size, dtype=jnp.uint32).reshape(shape)
    return jnp.broadcast_to(index, tuple(slot))


def words(key: Any, index: Any, block: Any = 0) -> tuple[Any, Any]:
    """Two words for each element; `block` tells several draws of one element apart."""
    high = jnp.broadcast_to(jnp.asarray(block).astype(jnp.uint32), jnp.shape(index))
    return threefry2x32((key[0], key[1]), (high, index))


def unit(word: Any) -> Any:
    """Uniform on [0, 1), float32: the upper 24 bits."""
    return (word >> 8).astype(jnp.float32) * jnp.float32(2.0**-24)


def unit_double(first: Any, second: Any) -> Any:
    """Uniform on [0, 1), float64: 53 bits of two words."""
    high = (first >> 5).astype(jnp.float64) * 2.0**26
    return (high + (second >> 6).astype(jnp.float64)) * 2.0**-53


def normal(first: Any, second: Any) -> Any:
    """Standard normal, float32, of two words (Box and Muller)."""
    # All 32 bits, and never 0: the tail reaches 6.6 standard deviations.
    radius = (first.astype(jnp.float32) + 1.0) * jnp.float32(2.0**-32)
    return jnp.sqrt(-2.0 * jnp.log(radius)) * jnp.cos(jnp.float32(2.0 * np.pi) * unit(second))


def below(word: Any, count: Any) -> Any:
    """Uniform on {0, ..., count - 1}: the upper half of the 64-bit product, by 16-bit parts."""
    count = jnp.asarray(count).astype(jnp.uint32)
    low, high = word & 0xFFFF, word >> 16
    n_low, n_high = count & 0xFFFF, count >> 16
    middle = high * n_low + (low * n_low >> 16)
    crossed = low * n_high + (middle & 0xFFFF)
    return high * n_high + (middle >> 16) + (crossed >> 16)


def until_known(attempt: Any, value: Any, number: Any, last: int) -> Any:
    """Repeats `(number, value) -> (number + 1, value)` while any value is NaN.

    One array says what is drawn and what is not: with a second one for the latter, XLA's CPU
    compiler would compile, and run, all of the attempt twice.
    """

    def goes_on(state):
        return (state[0] < last) & jnp.any(jnp.isnan(state[1]))

    return jax.lax.while_loop(goes_on, attempt, (number, value))[1]


def poisson(rate: Any, key: Any, index: Any) -> Any:
    """Poisson numbers of float32 rates >= 0, as float32.

    Source: small rates by inversion, others by transformed rejection (Hörmann 1993, PTRS).
    """
    large = rate >= 10.0
    few = _poisson_by_inversion(jnp.where(large, 0.0, rate), unit(words(key, index)[0]))
    return jnp.where(large, _poisson_by_rejection(rate, large, key, index), few)


def _poisson_by_inversion(rate: Any, u: Any) -> Any:
    def step(state):
        count, term, rest = state
        inside = rest >= term
        following = count + 1.0
        return (
            jnp.where(inside, following, count),
            jnp.where(inside, term * rate / following, term),
            jnp.where(inside, rest - term, rest),
        )

    # With rates below 10 the terms fall under the 24 bits of `u` before 60 steps.
    state = (jnp.zeros_like(rate), jnp.exp(-rate), u)
    return jax.lax.fori_loop(0, 60, lambda _, s: step(s), state)[0]


def _poisson_by_rejection(rate: Any, wanted: Any, key: Any, index: Any) -> Any:
    mu = jnp.where(wanted, rate, 10.0)
    b = 0.931 + 2.53 * jnp.sqrt(mu)
    a = -0.059 + 0.02483 * b
    scale = jnp.log(1.1239 + 1.1328 / (b - 3.4))
    quick = 0.9277 - 3.6224 / (b - 2.0)

    def attempt(state):
        number, count = state
        first, second = words(key, index, number)
        u, v = unit(first) - 0.5, unit(second)
        us = 0.5 - jnp.abs(u)
        k = jnp.floor((2.0 * a / us + b) * u + mu + 0.43)
        exact = jnp.log(v) + scale - jnp.log(a / (us * us) + b) <= _log_poisson(k, mu)
        refused = (k < 0) | ((us < 0.013) & (v > us))
        accepted = ((us >= 0.07) & (v <= quick)) | (~refused & exact)
        return number + 1, jnp.where(jnp.isnan(count) & accepted, k, count)

    # Each attempt fails for fewer than one in three: none is left after 100.
    return until_known(attempt, jnp.where(wanted, jnp.nan, mu), jnp.uint32(1), 100)


def _log_poisson(k: Any, mu: Any) -> Any:
    """Logarithm of the probability of k, in a form that float32 does not cancel (Stirling)."""
    n = jnp.maximum(k, 1.0)
    t = (mu - n) / n
    correction = 1.0 / (12.0 * n) - 1.0 / (360.0 * n * n * n)
    value = n * (jnp.log1p(t) - t) - 0.5 * jnp.log(2.0 * np.pi * n) - correction
    return jnp.where(k < 1.0, -mu, value)
