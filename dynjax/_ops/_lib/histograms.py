"""Histograms of bytes, in JAX."""

from typing import Any

import jax.numpy as jnp

LEVELS = 256


def histograms(groups: Any, values: Any, counted: Any, count: int) -> Any:
    """How often each byte occurs in each group.

    Args:
        groups: the group of each value, int32.
        values: bytes, of the same shape.
        counted: which of them count, of the same shape.
        count: the number of groups.

    Returns:
        int32 `[count, 256]`.
    """
    position = groups.astype(jnp.int32) * LEVELS + values.astype(jnp.int32)
    ones = jnp.broadcast_to(counted, position.shape).astype(jnp.int32)
    flat = jnp.zeros(count * LEVELS, jnp.int32).at[position.reshape(-1)].add(ones.reshape(-1))
    return flat.reshape(count, LEVELS)
