"""How arguments are accepted: lists, matrices, late inputs; what a record says of its operator."""

import inspect
import warnings

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd
from dynjax._execution.arguments import frozen
from dynjax._schema import MAX_INPUTS, REGISTRY

POINTS = np.float32([[1, 2], [3, 4]])
MATRIX = [[0.0, 2.0], [1.0, 0.0]]
MOVED = POINTS @ np.float32(MATRIX).T


@pytest.mark.parametrize(
    "matrix",
    [MATRIX, tuple(map(tuple, MATRIX)), np.array(MATRIX), [0, 2, 1, 0], ndd.tensor(MATRIX)],
    ids=["lists", "tuples", "array", "flat", "tensor"],
)
def test_forms_of_a_matrix(matrix):
    np.testing.assert_array_equal(np.asarray(ndd.coord_transform(POINTS, M=matrix)), MOVED)
    batch = ndd.coord_transform(ndd.batch([POINTS, POINTS]), M=matrix)
    np.testing.assert_array_equal(np.asarray(batch), [MOVED, MOVED])


def test_a_matrix_for_each_sample():
    each = np.stack([MATRIX, np.eye(2)]).astype(np.float32)
    call = lambda p, m: ndd.coord_transform(p, M=m)  # noqa: E731
    points = ndd.batch([POINTS, POINTS])
    for function in (call, jax.jit(call)):
        got = function(points, ndd.batch(each))
        np.testing.assert_array_equal(np.asarray(got), [MOVED, POINTS])
    traced = jax.jit(lambda m: ndd.coord_transform(POINTS, M=m))(each[0])
    np.testing.assert_array_equal(np.asarray(traced), MOVED)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1.0, 0.0], [0.0]], r"M=\[\[1.0, 0.0\], \[0.0\]\]; expected rows of one length"),
        ([[1.0, 0.0, 0.0]], r"M has rows of 3 values; expected 2"),
        ([[[1.0]]], "expected rows of one length"),
    ],
)
def test_matrices_that_do_not_fit(matrix, message):
    with ndd.EvalMode.sync_cpu, pytest.raises((ValueError, RuntimeError), match=message):
        ndd.coord_transform(POINTS, M=matrix)


@pytest.mark.parametrize(
    "size", [[[4, 4]], [[4], [4]], np.ones((1, 2)), ndd.batch(np.ones((1, 2, 1)))]
)
def test_lists_are_not_nested(size):
    image = ndd.batch(np.zeros((1, 8, 8, 3), np.uint8), layout="HWC")
    with pytest.raises(ndd.ArgumentError, match=r"resize: size.*expected (one|a) list"):
        ndd.resize(image, size=size).evaluate()


def test_late_inputs():
    x = ndd.tensor(np.arange(10))
    np.testing.assert_array_equal(np.asarray(ndd.slice(x, [2], [3], axes=[0])), [2, 3, 4])
    with pytest.raises(TypeError, match="slice: shape_input is an input; give it by position"):
        ndd.slice(x, shape_input=[3], axes=[0])
    with pytest.raises(TypeError, match="slice: got 4 inputs; expected 1 to 3"):
        ndd.slice(x, [2], [3], [4], axes=[0])
    shown = str(inspect.signature(ndd.slice))
    assert shown.index("shape_input") < shown.index("/") < shown.index("batch_size")


def test_number_of_inputs_is_checked_inside_jit_too():
    with pytest.raises(TypeError, match="flip: got 2 inputs; expected 1"):
        jax.jit(lambda x: ndd.flip(x, x))(np.zeros((2, 2, 3)))


def test_records():
    assert ndd.cat.max_inputs == MAX_INPUTS
    assert "*inputs" in str(inspect.signature(ndd.cat))
    assert "lengths" not in str(inspect.signature(ndd.sequence_rearrange))
    assert "lengths" not in ndd.sequence_rearrange.arguments
    assert all(type(record) is type(ndd.flip) for record in REGISTRY.values())
    assert ndd.resize.traceable
    assert not ndd.permute_batch.traceable


def test_orders_of_several_lengths():
    frames = ndd.batch(np.arange(8).reshape(2, 4))
    order = ndd.batch([np.int32([3, 0]), np.int32([1, 1, 2])])
    for call in (ndd.sequence_rearrange, jax.jit(ndd.sequence_rearrange)):
        got = arrays(call(frames, new_order=order))
        assert [g.tolist() for g in got] == [[3, 0], [5, 5, 6]]


def test_messages_name_the_call():
    with pytest.raises(TypeError, match=r"^flip: cannot make a tensor of dict"):
        ndd.flip({})
    with pytest.raises(ValueError, match=r"^as_tensor: got None"):
        ndd.as_tensor(None)
    with pytest.raises(TypeError, match=r"^as_batch: a sample cannot be NoneType"):
        ndd.as_batch([None])
    with pytest.raises(ValueError, match=r"^device: got 'cpu:0'; the CPU has no number"):
        ndd.tensor(1, device="cpu:0")
    with pytest.raises(ValueError, match=r"^device: 'foo' is no device"):
        ndd.device("foo")


def test_masks_pick_no_samples():
    with pytest.raises(TypeError, match="flatnonzero"):
        ndd.batch([1, 2]).select([True, False])


def test_scalars_have_no_lengths():
    with pytest.raises(ndd.ArgumentError, match=r"Batch.lengths: the samples are scalars"):
        ndd.batch([1, 2]).lengths  # noqa: B018


def test_infinities_are_clamped_silently():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numbers = np.float32([np.inf, -np.inf, np.nan, 2.5])
        assert np.asarray(ndd.tensor(numbers, dtype=ndd.uint8)).tolist() == [255, 0, 0, 3]
        assert np.asarray(ndd.tensor(numbers, dtype=ndd.bool)).tolist() == [True, True, True, True]


def test_slots_of_several_sizes_meet_eagerly():
    a = ndd.batch([np.arange(n, dtype=np.float32) for n in (9, 4)])
    wide = jax.jit(lambda b: ndd.pad(b, shape=[10]).slice[:9])(a)  # its slot is not a's
    got = arrays(a + wide.slice[:1] * 0 + 1)
    assert [g.tolist() for g in got] == [(np.arange(n) + 1.0).tolist() for n in (9, 4)]


def test_equal_numbers_of_other_kinds_are_not_mistaken():
    """A call is described once for its signature, in which 1, 1.0 and True differ."""
    kinds = [np.asarray(ndd.full(v, shape=[1])).dtype for v in (1, 1.0, True, np.uint8(1))]
    assert kinds == [np.int32, np.float32, bool, np.uint8]
    zeros = [np.asarray(ndd.full(v, shape=[1]))[0] for v in (0.0, -0.0)]
    assert [bool(np.signbit(z)) for z in zeros] == [False, True]
    assert len({frozen(v) for v in (0.0, -0.0, 0, False, np.int64(0), np.float32(0))}) == 6
    assert frozen([1, float("nan")]) == frozen((1, float("nan")))
