"""Slots of several sizes that hold the same samples, in JAX."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp


def fitted(x: Any, shape: Sequence[int]) -> Any:
    """The same samples in slots of another size: cut off, or filled with zeros, at the end."""
    if tuple(x.shape) == tuple(shape):
        return x
    x = x[tuple(slice(0, n) for n in shape)]
    return jnp.pad(x, [(0, n - s) for n, s in zip(shape, x.shape, strict=True)])
