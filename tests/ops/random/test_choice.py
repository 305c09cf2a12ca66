"""`random.choice`."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax as ndd

KEY = jax.random.key(11)


def bits(count):
    words = jax.random.bits(jax.random.fold_in(KEY, 0), (count,), jnp.uint32)
    return np.asarray(words).astype(np.uint64)


@pytest.mark.parametrize("n", [1, 5, 2**31 - 1])
def test_numbers_are_scaled_bits(n):
    got = ndd.random.choice(n, shape=[50], key=KEY)
    assert got.dtype == ndd.int32
    np.testing.assert_array_equal(np.asarray(got), (bits(50) * np.uint64(n)) >> np.uint64(32))


def test_probabilities():
    p = [0.5, 0.0, 0.3, 0.2]
    got = np.asarray(ndd.random.choice(4, p=p, shape=[20000], key=KEY))
    np.testing.assert_allclose(np.bincount(got, minlength=4) / 20000, p, atol=0.018)
    assert 1 not in got


def test_elements_and_slices():
    picked = ndd.random.choice(np.float64([0.5, 1.5, 2.5]), shape=[50], key=KEY)
    index = ((bits(50) * 3) >> 32).astype(int)
    np.testing.assert_array_equal(np.asarray(picked), index + 0.5)
    image = np.arange(4 * 5 * 3).reshape(4, 5, 3).astype(np.uint8)
    rows = ndd.random.choice(ndd.tensor(image, layout="HWC"), shape=[6], key=KEY)
    index = ((bits(6) * 4) >> 32).astype(int)
    np.testing.assert_array_equal(np.asarray(rows), image[index])
    assert rows.layout == "HWC"


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred])
def test_one_element(mode):
    index = int(bits(1)[0] * 3 >> 32)
    with mode:
        for source in ([4, 5, 6], np.arange(4, 7), ndd.tensor([4, 5, 6])):
            for picked in (
                ndd.random.choice(source, key=KEY),
                ndd.random.choice(source, shape=[], key=KEY),
            ):
                assert picked.shape == ()
                assert picked.item() == 4 + index
        assert ndd.random.choice([4, 5, 6], p=[0, 1, 0]).item() == 5
        for made in (ndd.random.choice([4, 5, 6], batch_size=20), ndd.random.choice(rows())):
            assert made.shape == [()] * 20
            assert {v.item() for v in made} <= {4, 5, 6}
    inside = jax.jit(lambda s, k: ndd.random.choice(s, key=k))(ndd.tensor([4, 5, 6]), KEY)
    assert inside.item() == 4 + index


def rows():
    """Samples of 1, 2 and 3 numbers in turn."""
    return ndd.batch([np.arange(4, 5 + k % 3) for k in range(20)])


def test_layout_without_the_picked_axis():
    image = ndd.tensor(np.zeros((4, 5, 3), np.uint8), layout="HWC")
    assert ndd.random.choice(image, key=KEY).layout == "WC"
    assert ndd.random.choice(image, shape=[1, 2], key=KEY).layout is None


def test_ragged_sources_inside_jit():
    samples = [np.arange(12).reshape(4, 3), np.arange(100, 110).reshape(2, 5)]
    source = ndd.batch([s.astype(np.int32) for s in samples])
    eager = ndd.random.choice(source, shape=[3], key=KEY)
    assert eager.shape == [(3, 3), (3, 5)]
    jitted = jax.jit(lambda s, k: ndd.random.choice(s, shape=[3], key=k))(source, KEY)
    for got, inside, sample in zip(eager, jitted, samples, strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(inside))
        assert {tuple(r) for r in np.asarray(got).tolist()} <= {tuple(r) for r in sample.tolist()}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.random.choice(0), "a is not positive"),
        (lambda: ndd.random.choice(np.float32(3)), "expected an integer"),
        (lambda: ndd.random.choice(3, p=[0.5, 0.2, 0.2]), "do not sum to 1"),
        (lambda: ndd.random.choice(2, p=[1.5, -0.5]), r"outside \[0, 1\]"),
        (lambda: ndd.random.choice(3, p=[0.5, 0.5]), "p has 2 values"),
        (lambda: ndd.random.choice(np.zeros((0, 2), np.uint8)), "no elements"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ndd.OperatorError, match=message):
        call().evaluate()
