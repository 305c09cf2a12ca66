"""Bytes of sRGB to and from CIE L*a*b*, in the integer arithmetic that OpenCV made common.

Each step is a look-up in a table or a product with whole numbers, so that every implementation
gives the same bytes. `L` runs from 0 to 255, `a` and `b` are offset by 128.
"""

from functools import cache
from typing import Any

import jax.numpy as jnp
import numpy as np

_WHITE = np.array([0.950456, 1.0, 1.088754])
_TO_XYZ = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
)
_FROM_XYZ = np.array(
    [
        [3.240479, -1.53715, -0.498535],
        [-0.969256, 1.875991, 0.041556],
        [0.055648, -0.204043, 1.057311],
    ]
)
# Whole numbers stand for these fractions of 1.
_MATRIX = 1 << 12
_LINEAR = 255 << 3  # of linear light
_ROOT = 1 << 15  # of f, the cube root with a linear start
_CUBE = 1 << 14  # of f and of XYZ on the way back
_LOWEST = -8145  # of f on the way back
_TO = np.rint(_TO_XYZ / _WHITE[:, None] * _MATRIX).astype(np.int32)
_FROM = np.rint(_FROM_XYZ * _WHITE * _MATRIX).astype(np.int32)


@cache
def _forward() -> tuple[np.ndarray, np.ndarray]:
    """Linear light of each byte, and f of linear light."""
    byte = np.arange(256) / 255
    light = np.where(byte <= 0.04045, byte / 12.92, ((byte + 0.055) / 1.055) ** 2.4)
    x = np.arange(_LINEAR // 255 * 256 * 3 // 2) / _LINEAR
    root = np.where(x < 0.008856, x * 7.787 + 16 / 116, np.cbrt(x))
    return np.rint(light * _LINEAR).astype(np.int32), np.rint(root * _ROOT).astype(np.int32)


@cache
def _backward() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Y and f of each lightness, X or Z of f, and the byte of linear light."""
    lightness = np.arange(256) * 100 / 255
    dark = lightness <= 8
    f = np.where(dark, lightness / 116 + 16 / 116, (lightness + 16) / 116)
    y = np.where(dark, lightness * 27 / 24389, f**3)
    i = np.arange(_LOWEST, _CUBE * 9 // 4 + _LOWEST)
    linear = np.sign(i) * (np.abs(i) * 108 // 841) - _CUBE * 16 // 116 * 108 // 841
    cube = np.where(i <= 3390, linear, i * i // _CUBE * i // _CUBE)
    light = np.arange(_MATRIX) / _MATRIX
    byte = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return tuple(np.rint(t).astype(np.int32) for t in (y * _CUBE, f * _CUBE, cube, byte * 255))  # type: ignore[return-value]


def _descaled(x: Any, bits: int) -> Any:
    return (x + (1 << (bits - 1))) >> bits


def to_lab(image: Any) -> tuple[Any, Any, Any]:
    """L, a and b of uint8 `[..., 3]`, as int32 0 to 255."""
    light, root = (jnp.asarray(t) for t in _forward())
    r, g, b = (light[image[..., c].astype(jnp.int32)] for c in range(3))
    fx, fy, fz = (root[_descaled(r * int(m[0]) + g * int(m[1]) + b * int(m[2]), 12)] for m in _TO)
    foot = -((16 * 255 * _ROOT + 50) // 100)
    lightness = _descaled((116 * 255 + 50) // 100 * fy + foot, 15)
    a = _descaled(500 * (fx - fy) + 128 * _ROOT, 15)
    b = _descaled(200 * (fy - fz) + 128 * _ROOT, 15)
    return tuple(jnp.clip(v, 0, 255) for v in (lightness, a, b))  # type: ignore[return-value]


def from_lab(lightness: Any, a: Any, b: Any) -> Any:
    """uint8 `[..., 3]` of int32 components."""
    y_of, f_of, cube, byte = (jnp.asarray(t) for t in _backward())
    f, y = f_of[lightness], y_of[lightness]
    x = cube[f + ((5 * a * 53687 + 128) >> 13) - 128 * _CUBE // 500 - _LOWEST]
    z = cube[f - (((b * 41943 + 16) >> 9) - 128 * _CUBE // 200 + 1) - _LOWEST]
    channels = [
        byte[jnp.clip(_descaled(x * int(m[0]) + y * int(m[1]) + z * int(m[2]), 14), 0, _MATRIX - 1)]
        for m in _FROM
    ]
    return jnp.stack(channels, axis=-1).astype(jnp.uint8)
