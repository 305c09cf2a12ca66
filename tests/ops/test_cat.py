"""`cat` and `stack`."""

import numpy as np
import pytest

import dynjax as ndd

A, B = np.arange(6).reshape(2, 3), np.arange(10, 20).reshape(2, 5)


def test_cat():
    np.testing.assert_array_equal(ndd.cat(A, B, axis=1), np.concatenate([A, B], 1))
    np.testing.assert_array_equal(ndd.cat(A, B, axis=-1), np.concatenate([A, B], 1))
    np.testing.assert_array_equal(ndd.cat(A, A, A), np.concatenate([A, A, A]))
    x = ndd.tensor(A, layout="HW")
    out = ndd.cat(x, B, axis_name="W")
    assert (out.shape, out.layout) == ((2, 8), "HW")


def test_ragged_batches():
    out = ndd.cat(ndd.batch([A, A[:1]]), ndd.batch([B, B[:1]]), axis=1)
    for got, want in zip(out, ([A, B], [A[:1], B[:1]]), strict=True):
        np.testing.assert_array_equal(got, np.concatenate(want, 1))


def test_a_sample_serves_a_batch():
    out = ndd.stack(ndd.batch([A, A + 1]), A)
    for i, got in enumerate(out):
        np.testing.assert_array_equal(got, np.stack([A + i, A]))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_stack(axis):
    np.testing.assert_array_equal(ndd.stack(A, A + 1, axis=axis), np.stack([A, A + 1], axis))


def test_stack_names_its_axis():
    x = ndd.tensor(A, layout="HW")
    assert ndd.stack(x, x, axis=-2, axis_name="C").layout == "HCW"
    assert ndd.stack(x, x).layout is None


def test_many_inputs():
    assert ndd.stack(*[A] * 200).shape == (200, 2, 3)


def test_errors():
    with pytest.raises(ndd.OperatorError, match="cat: axis 2 does not exist"):
        ndd.cat(A, A, axis=2)
    with pytest.raises(ndd.OperatorError, match="cat: input 1 is float32"):
        ndd.cat(A, np.float32(A))
    with pytest.raises(ndd.OperatorError, match="stack: sample 0: input 1 has an extent of 5"):
        ndd.stack(A, B)
    with pytest.raises(TypeError, match="stack: got 0 inputs"):
        ndd.stack()
