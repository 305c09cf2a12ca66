"""`sphere`."""

import numpy as np
import pytest
from support.sampling import assert_rounded, away_from_edges, grid, read

import dynjax as ndd
from dynjax import types


def places(height, width):
    y, x = grid(height, width)
    dy, dx = y - height / 2, x - width / 2
    distance = np.hypot(dy, dx) / (max(height, width) // 2)
    return [height / 2 + dy * distance, width / 2 + dx * distance]


@pytest.mark.parametrize("shape", [(16, 16), (15, 17), (12, 19), (300, 40)])
@pytest.mark.parametrize("kind", ["nn", "linear"])
def test_formula(shape, kind):
    image = np.random.RandomState(1).randint(0, 200, (*shape, 3)).astype(np.uint8)
    interp = {"nn": types.INTERP_NN, "linear": types.INTERP_LINEAR}[kind]
    out = np.asarray(ndd.sphere(ndd.tensor(image), fill_value=7, interp_type=interp))
    where = places(*shape)
    sure = away_from_edges(where) if kind == "nn" else slice(None)
    assert_rounded(out[sure], read(image, where, kind, "constant", 7)[sure])


def test_a_mask_leaves_samples_alone():
    image = np.random.RandomState(1).rand(9, 8, 3).astype(np.float32)
    np.testing.assert_array_equal(np.asarray(ndd.sphere(ndd.tensor(image), mask=0)), image)
    out = ndd.sphere(ndd.as_batch([image, image], layout="HWC"), mask=ndd.batch([1, 0]))
    np.testing.assert_array_equal(np.asarray(out.select(1)), image)
    assert (np.asarray(out.select(0)) != image).any()


def test_refusals():
    with pytest.raises(ndd.OperatorError, match=r"sphere: the input is int32; expected one of"):
        ndd.sphere(ndd.tensor(np.zeros((4, 5, 3), np.int32))).evaluate()
