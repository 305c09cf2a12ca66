"""`jitter`."""

import jax
import numpy as np
import pytest

import dynjax as ndd

KEY = jax.random.key(5)


def test_pixels_come_from_nearby_and_evenly():
    x = np.broadcast_to(np.arange(100.0, dtype=np.float32)[None, :, None], (100, 100, 1))
    out = np.asarray(ndd.jitter(ndd.tensor(x), nDegree=4, fill_value=-1, key=KEY))[:, 5:-5, 0]
    moved = out - x[:, 5:-5, 0]
    shares = [(moved == d).mean() for d in (-2, -1, 0, 1, 2)]
    # Half a pixel belongs to each of the ends; three deviations of 9000 draws.
    np.testing.assert_allclose(shares, [1 / 8, 1 / 4, 1 / 4, 1 / 4, 1 / 8], atol=0.014)


def test_repeatable_and_apart():
    image = np.random.RandomState(0).randint(0, 255, (6, 7, 3)).astype(np.uint8)
    batch = ndd.as_batch([image, image], layout="HWC")
    a, b = ndd.jitter(batch, key=KEY), ndd.jitter(batch, key=KEY)
    np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    assert (np.asarray(a)[0] != np.asarray(a)[1]).any()
    masked = ndd.jitter(batch, mask=ndd.batch([0, 1]), key=KEY)
    np.testing.assert_array_equal(np.asarray(masked)[0], image)


def test_refusals():
    with pytest.raises(ndd.OperatorError, match=r"jitter: nDegree=-1; expected 0 or more"):
        ndd.jitter(ndd.tensor(np.zeros((4, 5, 3), np.uint8)), nDegree=-1, key=KEY).evaluate()
