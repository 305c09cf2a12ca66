"""`water`."""

import jax
import numpy as np
import pytest
from support.sampling import assert_rounded, away_from_edges, read

import dynjax as ndd
from dynjax import types

WAVES = {
    "ampl_x": 1.7,
    "ampl_y": 2.3,
    "freq_x": 0.3,
    "freq_y": 0.2,
    "phase_x": 0.3,
    "phase_y": 0.9,
}


def places(height, width):
    y, x = np.mgrid[:height, :width].astype(float)
    return [y + 2.3 * np.cos(0.2 * x + 0.9), x + 1.7 * np.sin(0.3 * y + 0.3)]


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("kind", ["nn", "linear"])
def test_formula(dtype, kind):
    images = [np.random.RandomState(k).randint(0, 200, (15 + k, 19, 3)) for k in range(2)]
    batch = ndd.as_batch([i.astype(dtype) for i in images], layout="HWC")
    interp = {"nn": types.INTERP_NN, "linear": types.INTERP_LINEAR}[kind]
    out = ndd.water(batch, **WAVES, fill_value=7, interp_type=interp)
    inside = jax.jit(lambda b: ndd.water(b, **WAVES, fill_value=7, interp_type=interp))(batch)
    for got, same, image in zip(out, inside, images, strict=True):
        where = places(*image.shape[:2])
        wanted = read(image, where, kind, "constant", 7)
        sure = away_from_edges(where) if kind == "nn" else slice(None)
        assert_rounded(np.asarray(got)[sure], wanted[sure])
        np.testing.assert_array_equal(np.asarray(got), np.asarray(same))


def test_a_mask_leaves_samples_alone():
    images = [np.random.RandomState(k).randint(0, 200, (9, 8, 3)).astype(np.uint8) for k in (0, 1)]
    out = ndd.water(ndd.as_batch(images, layout="HWC"), mask=ndd.batch([0, 1]), ampl_x=3.0)
    np.testing.assert_array_equal(np.asarray(out.select(0)), images[0])
    assert (np.asarray(out.select(1)) != images[1]).any()
    alone = ndd.water(ndd.tensor(images[0]), mask=0)
    np.testing.assert_array_equal(np.asarray(alone), images[0])


def test_refusals():
    with pytest.raises(ndd.OperatorError, match=r"water: the input is int16; expected one of"):
        ndd.water(ndd.tensor(np.zeros((4, 5, 3), np.int16))).evaluate()
    with pytest.raises(ndd.OperatorError, match=r"water: interp_type=.*INTERP_NN, INTERP_LINEAR"):
        ndd.water(ndd.tensor(np.zeros((4, 5, 3), np.uint8)), interp_type="cubic").evaluate()
