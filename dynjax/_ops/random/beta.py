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

# Each attempt fails for fewer than one in twenty.
_MAX_ATTEMPTS = 32
_BOOST = 0x80000000


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents
    key, parameters = tables
    index = draws.element_index(out_extent, out_shape)
    pair = (2, *[1] * index.ndim)
    shapes = jnp.broadcast_to(parameters.reshape(pair), (2, *index.shape))
    stream = jnp.arange(2, dtype=jnp.uint32).reshape(pair)
    gammas = _log_gamma(shapes, key, jnp.broadcast_to(index, shapes.shape), stream)
    return jax.nn.sigmoid(gammas[0] - gammas[1]).astype(dtype)


def _log_gamma(shape: Any, key: Any, index: Any, stream: Any) -> Any:
    """Logarithms of gamma variates, which do not underflow for small shapes.

    Source: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
    """
    d = jnp.where(shape < 1.0, shape + 1.0, shape) - 1.0 / 3.0
    c = 1.0 / jnp.sqrt(9.0 * d)

    def attempt(state):
        number, value = state
        first, second = draws.words(key, index, 2 * number + stream)
        z = np.sqrt(2.0) * jax.lax.erf_inv(2.0 * draws.unit(first) + (2.0**-24 - 1.0))
        u = draws.unit(second)
        v = (1.0 + c * z) ** 3
        log_v = jnp.log(jnp.maximum(v, 1e-30))
        accepted = (v > 0) & (jnp.log(u) < 0.5 * z * z + d - d * v + d * log_v)
        return number + 1, jnp.where(jnp.isnan(value) & accepted, log_v, value)

    log_v = draws.until_known(attempt, jnp.full_like(d, jnp.nan), jnp.uint32(0), _MAX_ATTEMPTS)
    first, _ = draws.words(key, index, stream + jnp.uint32(_BOOST))
    boost = jnp.log((first.astype(jnp.float32) + 1.0) * jnp.float32(2.0**-32)) / shape
    return jnp.log(d) + log_v + jnp.where(shape < 1.0, boost, 0.0)


_beta = Kernel("beta", _sample, native=False, cost=128)


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
