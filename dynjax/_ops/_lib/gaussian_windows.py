"""Windows of the Gaussian blur, as columns."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from ..._types.columns import (
    Column,
    any_of,
    array_module,
    as_double,
    both,
    ceil,
    first_of,
    is_constant,
    is_traced,
    value_at,
    where,
)
from ..._types.errors import OperatorError

# Windows whose size only a compiled program knows have room for this many weights on each side.
TRACED_RADIUS = 31


def sigma_and_size(what: str, sigma: Column, size: Column) -> tuple[Column, Column]:
    """Both parameters of a window, where one of them may be 0: not given.

    Raises:
        OperatorError: both are 0, a negative sigma or an even size.
    """
    for wrong, problem in (
        (both(sigma == 0, size == 0), "sigma and window_size are both 0; expected one of them"),
        (sigma < 0, "sigma is negative"),
        (both(size != 0, size % 2 == 0), "window_size is even; expected an odd number"),
        (size < 0, "window_size is negative"),
    ):
        if any_of(wrong):
            i = first_of(wrong)
            raise OperatorError(
                f"{what}: sample {i}: {problem} (sigma={value_at(sigma, i)}, "
                f"window_size={value_at(size, i)})."
            )
    own_size = 2 * ceil(3 * sigma) + 1
    own_sigma = ((size - 1) / 2 - 1) * 0.3 + 0.8
    return where(sigma == 0, own_sigma, sigma), where(size == 0, own_size, size)


def largest_radius(sizes: Sequence[Column]) -> int:
    """How many weights on each side serve all samples, in few steps."""
    radius = 0
    for size in sizes:
        if is_traced(size):
            return TRACED_RADIUS
        largest = size if is_constant(size) else np.max(size, initial=1)
        radius = max(radius, int(largest) // 2)
    return next_step(radius)


def next_step(radius: int) -> int:
    """Few sizes of windows, so that few programs are compiled: 0, 1, 2, 3, 4, 6, 8, 12, 16, ..."""
    if radius <= 4:
        return radius
    step = 1 << (radius - 1).bit_length() - 2
    return -(-radius // step) * step


def gaussian_window(sigma: Column, size: Column, radius: int) -> list[Column]:
    """`exp(-t**2 / (2 sigma**2))` for |t| <= radius, zero outside the window, of sum 1."""
    sigma, reach = as_double(sigma), (size - 1) / 2
    if is_traced(sigma, size):
        return _traced_window(sigma, reach, radius)
    xp = array_module(sigma, size)
    weights = [where(reach >= t, xp.exp(-0.5 * (t / sigma) ** 2), 0.0) for t in range(radius + 1)]
    total = weights[0] + 2.0 * sum(weights[1:])
    weights = [w / total for w in weights]
    return [*weights[:0:-1], *weights]


def _traced_window(sigma: Column, reach: Column, radius: int) -> list[Column]:
    """All weights at once: one by one they would be a program that takes long to compile."""
    t = jnp.arange(radius + 1, dtype=jnp.float32)[:, None]
    weights = jnp.where(reach >= t, jnp.exp(-0.5 * (t / sigma) ** 2), 0.0)
    weights = weights / (weights[0] + 2.0 * weights[1:].sum(axis=0))
    return [*weights[:0:-1], *weights]
