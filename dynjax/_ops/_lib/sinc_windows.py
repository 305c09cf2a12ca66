"""Windowed-sinc resampling of sound: its weights, and the resampling itself outside of operators.

    out[k] = sum_i x[i] w(i - k step)
    w(t) = sinc(t) (1 + cos(pi t / (lobes + 1/64))) / 2 for |t| <= lobes

w is interpolated linearly between `PHASES` values a sample. Both that and the 1/64 are as in the
original, whose positions however drift by single-precision rounding: up to 1e-3 of the amplitude.
"""

import functools

import numpy as np

from ..._direct import NO_BUFFER, direct_call
from .fixed_point import ratio_digits

PHASES = 32  # also in ops/audio/sinc.h


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
    """Sound at another rate, by the kernel of `audio_resample`.

    Args:
        x: float32 `[n, channels]`.
        step: samples of the input for each of the result.
        count: samples of the result.
        lobes: see `lobe_count`.

    Returns:
        float32 `[count, channels]`.
    """
    out = np.empty((1, count, x.shape[1]), np.float32)
    extents = [np.array([[n, x.shape[1]]], np.int32) for n in (len(x), count)]
    steps = np.array([ratio_digits(step, 1.0)], np.int32)
    single, whole = np.dtype(np.float32), np.dtype(np.int32)
    static = (("lobes", lobes),)
    call = direct_call("audio_resample", static, False, (single,), (whole,), single)
    call([NO_BUFFER, np.ascontiguousarray(x[None]), *extents, steps], [out])
    return out[0]
