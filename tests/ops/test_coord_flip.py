"""`coord_flip` against 2 c - p."""

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd

POINTS = np.array([[0.1, 0.2, 0.7], [0.3, 0.9, 0.0]], np.float32)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("jit", [False, True])
def test_formula(n, jit):
    flips = {"flip_x": 0, "flip_y": 1, "flip_z": 1}

    def flip(p):
        return ndd.coord_flip(p, center_y=0.25, **flips)

    wanted = POINTS[:, :n].astype(np.float64)
    for axis, center in ((1, 0.25), (2, 0.5)):
        if axis < n:
            wanted[:, axis] = 2 * center - wanted[:, axis]
    got = (jax.jit(flip) if jit else flip)(ndd.tensor(POINTS[:, :n]))
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=0, atol=1e-6)


def test_order_of_the_coordinates():
    got = np.asarray(ndd.coord_flip(POINTS[:, :2], layout="yx"))
    np.testing.assert_allclose(got, [[0.1, 0.8], [0.3, 0.1]], rtol=0, atol=1e-6)


def test_ragged_and_per_sample():
    samples = [POINTS[:, :2], POINTS[:1, :2]]
    got = ndd.coord_flip(ndd.batch(samples), flip_x=ndd.batch([1, 0]))
    np.testing.assert_allclose(arrays(got)[0][:, 0], 1 - POINTS[:, 0], rtol=0, atol=1e-6)
    np.testing.assert_array_equal(arrays(got)[1], samples[1])


@pytest.mark.parametrize(
    ("points", "given", "text"),
    [
        (np.ones((2, 4), np.float32), {}, "4] coordinates; expected 1 to 3"),
        (POINTS, {"layout": "xyy"}, "layout='xyy'"),
        (POINTS[:, :2], {"layout": "zy"}, "layout='zy'"),
    ],
)
def test_errors(points, given, text):
    with pytest.raises(ndd.OperatorError, match=f"coord_flip: .*{text}"):
        ndd.coord_flip(points, **given).evaluate()


def test_other_types_are_refused_by_the_call():
    with pytest.raises(ndd.OperatorError, match="coord_flip: points are int32"):
        ndd.coord_flip(np.ones((2, 2), np.int32))
