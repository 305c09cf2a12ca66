"""Windows of the Laplacian: second derivatives and smoothing, as columns."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from ..._types.columns import Column, any_of, first_of, is_constant, value_at
from ..._types.errors import OperatorError

LARGEST = 31
_RADIUS = LARGEST // 2


def check_size(what: str, name: str, size: Column, smallest: int) -> None:
    """Raises OperatorError unless a window's size is odd and in range."""
    wrong = (size < smallest) | (size > LARGEST) | (size % 2 == 0)
    if any_of(wrong):
        i = first_of(wrong)
        raise OperatorError(
            f"{what}: sample {i}: {name} is {value_at(size, i)}; expected an odd number from "
            f"{smallest} to {LARGEST}."
        )


@cache
def _tables() -> tuple[np.ndarray, np.ndarray]:
    """For each size its second derivative and its smoothing, centred in `LARGEST` weights."""
    derivative = np.zeros((LARGEST + 1, LARGEST))
    smoothing = np.zeros((LARGEST + 1, LARGEST))
    binomial = np.ones(1)
    for size in range(1, LARGEST + 1, 2):
        # Smoothing is repeated averaging of neighbours; the derivative is that of a smoothed line.
        smoothing[size, _RADIUS - size // 2 : _RADIUS + size // 2 + 1] = binomial
        wider = np.convolve(binomial, [1.0, -2.0, 1.0])
        if size + 2 <= LARGEST:
            outer = _RADIUS - size // 2 - 1
            derivative[size + 2, outer : outer + size + 2] = wider
        binomial = np.convolve(binomial, [1.0, 2.0, 1.0])
    return derivative, smoothing


def derivative_window(size: Column, radius: int) -> list[Column]:
    """Weights of the second derivative: 1 -2 1, smoothed up to `size`."""
    return _window(_tables()[0], size, radius)


def smoothing_window(size: Column, radius: int) -> list[Column]:
    """Binomial weights of a window of `size`; not normalised."""
    return _window(_tables()[1], size, radius)


def _window(table: np.ndarray, size: Column, radius: int) -> list[Column]:
    rows = table[:, _RADIUS - radius : _RADIUS + radius + 1]
    if is_constant(size):
        return rows[int(size)].tolist()
    if isinstance(size, jax.Array):
        return list(jnp.asarray(rows, jnp.float32)[jnp.clip(size, 0, LARGEST)].T)
    return list(rows[np.asarray(size)].T)
