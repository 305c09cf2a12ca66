"""Numbers of a beta distribution: `dynjax.random.beta`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column, any_of
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib import draws
from .._lib.normal_draws import logarithm, normal, polynomial

# Each attempt fails for fewer than one in twenty.
_MAX_ATTEMPTS = 32
_BOOST = 0x80000000
# (exp(r) - 1) / r for |r| up to log(2) / 2, relative error of exp below 3e-9. Least squares.
_EXPONENTIAL = (1.0, 0.49999994, 0.166664317, 0.0416680053, 0.00837415271, 0.00138435105)


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents
    key, parameters = tables
    index = draws.element_index(out_extent, out_shape)
    first, second = (_log_gamma(parameters[k], key, index, k) for k in range(2))
    return _sigmoid(first - second).astype(dtype)


def _log_gamma(shape: Any, key: Any, index: Any, stream: int) -> Any:
    """Logarithms of gamma variates, which do not underflow for small shapes.

    `ops/random/beta_draws.h` repeats the arithmetic, so that both give the same bits; see
    `normal_draws`.

    Source: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
    """
    d = jnp.where(shape < 1.0, shape + 1.0, shape) - jnp.float32(1 / 3)
    nine = 9.0 * d
    c = jnp.sqrt(nine) * (1.0 / nine)

    def attempt(state):
        number, value = state
        block = 4 * number + jnp.uint32(2 * stream)
        z = normal(*draws.words(key, index, block))
        u = draws.unit(draws.words(key, index, block + jnp.uint32(1))[0])
        v = c * z + 1.0
        cube = jnp.maximum(v * v * v, jnp.float32(1e-30))
        log_v = logarithm(cube)
        # log(u) < z**2 / 2 + d * (1 - v**3 + log(v**3)), with one product on each side.
        accepted = (v > 0) & (logarithm(u) - 0.5 * z * z < d * (1.0 - cube + log_v))
        return number + 1, jnp.where(jnp.isnan(value) & accepted, log_v, value)

    nothing = jnp.full(jnp.shape(index), jnp.nan, jnp.float32)
    log_v = draws.until_known(attempt, nothing, jnp.uint32(0), _MAX_ATTEMPTS)
    first, _ = draws.words(key, index, jnp.uint32(_BOOST + stream))
    boost = jnp.where(shape < 1.0, 1.0 / shape, 0.0)
    whole = logarithm(((first >> 1).astype(jnp.float32) + 1.0) * jnp.float32(2.0**-31))
    return whole * boost + (logarithm(d) + log_v)


def _sigmoid(x: Any) -> Any:
    """`1 / (1 + exp(-x))`; beyond 87 the exponential would leave float32."""
    x = jnp.clip(-x, -87.0, 87.0)
    whole = jnp.floor(x * jnp.float32(1.44269504) + 0.5)
    r = x - whole * jnp.float32(0.693147182)
    power = (whole.astype(jnp.int32) + 127) << 23
    scale = jax.lax.bitcast_convert_type(power, jnp.float32)
    return 1.0 / ((r * polynomial(_EXPONENTIAL, r) + 1.0) * scale + 1.0)


_beta = Kernel("beta", _sample, cost=16)


@operator("random.beta", random=True)
def beta(
    shape_like: Spec | None = None,
    /,
    *,
    alpha: PerSample[float] = 1.0,
    beta: PerSample[float] = 1.0,
    dtype: DTypeLike | None = None,
    shape: PerSample[list[int]] | None = None,
    key: Sequence[Column],
) -> Output:
    """Draws numbers from a beta distribution, whose density is `x**(alpha-1) (1-x)**(beta-1) / B`.

    Args:
        shape_like: data whose shape the result takes.
        alpha, beta: its parameters, positive and finite.
        dtype: float32 or float64. Default: float32.
        shape: extents of the result. Default: a scalar.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Numbers from 0 to 1 without a layout.

    Raises:
        OperatorError: a parameter that is not positive and finite, both shapes, another dtype.

    Source: DALI `random.Beta`.

    Example:
        >>> weight = dynjax.random.beta(alpha=0.4, beta=0.4, batch_size=3, key=jax.random.key(1))
        >>> weight.shape
        [(), (), ()]
    """
    extents = draws.drawn_shape("random.beta", shape_like, shape)
    out_dtype = draws.drawn_dtype("random.beta", dtype, np.float32, ("float32", "float64"))
    for name, value in (("alpha", alpha), ("beta", beta)):
        if any_of(value <= 0) or any_of(value == np.inf) or any_of(value != value):
            raise OperatorError(f"random.beta: {name}={value!r}; expected positive finite numbers.")
    tables = (Table(np.uint32, key), Table(np.float32, (alpha, beta)))
    return Apply(_beta, extents, out_dtype, None, tables=tables)
