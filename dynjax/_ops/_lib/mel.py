"""Mel filters: triangles whose corners are equally far apart in mel."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

FORMULAS = ("slaney", "htk")

# Slaney's scale is linear below 1 kHz (15 mel) and logarithmic above.
_HZ_PER_MEL = 200 / 3
_BREAK_HZ, _BREAK_MEL = 1000.0, 15.0
_LOG_STEP = math.log(6.4) / 27


def _slaney(hz: float) -> float:
    if hz < _BREAK_HZ:
        return hz / _HZ_PER_MEL
    return _BREAK_MEL + math.log(hz / _BREAK_HZ) / _LOG_STEP


def _slaney_hz(mel: np.ndarray) -> np.ndarray:
    above = _BREAK_HZ * np.exp(_LOG_STEP * (np.maximum(mel, _BREAK_MEL) - _BREAK_MEL))
    return np.where(mel < _BREAK_MEL, mel * _HZ_PER_MEL, above)


def _htk(hz: float) -> float:
    return 1127.0 * math.log1p(hz / 700.0)


def _htk_hz(mel: np.ndarray) -> np.ndarray:
    return 700.0 * np.expm1(mel / 1127.0)


_SCALES: dict[str, tuple[Callable[[float], float], Callable[[np.ndarray], np.ndarray]]] = {
    "slaney": (_slaney, _slaney_hz),
    "htk": (_htk, _htk_hz),
}


def corners(count: int, low: float, high: float, formula: str) -> np.ndarray:
    """The corners of `count` triangles in Hz, float64 `[count + 2]`."""
    to_mel, to_hz = _SCALES[formula]
    return to_hz(np.linspace(to_mel(low), to_mel(high), count + 2))


def filters(xp: Any, hz: Any, bins: Any, size: int, rate: float, normalize: bool) -> Any:
    """The weights of frequencies, `[count, size]`.

    Args:
        xp: NumPy, or `jnp` if `bins` is known only inside a compiled program.
        hz: see `corners`.
        bins: number of frequencies, from 0 to half of the sampling rate.
        size: extent of the frequency axis; at least `bins`.
        rate: sampling rate in Hz.
        normalize: give each triangle an area of 1 Hz instead of a height of 1.
    """
    step = rate / 2 / xp.maximum(bins - 1, 1)
    frequency = xp.arange(size) * step
    low, middle, high = hz[:-2, None], hz[1:-1, None], hz[2:, None]
    rising = (frequency - low) / (middle - low)
    falling = (high - frequency) / (high - middle)
    weights = xp.maximum(0, xp.minimum(rising, falling))
    return weights * (2 / (high - low)) if normalize else weights
