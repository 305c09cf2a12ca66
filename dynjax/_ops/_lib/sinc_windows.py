"""Windowed-sinc resampling of sound: its weights, and the resampling itself in NumPy.

    out[k] = sum_i x[i] w(i - k step)
    w(t) = sinc(t) (1 + cos(pi t / (lobes + 1/64))) / 2 for |t| <= lobes

w is interpolated linearly between `PHASES` values a sample. Both that and the 1/64 are as in the
original, whose positions however drift by single-precision rounding: up to 1e-3 of the amplitude.
"""

import functools

import numpy as np

PHASES = 32
_GROUP = 1 << 15  # results that are computed together


def lobe_count(quality: float) -> int:
    """How many zero crossings a side the window has, by `quality` from 0 to 100."""
    return round(0.007 * quality * quality - 0.09 * quality + 3)


@functools.cache
def phase_weights(lobes: int) -> np.ndarray:
    """The weights of the `2 * lobes` samples around a position, float32 `[PHASES + 1, 2 * lobes]`.

    Row `p` is for a position `p / PHASES` after a sample, which has column `lobes - 1`.
    """
    column = np.arange(1 - lobes, lobes + 1)
    t = column - np.arange(PHASES + 1)[:, None] / PHASES
    weights = np.sinc(t) * (1 + np.cos(np.pi * t / (lobes + 1 / 64))) / 2
    return np.where(np.abs(t) <= lobes, weights, 0).astype(np.float32)


def resampled(x: np.ndarray, step: float, count: int, lobes: int) -> np.ndarray:
    """Sound at another rate.

    Args:
        x: float32 `[n, channels]`.
        step: samples of the input for each of the result.
        count: samples of the result.
        lobes: see `lobe_count`.

    Returns:
        float32 `[count, channels]`.
    """
    table = phase_weights(lobes)
    padded = np.pad(x, ((lobes - 1, lobes), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * lobes, axis=0)
    out = np.zeros((count, x.shape[1]), np.float32)
    for start in range(0, count, _GROUP):
        position = np.arange(start, min(start + _GROUP, count)) * step
        base = np.floor(position)
        phase = (position - base) * PHASES
        row = np.minimum(phase.astype(np.int64), PHASES - 1)
        part = (phase - row).astype(np.float32)[:, None]
        weights = table[row] * (1 - part) + table[row + 1] * part
        inside = base < len(x)
        near = np.where(inside, base, 0).astype(np.int64)
        values = np.einsum("kt,kct->kc", weights, windows[near])
        out[start : start + len(position)] = np.where(inside[:, None], values, 0)
    return out
