"""`reshape`, `reinterpret`, `squeeze`, `expand_dims`: views of the same elements."""

import jax
import numpy as np
import pytest

import dynjax as ndd

X = np.arange(24, dtype=np.int32).reshape(4, 6)


@pytest.mark.parametrize(
    ("arguments", "shape"),
    [
        ({"shape": [3, 8]}, (3, 8)),
        ({"shape": [2, -1, 3]}, (2, 4, 3)),
        ({"rel_shape": [0.5, 2]}, (2, 12)),
        ({"rel_shape": [0.5, -1]}, (2, 12)),
        ({"src_dims": [1, 0]}, (6, 4)),
        ({"src_dims": [1, -1, 0]}, (6, 1, 4)),
    ],
)
def test_shapes(arguments, shape):
    out = np.asarray(ndd.reshape(ndd.tensor(X), **arguments))
    np.testing.assert_array_equal(out, X.reshape(shape))


def test_shape_of_each_sample():
    batch = ndd.batch([X, X[:2]])
    for wanted in (ndd.batch([[8, 3], [3, 4]]), ndd.batch([[-1, 3], [3, -1]])):
        assert ndd.reshape(batch, shape=wanted).shape == [(8, 3), (3, 4)]
        assert ndd.reshape(batch, wanted).shape == [(8, 3), (3, 4)]


def test_layout():
    x = ndd.tensor(X, layout="HW")
    assert ndd.reshape(x, shape=[6, 4]).layout == "HW"
    assert ndd.reshape(x, shape=[24]).layout is None
    assert ndd.reshape(x, shape=[24], layout="A").layout == "A"


@pytest.mark.parametrize("change", [ndd.reshape, ndd.reinterpret])
@pytest.mark.parametrize("shape", [{}, {"shape": [6, 4]}, {"shape": [24]}])
def test_an_empty_layout_removes_it(change, shape):
    x, batch = ndd.tensor(X, layout="HW"), ndd.batch([X, X], layout="HW")
    assert change(x, layout="", **shape).layout is None
    assert change(batch, layout="", **shape).layout is None
    assert jax.jit(lambda b: change(b, layout="", **shape))(batch).layout is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": [5, 5]}, r"sample 0: shape \(4, 6\)"),
        ({"shape": [-1, -1]}, "only one extent"),
        ({"shape": [24], "layout": "AB"}, "layout 'AB' has 2 letters"),
        ({"src_dims": [2, 0]}, "src_dims holds 2"),
        ({}, "none of shape"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ndd.OperatorError, match=f"reshape: .*{message}"):
        ndd.reshape(X, **arguments)


def test_the_user_s_memory_is_not_shared():
    own = X.copy()
    out = ndd.reshape(ndd.as_tensor(own), shape=[24])
    own[:] = 0
    np.testing.assert_array_equal(np.asarray(out), np.arange(24))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "int64"])
def test_reinterpret(dtype):
    out = np.asarray(ndd.reinterpret(ndd.tensor(X), dtype=getattr(ndd, dtype)))
    np.testing.assert_array_equal(out.view(np.int32), X)
    assert out.shape == X.view(dtype).shape


def test_reinterpret_needs_whole_elements():
    with pytest.raises(ndd.OperatorError, match=r"reinterpret: .*multiple"):
        ndd.reinterpret(np.zeros(3, np.uint8), dtype=ndd.int16)


def test_squeeze():
    x = ndd.tensor(np.zeros((2, 1, 3)), layout="HCW")
    for out in (ndd.squeeze(x, axes=[1]), ndd.squeeze(x, axis_names="C")):
        assert (out.shape, out.layout) == ((2, 3), "HW")
    with pytest.raises(ndd.OperatorError, match="squeeze: axis 0 has an extent of 2"):
        ndd.squeeze(np.zeros((2, 1)), axes=[0])
    with pytest.raises(ndd.OperatorError, match="expected one of axes and axis_names"):
        ndd.squeeze(np.zeros((2, 1)))


def test_expand_dims():
    x = ndd.tensor(X, layout="HW")
    out = ndd.expand_dims(x, axes=[1, 0], new_axis_names="XY")
    assert (out.shape, out.layout) == ((1, 1, 4, 6), "YXHW")
    assert ndd.expand_dims(x, axes=0).layout is None
    for axes in ([-1], [0, 0], [5]):
        with pytest.raises(ndd.OperatorError, match="expand_dims: "):
            ndd.expand_dims(X, axes=axes)
