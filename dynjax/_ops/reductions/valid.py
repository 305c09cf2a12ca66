"""Padded samples, in JAX: what lies inside their extents."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp


def inside(x: Any, extent: Sequence[Any], axes: Sequence[int]) -> Any:
    """Which elements lie inside the extent along some axes; True if all do."""
    mask: Any = True
    for axis in axes:
        if isinstance(extent[axis], int) and extent[axis] == x.shape[axis]:
            continue
        shape = [1] * x.ndim
        shape[axis] = -1
        mask = mask & (jnp.arange(x.shape[axis]) < extent[axis]).reshape(shape)
    return mask


def masked(x: Any, mask: Any, fill: Any) -> Any:
    """The values, and `fill` where the mask is false."""
    return x if mask is True else jnp.where(mask, x, jnp.asarray(fill, x.dtype))


def elements(extent: Sequence[Any], axes: Sequence[int]) -> Any:
    """How many elements one result is made of."""
    count: Any = 1
    for axis in axes:
        count = count * extent[axis]
    return count
