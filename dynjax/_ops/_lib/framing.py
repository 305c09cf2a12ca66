"""Cutting a signal into overlapping windows, in JAX."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._types.columns import Column, maximum

# Windows that overlap more often than this are gathered element by element.
_MAX_BLOCKS = 64


def frame_count(length: Column, window: int, step: int, centred: bool) -> Any:
    """How many windows a signal has; the last one that is not centred may reach beyond the end."""
    if centred:
        return length // step + 1
    return maximum(length - window, 0) // step + 1


def reflected(index: Any, length: Any) -> Any:
    """Where an element of the signal, mirrored at its first and last one without end, lies."""
    period = jnp.maximum(2 * (length - 1), 1)
    index = index % period
    return jnp.minimum(index, period - index)


def extended(signal: Any, length: Any, before: int, total: int, reflect: bool) -> Any:
    """The signal with what windows see before its start and after its end.

    Args:
        signal: `[slot]`.
        length: of the signal proper.
        before: elements in front.
        total: of the result.
        reflect: mirror the signal there; otherwise it is 0.

    Returns:
        `[total]`.
    """
    slot = signal.shape[0]
    after = max(total - before - slot, 0)
    inside = jnp.arange(slot) < length
    middle = jnp.where(inside, signal, jnp.zeros((), signal.dtype))
    if not reflect:
        return jnp.pad(middle, (before, after))[:total]
    first = signal[reflected(jnp.arange(-before, 0), length)]
    whole = jnp.concatenate([first, middle, jnp.zeros(after + before, signal.dtype)])
    # No window reaches further beyond the end than the first one before the start.
    last = signal[reflected(length + jnp.arange(before + 1), length)]
    start = jnp.asarray(before + length, jnp.int32)
    whole = jnp.pad(whole, (0, max(before + slot + before + 1 - whole.shape[0], 0)))
    return jax.lax.dynamic_update_slice(whole, last, (start,))[:total]


def framed(signal: Any, count: int, window: int, step: int) -> Any:
    """Windows `[count, window]` of a signal of `(count - 1) * step + window` elements."""
    blocks = -(-window // step)
    if blocks > _MAX_BLOCKS:
        index = np.arange(count)[:, None] * step + np.arange(window)
        return signal[index]
    size = (count + blocks - 1) * step
    rows = jnp.pad(signal, (0, max(size - signal.shape[0], 0)))[:size].reshape(-1, step)
    parts = [rows[b : b + count] for b in range(blocks)]
    return jnp.concatenate(parts, axis=1)[:, :window]
