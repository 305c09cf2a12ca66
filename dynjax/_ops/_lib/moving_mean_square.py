"""The mean square over a window that moves along a signal, in JAX."""

from typing import Any

import jax.numpy as jnp


def moving_mean_square(x: Any, window: int) -> Any:
    """`out[i] = sum(x[i - window + 1 .. i] ** 2) / window`, zeros before the start.

    Each window is the end of one block and the start of the next: sums of at most `window`
    elements, whose error does not grow along the signal as that of a running sum does.
    """
    size = x.shape[0]
    blocks = -(-size // window)
    squares = jnp.pad(x * x, (window, blocks * window - size))
    rows = squares.reshape(blocks + 1, window)
    starts = jnp.cumsum(rows, axis=1)
    # What a block contributes to windows that end in the next one: its elements after `i`.
    ends = jnp.flip(jnp.cumsum(jnp.flip(rows, 1), axis=1), 1)
    rest = jnp.pad(ends[:-1, 1:], ((0, 0), (0, 1)))
    sums = starts[1:] + rest
    return sums.reshape(-1)[:size] / window
