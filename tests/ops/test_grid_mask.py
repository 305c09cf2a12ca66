"""`grid_mask` against the formula in float64."""

import jax
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd


def masked(height, width, tile, ratio=0.5, angle=0.0, shift_x=0.0, shift_y=0.0):
    """Which pixels are masked, and which lie too near an edge of the grid to tell."""
    y, x = np.mgrid[:height, :width].astype(np.float64)
    cos, sin = np.cos(angle), np.sin(angle)
    u = (cos * x - sin * y - shift_x) / tile
    v = (sin * x + cos * y - shift_y) / tile
    parts = [u - np.floor(u), v - np.floor(v)]
    near = np.zeros((height, width), bool)
    if angle:
        for p in parts:
            for edge in (0, ratio, 1):
                near |= abs(p - edge) < 1e-5
    return (parts[0] < ratio) & (parts[1] < ratio), near


@pytest.mark.parametrize(
    "given",
    [
        {"tile": 4}, {"tile": 3, "ratio": 0.0}, {"tile": 5, "ratio": 1.0},
        {"tile": 4, "ratio": 0.3, "angle": 0.5},
        {"tile": 7, "ratio": 0.6, "angle": -2.0, "shift_x": 1.5, "shift_y": -40.25},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("jit", [False, True])
def test_formula(given, jit):
    image = noise(1, (29, 41, 3)) | 1

    def mask(x):
        return ndd.grid_mask(x, **given)

    got = (jax.jit(mask) if jit else mask)(ndd.tensor(image, layout="HWC"))
    wanted, near = masked(29, 41, **given)
    expected = np.where(wanted[..., None], 0, image)
    np.testing.assert_array_equal(np.asarray(got)[~near], expected[~near])


@pytest.mark.parametrize("layout", ["HWC", "CHW", "FHWC", "HW", "WHC", "HCW"])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_layouts(layout, dtype):
    sizes = {"H": 9, "W": 13, "C": 2, "F": 3}
    image = noise(2, tuple(sizes[a] for a in layout), dtype) + np.dtype(dtype).type(1)
    got = ndd.grid_mask(ndd.tensor(image, layout=layout), tile=4, angle=0.3)
    wanted, near = masked(9, 13, 4, angle=0.3)
    order = [layout.index("H"), layout.index("W")]
    planes = np.moveaxis(np.asarray(got), order, (0, 1))
    original = np.moveaxis(image, order, (0, 1))
    for plane, source in zip(
        planes.reshape(9, 13, -1).T, original.reshape(9, 13, -1).T, strict=True
    ):
        np.testing.assert_array_equal(plane.T[~near], np.where(wanted, 0, source.T)[~near])


@pytest.mark.parametrize("jit", [False, True])
def test_ragged_and_per_sample(jit):
    samples = [noise(1, (9, 11, 3)) | 1, noise(2, (20, 5, 3)) | 1, noise(3, (1, 1, 3)) | 1]

    def mask(x, tile):
        return ndd.grid_mask(x, tile=tile, ratio=0.4)

    tiles = (3, 4, 5)
    got = (jax.jit(mask) if jit else mask)(ndd.batch(samples, layout="HWC"), ndd.batch(tiles))
    for one, image, tile in zip(arrays(got), samples, tiles, strict=True):
        wanted, _ = masked(*image.shape[:2], tile, 0.4)
        np.testing.assert_array_equal(one, np.where(wanted[..., None], 0, image))


def test_errors():
    with pytest.raises(ndd.OperatorError, match="grid_mask: tile=0"):
        ndd.grid_mask(np.ones((4, 4, 1), np.uint8), tile=0).evaluate()
    with pytest.raises(ndd.OperatorError, match="grid_mask: the input has 2 axes"):
        ndd.grid_mask(ndd.tensor(np.ones((4, 4), np.uint8), layout="AB")).evaluate()
    with pytest.raises(ndd.OperatorError, match="grid_mask: the input is int64"):
        ndd.grid_mask(np.ones((4, 4, 1), np.int64)).evaluate()
