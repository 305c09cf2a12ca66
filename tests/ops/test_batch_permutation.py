"""`batch_permutation`."""

import jax
import numpy as np
import pytest

import dynjax as ndd


def order(count, seed, **options):
    batch = ndd.batch_permutation(batch_size=count, key=jax.random.key(seed), **options)
    return np.asarray(ndd.as_tensor(batch))


@pytest.mark.parametrize("count", [1, 2, 9])
@pytest.mark.parametrize("no_fixed_points", [False, True])
def test_permutations(count, no_fixed_points):
    for seed in range(5):
        got = order(count, seed, no_fixed_points=no_fixed_points)
        assert got.dtype == np.int32
        assert sorted(got) == list(range(count))
        assert not no_fixed_points or count == 1 or np.all(got != np.arange(count))


def test_repetitions():
    drawn = np.stack([order(5, seed, allow_repetitions=True) for seed in range(200)])
    assert set(drawn.ravel()) == set(range(5))
    assert any(len(set(row)) < 5 for row in drawn)
    moved = [order(5, s, allow_repetitions=True, no_fixed_points=True) for s in range(50)]
    assert np.all(np.stack(moved) != np.arange(5))


def test_all_permutations_occur_equally():
    seen = np.array([order(3, seed) for seed in range(600)]) @ [9, 3, 1]
    _, counts = np.unique(seen, return_counts=True)
    assert len(counts) == 6
    assert np.all(abs(counts - 100) < 5 * np.sqrt(100 * 5 / 6))


def test_jit_equals_eager():
    def call(key):
        return ndd.batch_permutation(batch_size=6, no_fixed_points=True, key=key).jax()

    np.testing.assert_array_equal(
        jax.jit(call)(jax.random.key(2)), order(6, 2, no_fixed_points=True)
    )


def test_the_batch_size_is_required():
    with pytest.raises(ndd.ArgumentError, match="batch_size is required"):
        ndd.batch_permutation()
