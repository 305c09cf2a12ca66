"""Deferred mode: pending expressions are compiled as one function, with the bits of eager mode."""

import threading

import numpy as np
import pytest
from support.loops import assert_same, pictures, ragged, values

import dynjax as ndd


def expressions(x, rng):
    y = ndd.cast(x, dtype=ndd.float32) * 0.37 + 0.1
    half = ndd.cast(ndd.cast(y, dtype=ndd.float16) * 1.1, dtype=ndd.float32) + y
    mean = y - ndd.reductions.mean(y, axes=[0, 1], keep_dims=True)
    noisy = mean * ndd.random.uniform(batch_size=4, rng=rng)
    wide = ndd.cast(x, dtype=ndd.int64) * 3_000_000 - 1
    return [y, half, ndd.math.sqrt(ndd.math.abs(mean)) / 3, noisy, wide, ndd.flip(y * 2) + 1]


@pytest.mark.parametrize(
    "x", [pictures(1), pictures(1, 1200), ragged(1)], ids=["small", "large", "ragged"]
)
def test_same_bits(x):
    eager = values(expressions(x, ndd.random.RNG(seed=1)))
    with ndd.EvalMode.deferred:
        results = expressions(x, ndd.random.RNG(seed=1))
    assert_same(eager, values(results))


def test_one_program_for_an_expression(compiles):
    x = ndd.cast(pictures(2, 1200), dtype=ndd.float32)

    def chain():
        y = x
        for k in range(6):
            y = y * 1.25 + k
        return np.asarray(y)

    with ndd.EvalMode.deferred, compiles() as first:
        chain()
    with ndd.EvalMode.deferred, compiles() as second:
        chain()
    assert (first.count, second.count) == (1, 0)


def test_shapes_are_known_before_anything_runs():
    with ndd.EvalMode.deferred:
        y = ndd.cast(pictures(3, 1200), dtype=ndd.float32) * 2
        assert (y.shape[0], y.dtype, y.batch_size) == ((1200, 10, 3), ndd.float32, 4)
        assert y.pending is not None


def test_intermediate_values_can_be_used_later():
    with ndd.EvalMode.deferred:
        x = ndd.cast(pictures(4, 1200), dtype=ndd.float32)
        a = x * 2
        b, c = a + 1, a - 1
        np.testing.assert_array_equal(np.asarray(b), np.asarray(x) * 2 + 1)
        del b
        np.testing.assert_array_equal(np.asarray(c), np.asarray(x) * 2 - 1)
        np.testing.assert_array_equal(np.asarray(a), np.asarray(x) * 2)
        dropped = a * 3
        kept = dropped + 1
        del dropped, a
        np.testing.assert_array_equal(np.asarray(kept), np.asarray(x) * 6 + 1)


def test_a_failed_input_fails_what_needs_it():
    with ndd.EvalMode.deferred:
        bad = ndd.decoders.image(ndd.batch([np.frombuffer(b"no image", np.uint8)] * 2))
        good = ndd.full_like(ndd.batch(np.zeros((2, 3), np.float32)), 1) + 1
        result = bad * 2 + 1
        with pytest.raises(RuntimeError, match=r"decoders\.image"):
            np.asarray(result)
        np.testing.assert_array_equal(np.asarray(good), np.full((2, 3), 2))


def test_values_cross_threads():
    with ndd.EvalMode.deferred:
        x = ndd.cast(pictures(5), dtype=ndd.float32)
        results = [x * k + 1 for k in range(4)]
    got = {}

    def read(k):
        got[k] = np.asarray(results[k])

    threads = [threading.Thread(target=read, args=(k,)) for k in (0, 1, 2, 3, 0, 1)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k in range(4):
        np.testing.assert_array_equal(got[k], np.asarray(x) * np.float32(k) + 1)


def test_borrowed_memory_is_read_at_the_call():
    array = np.ones((2, 3), np.float32)
    with ndd.EvalMode.deferred:
        y = ndd.as_tensor(array) * 2
        array[:] = 5
        np.testing.assert_array_equal(np.asarray(y), np.full((2, 3), 2))
