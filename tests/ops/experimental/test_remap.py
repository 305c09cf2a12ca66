"""`experimental.remap`."""

import jax
import numpy as np
import pytest
from support.sampling import assert_rounded, away_from_edges, read

import dynjax as ndd

remap = ndd.experimental.remap


def noise(seed, shape, dtype="uint8"):
    return np.random.RandomState(seed).randint(0, 200, shape).astype(dtype)


def maps(seed, height, width):
    rng = np.random.RandomState(seed)
    return [(rng.rand(height, width) * 16 - 2).astype(np.float32) for _ in range(2)]


@pytest.mark.parametrize("kind", ["nn", "linear", "cubic"])
@pytest.mark.parametrize("origin", ["corner", "center"])
def test_formula(kind, origin):
    image, (x, y) = noise(1, (11, 13, 3)), maps(2, 5, 9)
    out = remap(ndd.tensor(image, layout="HWC"), x, y, interp=kind, pixel_origin=origin)
    shift = 0.5 if origin == "center" else 0
    where = [y.astype(float) + shift, x.astype(float) + shift]
    wanted = read(image, where, kind, "constant", 0)
    sure = away_from_edges(where) if kind == "nn" else slice(None)
    assert_rounded(np.asarray(out)[sure], wanted[sure])


def test_ragged_batches_and_jit():
    images = [noise(k, (8 + k, 12, 2)) for k in range(3)]
    pairs = [maps(k, 4 + k, 6) for k in range(3)]
    batch = ndd.as_batch(images, layout="HWC")
    x, y = (ndd.as_batch([p[k][..., None] for p in pairs]) for k in range(2))
    jitted = jax.jit(remap)(batch, x, y)
    for got, same, image, pair in zip(remap(batch, x, y), jitted, images, pairs, strict=True):
        assert_rounded(np.asarray(got), read(image, pair[::-1], border="constant"))
        np.testing.assert_array_equal(np.asarray(got), np.asarray(same))


def test_sequences():
    clip = noise(1, (2, 8, 9, 1))
    pairs = [maps(k, 5, 6) for k in range(2)]
    x, y = (np.stack([p[k] for p in pairs]) for k in range(2))
    tensor = ndd.tensor(clip, layout="FHWC")
    each = np.asarray(remap(tensor, ndd.tensor(x, layout="FHW"), ndd.tensor(y, layout="FHW")))
    shared = np.asarray(remap(tensor, *pairs[0]))
    for f in range(2):
        assert_rounded(each[f], read(clip[f], pairs[f][::-1], border="constant"))
        assert_rounded(shared[f], read(clip[f], pairs[0][::-1], border="constant"))


def test_refusals():
    image, (x, y) = ndd.tensor(noise(1, (5, 6, 3)), layout="HWC"), maps(1, 4, 5)
    with pytest.raises(ndd.OperatorError, match=r"remap: mapx is float64"):
        remap(image, x.astype(float), y).evaluate()
    with pytest.raises(ndd.OperatorError, match=r"remap: .*mapx has shape"):
        remap(image, x[:2], y).evaluate()
    with pytest.raises(ndd.ArgumentError, match=r"remap: .*expected HWC"):
        remap(ndd.tensor(noise(1, (3, 5, 6)), layout="CHW"), x, y).evaluate()
