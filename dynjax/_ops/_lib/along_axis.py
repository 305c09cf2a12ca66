"""A matrix applied along one axis of a sample, in JAX."""

from typing import Any

import jax
import jax.numpy as jnp


def applied(matrix: Any, x: Any, axis: int, length: Any) -> Any:
    """`out[..., k, ...] = sum_n matrix[k, n] x[..., n, ...]` over the first `length` elements."""
    if not (isinstance(length, int) and length == x.shape[axis]):
        shape = [1] * x.ndim
        shape[axis] = -1
        inside = (jnp.arange(x.shape[axis]) < length).reshape(shape)
        x = jnp.where(inside, x, jnp.zeros((), x.dtype))
    result = jnp.tensordot(matrix, x, (1, axis), precision=jax.lax.Precision.HIGHEST)
    return jnp.moveaxis(result, 0, axis)
