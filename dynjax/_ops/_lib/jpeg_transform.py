"""The lossy steps of JPEG in whole numbers, as libjpeg computes them, in JAX.

The cosine transforms give the whole numbers of C. Loeffler, A. Ligtenberg and G. Moschytz,
"Practical fast 1-D DCT algorithms with 11 multiplications", 1989, with factors in units of 2**-13.
Sums of whole numbers do not depend on their order, so that each pass is a product with a matrix:
compilers take far longer over the additions of the fast algorithm, written out.
"""

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


def _matrix() -> np.ndarray:
    """Row k: the factors of eight values in coefficient k, int32 `[8, 8]`; its columns lead back.

    The roundings of the algorithm's own factors stay visible: they are part of its results.
    """
    one, e0, e1, e2 = (round(x * (1 << _BITS)) for x in (1, 0.541196100, 0.765366865, 1.847759065))
    rotations = (1.175875602, 0.899976223, 2.562915447, 1.961570560, 0.390180644)
    z, z1, z2, z3, z4 = (round(x * (1 << _BITS)) for x in rotations)
    gains = (1.501321110, 3.072711026, 2.053119869, 0.298631336)
    g1, g3, g5, g7 = (round(x * (1 << _BITS)) for x in gains)
    half = np.array(
        [
            [one, one, one, one],
            [g1 + z - z1 - z4, z, z - z4, z - z1],
            [e0 + e1, e0, -e0, -e0 - e1],
            [z, g3 + z - z2 - z3, z - z2, z - z3],
            [one, -one, -one, one],
            [z - z4, z - z2, g5 + z - z2 - z4, z],
            [e0, e0 - e2, e2 - e0, -e0],
            [z - z1, z - z3, z, g7 + z - z1 - z3],
        ],
        np.int32,
    )
    # Even coefficients take both halves alike, odd ones their difference.
    mirrored = half[:, ::-1] * np.resize(np.array([1, -1], np.int32), (8, 1))
    return np.concatenate([half, mirrored], axis=1)


_DCT = _matrix()


def quantisers(quality: Any, chroma: bool) -> Any:
    """The steps of the coefficients, int32 `[8, 8]`, for a quality of 1 to 100."""
    quality = jnp.clip(quality, 1, 100)
    scale = jnp.where(quality < 50, 5000 // quality, 200 - 2 * quality)
    base = jnp.asarray(np.array(_CHROMA if chroma else _LUMA, np.int32).reshape(8, 8))
    return jnp.clip((base * scale + 50) // 100, 1, 255)


def _pass(blocks: Any, factors: np.ndarray, axis: int, bits: int) -> Any:
    """One direction of blocks `[m, 8, n, 8]` (axis 1 or 3), rounded by so many bits."""
    subscripts = {1: "kj,mjnx->mknx", 3: "kj,mynj->mynk"}[axis]
    total = jnp.einsum(subscripts, factors, blocks)
    return (total + (1 << (bits - 1))) >> bits


def coded(plane: Any, steps: Any) -> Any:
    """A plane of bytes after quantisation of its 8x8 blocks; int32 `[8 * m, 8 * n]`."""
    rows, columns = plane.shape[0] // 8, plane.shape[1] // 8
    blocks = plane.astype(jnp.int32).reshape(rows, 8, columns, 8) - 128
    blocks = _pass(blocks, _DCT, 3, _BITS - _EXTRA)
    coefficients = _pass(blocks, _DCT, 1, _BITS + _EXTRA)  # in units of 1/8
    step = steps.reshape(1, 8, 1, 8)
    size = (jnp.abs(coefficients) + 4 * step) // (8 * step)
    coefficients = jnp.sign(coefficients) * size * step
    blocks = _pass(coefficients, _DCT.T, 1, _BITS - _EXTRA)
    blocks = _pass(blocks, _DCT.T, 3, _BITS + _EXTRA + 3)
    return jnp.clip(blocks + 128, 0, 255).reshape(plane.shape)
