"""Separable resampling in float64, straight from its definition; shares no code with dynjax.

Output `o` of an axis is the weighted mean of source pixels `i` about `c = lo + (o + 1/2) s - 1/2`,
with `s = (hi - lo) / size` and weights `k((i - c) / f)`, `f = max(1, |s|)` with antialiasing.
"""

import math

import numpy as np

# A tap on the rim of its filter does not count, however its position is rounded. It matters only to
# the Gaussian, which is cut off at exp(-4).
RIM = 1e-9

FILTERS = {
    "nn": (None, 0),
    "linear": (lambda t: 1 - abs(t), 1),
    "triangular": (lambda t: 1 - abs(t), 1),
    "cubic": (
        lambda t: (
            1.5 * abs(t) ** 3 - 2.5 * t * t + 1
            if abs(t) < 1
            else -0.5 * abs(t) ** 3 + 2.5 * t * t - 4 * abs(t) + 2
        ),
        2,
    ),
    "lanczos3": (lambda t: float(np.sinc(t) * np.sinc(t / 3)), 3),
    "gaussian": (lambda t: math.exp(-4 * t * t), 1),
}


def weights(
    extent: int, size: int, lo: float, hi: float, kind: str, *, antialias=True, border="clamp"
) -> np.ndarray:
    """The matrix `[size, extent]` of one axis."""
    kernel, support = FILTERS[kind]
    step = (hi - lo) / size
    matrix = np.zeros((size, extent))
    for o in range(size):
        position = lo + (o + 0.5) * step
        if kernel is None:
            matrix[o, min(max(math.floor(position), 0), extent - 1)] = 1
            continue
        spread = max(1.0, abs(step)) if antialias else 1.0
        centre = position - 0.5
        for i in range(
            math.floor(centre - support * spread), math.ceil(centre + support * spread) + 1
        ):
            t = (i - centre) / spread
            if abs(t) >= support - RIM or (border == "renormalize" and not 0 <= i < extent):
                continue
            matrix[o, min(max(i, 0), extent - 1)] += kernel(t)
        matrix[o] /= matrix[o].sum()
    return matrix


def resized(image, axes, sizes, kinds, *, roi=None, antialias=True, border="clamp") -> np.ndarray:
    """An image resampled along `axes`, unrounded. `roi` gives (lo, hi) for each axis."""
    result = np.asarray(image, np.float64)
    kinds = [kinds] * len(axes) if isinstance(kinds, str) else kinds
    for k, axis in enumerate(axes):
        extent = result.shape[axis]
        lo, hi = roi[k] if roi is not None else (0, extent)
        matrix = weights(extent, sizes[k], lo, hi, kinds[k], antialias=antialias, border=border)
        result = np.moveaxis(np.tensordot(matrix, result, (1, axis)), 0, axis)
    return result


def assert_rounded(got: np.ndarray, exact: np.ndarray, noise: float) -> None:
    """`got` is `exact`, clamped to its type and rounded to nearest.

    Half a count and no more: a tolerance of 1 could not tell rounding from truncation. `noise` is
    the error that float32 sums may have before they are rounded.
    """
    info = np.iinfo(got.dtype)
    wanted = np.clip(exact, info.min, info.max)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=0.5 + noise)
