"""Mel filters: triangles whose corners are equally far apart in mel."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._types.columns import Column, is_constant, is_traced

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


@functools.lru_cache(maxsize=64)
def _corners(count: int, low: float, high: float, formula: str) -> tuple[float, ...]:
    """The corners of `count` triangles in Hz: two more."""
    to_mel, to_hz = _SCALES[formula]
    return tuple(to_hz(np.linspace(to_mel(low), to_mel(high), count + 2)).tolist())


def corners_in_bins(
    count: int, low: float, high: float, formula: str, step: Column
) -> tuple[Sequence[Column], Sequence[Column]]:
    """The corners of `count` triangles, in frequencies that are `step` Hz apart.

    Returns:
        Two columns for each corner, whose sum it is: one float32 would lose digits that count where
        triangles are narrow.
    """
    hz = _corners(count, low, high, formula)
    return _parts(hz, step) if is_constant(step) else _split([corner / step for corner in hz])


@functools.lru_cache(maxsize=64)
def _parts(hz: tuple[float, ...], step: float) -> tuple[Sequence[Column], Sequence[Column]]:
    return _split([corner / step for corner in hz])


def _split(values: Sequence[Column]) -> tuple[Sequence[Column], Sequence[Column]]:
    if is_traced(*values):
        return values, [0.0] * len(values)
    rounded = [np.asarray(v, np.float32).astype(np.float64) for v in values]
    rounded = [float(v) if v.ndim == 0 else v for v in rounded]
    return rounded, [v - r for v, r in zip(values, rounded, strict=True)]


def filters(corners: Any, rests: Any, size: int, height: Any) -> Any:
    """The weights of frequencies in JAX, `[count, size]`.

    Args:
        corners, rests: see `corners_in_bins`.
        size: number of frequencies.
        height: of a triangle one frequency wide; wider ones are as much lower. None: all have a
            height of 1.
    """
    frequency = jnp.arange(size, dtype=jnp.float32)
    # Differences of what is close first, so that the rests count.
    above = (frequency - corners[:, None]) - rests[:, None]
    width = (corners[1:] - corners[:-1]) + (rests[1:] - rests[:-1])
    rising = above[:-2] / width[:-1, None]
    falling = -above[2:] / width[1:, None]
    weights = jnp.maximum(0, jnp.minimum(rising, falling))
    if height is None:
        return weights
    return weights * (height / (width[:-1] + width[1:]))[:, None]
