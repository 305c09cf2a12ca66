"""`zeros`, `ones`, `full` and their `_like` forms; `one_hot`; `lookup_table`."""

import jax
import numpy as np
import pytest

import dynjax as ndd


def test_constants():
    assert np.asarray(ndd.zeros(shape=[2, 3])).dtype == np.int32
    np.testing.assert_array_equal(ndd.ones(shape=[2], dtype=ndd.float32), [1, 1])
    assert np.asarray(ndd.ones()).item() == 1
    out = ndd.zeros(shape=[2, 2], layout="HW", batch_size=3)
    assert (out.shape, out.layout) == ([(2, 2)] * 3, "HW")
    assert ndd.zeros(shape=ndd.batch([[1, 2], [3, 4]])).shape == [(1, 2), (3, 4)]


def test_full_broadcasts():
    np.testing.assert_array_equal(ndd.full([[1], [2]], shape=[2, 3]), [[1] * 3, [2] * 3])
    with pytest.raises(ndd.OperatorError, match="does not broadcast"):
        ndd.full(np.arange(2), shape=[3])


def test_full_of_scalars():
    for value in (5, 6, 2.5, 7, 8):  # memory that is not written would hold an earlier one
        for made in (
            ndd.full(value),
            ndd.full(value, shape=[]),
            ndd.full(np.array([value])),
            ndd.full_like(ndd.tensor(type(value)(1)), value),
        ):
            assert made.shape == ()
            assert made.item() == value
        assert [v.item() for v in ndd.full(value, batch_size=3)] == [value] * 3
        assert (ndd.full(value, shape=[], batch_size=2) + 1).select(1).item() == value + 1
    assert ndd.zeros_like(ndd.tensor(3.0)).item() == 0
    with ndd.EvalMode.deferred:
        assert ndd.full(9).item() == 9
    assert jax.jit(lambda x: ndd.full_like(x, 4))(ndd.tensor(1)).item() == 4


def test_like():
    x = ndd.batch([np.zeros((2, 3), np.float32), np.zeros((4, 1), np.float32)], layout="HW")
    out = ndd.ones_like(x, dtype=ndd.int32)
    assert (out.shape, out.dtype, out.layout) == (x.shape, ndd.int32, "HW")
    assert (np.asarray(ndd.full_like(x, 2.5).select(1)) == 2.5).all()


def test_layout_must_fit():
    with pytest.raises(ndd.OperatorError, match="zeros: layout 'HWC' has 3 letters"):
        ndd.zeros(shape=[1], layout="HWC").evaluate()


def test_one_hot():
    numbers = np.array([0, 2, 5, -1])
    want = (numbers[:, None] == np.arange(3)).astype(np.float32)
    np.testing.assert_array_equal(ndd.one_hot(numbers, num_classes=3), want)
    out = ndd.one_hot(numbers, num_classes=3, axis=0, on_value=5, off_value=-1, dtype=ndd.int8)
    np.testing.assert_array_equal(out, np.where(want.T, 5, -1))
    assert ndd.one_hot(np.int32(1), num_classes=3).shape == (3,)
    assert ndd.one_hot(np.int32([1]), num_classes=3).shape == (3,)
    assert ndd.one_hot(np.int32([[1]]), num_classes=3).shape == (3,)
    assert ndd.one_hot(np.int32([[1], [2]]), num_classes=3).shape == (2, 1, 3)
    assert ndd.one_hot(ndd.batch([1, 2]), num_classes=3).shape == [(3,)] * 2
    np.testing.assert_array_equal(
        ndd.one_hot(np.float32([1.7, 0]), num_classes=2), [[0, 1], [1, 0]]
    )


@pytest.mark.parametrize(
    ("axis", "shape"),
    [(None, (3,)), (0, (3, 1, 1)), (1, (1, 3, 1)), (2, (1, 1, 3)), (-1, (1, 1, 3))],
)
@pytest.mark.parametrize("number", [0, 2, 7])
def test_one_hot_of_one_number(axis, shape, number):
    """Shapes as recorded from the original."""
    want = (number == np.arange(3)).reshape(shape)
    alone = np.int32([[number]])

    def vector(x):
        return ndd.one_hot(x, num_classes=3, axis=axis)

    np.testing.assert_array_equal(vector(alone), want)
    np.testing.assert_array_equal(vector(ndd.batch([alone, alone])), [want, want])
    np.testing.assert_array_equal(jax.jit(vector)(ndd.batch([alone, alone])), [want, want])
    np.testing.assert_array_equal(jax.jit(vector)(ndd.tensor(alone)), want)


def test_one_number_beside_several_keeps_its_axis():
    out = ndd.one_hot(ndd.batch([[2], [1, 0]]), num_classes=3)
    assert out.shape == [(1, 3), (2, 3)]


def test_one_hot_names_its_axis():
    x = ndd.tensor([[0, 1]], layout="HW")
    assert ndd.one_hot(x, num_classes=2, axis=0, axis_name="C").layout == "CHW"
    one = ndd.tensor([2], layout="W")
    assert ndd.one_hot(one, num_classes=3, axis_name="C").layout == "C"
    assert ndd.one_hot(one, num_classes=3, axis=0, axis_name="C").layout == "CW"


def test_lookup_table():
    numbers = np.array([[0, 1], [5, -1]])
    out = ndd.lookup_table(numbers, keys=[0, 1], values=[2.5, 3], default_value=-1, dtype=ndd.int32)
    np.testing.assert_array_equal(out, [[3, 3], [-1, -1]])
    for dtype in ("uint8", "int8", "uint16", "int32", "uint64"):
        samples = [np.array([[0, 7, 3]], dtype), np.array([[3], [9], [100]], dtype)]
        out = ndd.lookup_table(ndd.batch(samples), keys=[3, 7], values=[0.5, 70], dtype=ndd.float16)
        np.testing.assert_array_equal(out.select(0), [[0, 70, 0.5]])
        np.testing.assert_array_equal(out.select(1), [[0.5], [0], [0]])
    for dtype in ("uint8", "int8", "uint16", "int16", "int32"):
        info = np.iinfo(dtype)
        ends = np.array([0, info.min, info.max, 3], dtype)
        look = lambda x: ndd.lookup_table(x, keys=[0, 255, 65535], values=[1, 2, 3])  # noqa: E731
        np.testing.assert_array_equal(jax.jit(look)(ends), look(ends))
    whole = np.arange(65536, dtype=np.uint16)
    out = ndd.lookup_table(whole, keys=[65535], values=[1], dtype=ndd.uint8)
    np.testing.assert_array_equal(np.flatnonzero(out), [65535])
    with pytest.raises(ndd.OperatorError, match="lookup_table: 1 keys, but 2 values"):
        ndd.lookup_table(numbers, keys=[0], values=[1, 2])
    with pytest.raises(ndd.OperatorError, match="lookup_table: the input is float64"):
        ndd.lookup_table(np.zeros(2))
