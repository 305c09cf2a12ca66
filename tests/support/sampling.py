"""Reading images between their pixels, in float64: the reference of the warping operators."""

import numpy as np


def read(image, positions, kind="linear", border="clamp", fill=0.0):
    """Values `[*grid, C]` of an image `[*extents, C]` at positions, pixel centres at i + 0.5.

    `positions`: one array for each axis of the image, in its order.
    """
    image = image.astype(np.float64)
    taps = []
    for p in positions:
        centre = p if kind == "nn" else p - 0.5
        first = np.floor(centre).astype(int)
        if kind == "nn":
            taps.append([(first, 1.0)])
        elif kind == "linear":
            taps.append([(first, 1 - (centre - first)), (first + 1, centre - first)])
        else:
            taps.append([(first + k, keys(centre - first - k)) for k in range(-1, 3)])
    return _summed(image, taps, border, fill)


def keys(t, a=-0.75):
    """Keys' cubic filter."""
    t = np.abs(t)
    inner = ((a + 2) * t - (a + 3)) * t * t + 1
    outer = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    return np.where(t < 1, inner, np.where(t < 2, outer, 0))


def _summed(image, taps, border, fill):
    total, inside, index, weight = 0.0, True, (), 1.0

    def visit(axis, index, inside, weight):
        nonlocal total
        if axis == len(taps):
            value = image[index]
            if border == "constant":
                value = np.where(np.asarray(inside)[..., None], value, fill)
            total = total + value * np.asarray(weight)[..., None]
            return
        n = image.shape[axis]
        for number, share in taps[axis]:
            within = (number >= 0) & (number < n)
            visit(axis + 1, (*index, settled(number, n, border)), inside & within, weight * share)

    visit(0, index, inside, weight)
    return total


def settled(number, n, border):
    """A pixel's number moved into the image."""
    modes = {"wrap": "wrap", "reflect": "symmetric", "reflect_101": "reflect"}
    if border not in modes:
        return np.clip(number, 0, n - 1)
    reach = int(np.abs(number).max()) + n + 1
    return np.pad(np.arange(n), reach, mode=modes[border])[number + reach]


def grid(*extents):
    """Positions of the pixels of a canvas: one array for each axis."""
    return np.meshgrid(*(np.arange(n) + 0.5 for n in extents), indexing="ij")


def mapped(matrix, places):
    """Positions `places` (in the order of the axes) taken through a matrix (x first)."""
    matrix = np.asarray(matrix, np.float64)
    points = np.stack([*reversed(places), np.ones_like(places[0])])
    out = np.einsum("ij,j...->i...", matrix, points)
    d = len(places)
    if len(matrix) > d:
        out = out[:d] / out[d]
    return list(out[::-1])


def away_from_edges(positions, tolerance=1e-3):
    """Where a nearest pixel does not hang on the last bits of a position."""
    near = [np.abs(p - np.round(p)) < tolerance for p in positions]
    return ~np.logical_or.reduce(near)


def assert_rounded(got, wanted, noise=0.02):
    """Integers are the nearest to the exact values, up to what float32 positions add."""
    assert got.shape == wanted.shape
    if got.dtype.kind == "f":
        np.testing.assert_allclose(got, wanted, rtol=0, atol=noise)
        return
    info = np.iinfo(got.dtype)
    wanted = np.clip(wanted, info.min, info.max)
    np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=0, atol=0.5 + noise)
