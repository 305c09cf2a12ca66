"""The lossy steps of JPEG in whole numbers, as libjpeg computes them, in JAX.

The cosine transforms are those of C. Loeffler, A. Ligtenberg and G. Moschytz, "Practical fast 1-D
DCT algorithms with 11 multiplications", 1989, with factors in units of 2**-13.
"""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

# Standard tables of ITU-T T.81, annex K.
_LUMA = (
    *(16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55),
    *(14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62),
    *(18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92),
    *(49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99),
)
_CHROMA = (
    *(17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99),
    *(24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99),
    *([99] * 32),
)
_BITS = 13  # of the factors
_EXTRA = 2  # more bits between the passes
_F = {
    name: round(value * (1 << _BITS))
    for name, value in {
        "c0": 0.298631336,
        "c1": 0.390180644,
        "c2": 0.541196100,
        "c3": 0.765366865,
        "c4": 0.899976223,
        "c5": 1.175875602,
        "c6": 1.501321110,
        "c7": 1.847759065,
        "c8": 1.961570560,
        "c9": 2.053119869,
        "c10": 2.562915447,
        "c11": 3.072711026,
    }.items()
}


def quantisers(quality: Any, chroma: bool) -> Any:
    """The steps of the coefficients, int32 `[8, 8]`, for a quality of 1 to 100."""
    quality = jnp.clip(quality, 1, 100)
    scale = jnp.where(quality < 50, 5000 // quality, 200 - 2 * quality)
    base = jnp.asarray(np.array(_CHROMA if chroma else _LUMA, np.int32).reshape(8, 8))
    return jnp.clip((base * scale + 50) // 100, 1, 255)


def _rounded(x: Any, bits: int) -> Any:
    return (x + (1 << (bits - 1))) >> bits


def _odd_products(t4: Any, t5: Any, t6: Any, t7: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Shared by both directions: the rotated sums of the odd part."""
    z5 = (t4 + t6 + t5 + t7) * _F["c5"]
    z1, z2 = -(t4 + t7) * _F["c4"], -(t5 + t6) * _F["c10"]
    z3, z4 = z5 - (t4 + t6) * _F["c8"], z5 - (t5 + t7) * _F["c1"]
    return z1, z2, z3, z4, z5


def _forward_1d(x: Sequence[Any], down: int, up: int) -> list[Any]:
    """Eight values to eight coefficients; `down` and `up` are bits of the result's scale."""
    s = [x[k] + x[7 - k] for k in range(4)]
    d = [x[3 - k] - x[4 + k] for k in range(4)]
    s0, s3, s1, s2 = s[0] + s[3], s[0] - s[3], s[1] + s[2], s[1] - s[2]
    z = (s2 + s3) * _F["c2"]
    z1, z2, z3, z4, _ = _odd_products(*d)
    even = [(s0 + s1) << up, (s0 - s1) << up] if up else None
    out: list[Any] = [None] * 8
    out[0], out[4] = even or (_rounded(s0 + s1, _EXTRA), _rounded(s0 - s1, _EXTRA))
    out[2] = _rounded(z + s3 * _F["c3"], down)
    out[6] = _rounded(z - s2 * _F["c7"], down)
    out[7] = _rounded(d[0] * _F["c0"] + z1 + z3, down)
    out[5] = _rounded(d[1] * _F["c9"] + z2 + z4, down)
    out[3] = _rounded(d[2] * _F["c11"] + z2 + z3, down)
    out[1] = _rounded(d[3] * _F["c6"] + z1 + z4, down)
    return out


def _inverse_1d(c: Sequence[Any], down: int) -> list[Any]:
    """Eight coefficients to eight values."""
    z = (c[2] + c[6]) * _F["c2"]
    t2, t3 = z - c[6] * _F["c7"], z + c[2] * _F["c3"]
    t0, t1 = (c[0] + c[4]) << _BITS, (c[0] - c[4]) << _BITS
    even = [t0 + t3, t1 + t2, t1 - t2, t0 - t3]
    z1, z2, z3, z4, _ = _odd_products(c[7], c[5], c[3], c[1])
    odd = [
        c[1] * _F["c6"] + z1 + z4,
        c[3] * _F["c11"] + z2 + z3,
        c[5] * _F["c9"] + z2 + z4,
        c[7] * _F["c0"] + z1 + z3,
    ]
    first = [_rounded(e + o, down) for e, o in zip(even, odd, strict=True)]
    last = [_rounded(e - o, down) for e, o in zip(even, odd, strict=True)]
    return [*first, *last[::-1]]


def coded(plane: Any, steps: Any) -> Any:
    """A plane of bytes after quantisation of its 8x8 blocks; int32 `[8 * m, 8 * n]`."""
    rows, columns = plane.shape[0] // 8, plane.shape[1] // 8
    blocks = plane.astype(jnp.int32).reshape(rows, 8, columns, 8) - 128
    x = _forward_1d([blocks[..., k] for k in range(8)], _BITS - _EXTRA, _EXTRA)
    middle = jnp.stack(x, axis=-1)
    x = _forward_1d([middle[:, k] for k in range(8)], _BITS + _EXTRA, 0)
    coefficients = jnp.stack(x, axis=1)  # in units of 1/8
    step = steps.reshape(1, 8, 1, 8)
    size = (jnp.abs(coefficients) + 4 * step) // (8 * step)
    coefficients = jnp.sign(coefficients) * size * step
    x = _inverse_1d([coefficients[:, k] for k in range(8)], _BITS - _EXTRA)
    middle = jnp.stack(x, axis=1)
    x = _inverse_1d([middle[..., k] for k in range(8)], _BITS + _EXTRA + 3)
    values = jnp.clip(jnp.stack(x, axis=-1) + 128, 0, 255)
    return values.reshape(plane.shape)
