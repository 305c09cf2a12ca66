"""Kernels whose parameters may vary from frame to frame, in JAX."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def by_frame(apply: Callable[[Any, Any, int], Any], image: Any, rows: Any) -> Any:
    """Applies a function with the parameters of each frame.

    Args:
        apply: `(image, row, dropped)`, where `dropped` axes have been taken from the front.
        image: frames first, where there is more than one row.
        rows: parameters `[frames, k]`; a single row serves the whole image.
    """
    if rows.shape[0] == 1:
        return apply(image, rows[0], 0)
    index = jnp.minimum(jnp.arange(image.shape[0]), rows.shape[0] - 1)
    return jax.vmap(lambda frame, row: apply(frame, row, 1))(image, rows[index])
