"""Picking samples of a batch, in each stored form."""

import jax
import numpy as np
import pytest
from support.samples import arrays, padded

import dynjax as ndd

SAMPLES = [np.full((k + 1, 3), k, np.float32) for k in (0, 2, 1, 0)]
EQUAL = [np.full((2, 3), k, np.float32) for k in range(4)]


def dense():
    return EQUAL, ndd.batch(EQUAL, layout="HW")


def dense_jax():
    return EQUAL, jax.jit(lambda b: b)(ndd.batch(EQUAL, layout="HW"))


def packed():
    return SAMPLES, ndd.batch(SAMPLES, layout="HW")


def in_slots():
    return SAMPLES, padded(SAMPLES, (4, 3), fill=7, layout="HW", constant=(1,))


def through_jit():
    return SAMPLES, jax.jit(lambda b: b)(ndd.batch(SAMPLES, layout="HW"))


FORMS = [dense, dense_jax, packed, in_slots, through_jit]


@pytest.fixture(params=FORMS, ids=lambda f: f.__name__)
def case(request):
    return request.param()


def same(got, wanted):
    got = arrays(got)
    assert len(got) == len(wanted)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


def test_members(case):
    samples, batch = case
    assert batch.batch_size == 4
    assert batch.shape == [s.shape for s in samples]
    assert (batch.ndim, batch.dtype, batch.layout) == (2, ndd.float32, "HW")
    assert batch.device == ndd.Device("cpu")
    assert batch.evaluate() is batch
    assert batch.cpu() is batch


def test_iteration(case):
    samples, batch = case
    same(batch, samples)
    assert [t.layout for t in batch] == ["HW"] * 4
    assert all(isinstance(t, ndd.Tensor) for t in batch)


@pytest.mark.parametrize("which", [0, 3, -1, -4, np.int64(2)])
def test_select_one(case, which):
    samples, batch = case
    one = batch.select(which)
    assert isinstance(one, ndd.Tensor)
    assert (one.shape, one.layout) == (samples[which].shape, "HW")
    np.testing.assert_array_equal(np.asarray(one), samples[which], strict=True)


@pytest.mark.parametrize(
    "which",
    [
        *(slice(1, 3), slice(None, None, -1), slice(0, 0), slice(-2, None)),
        *([], [2], [3, 0, 0], [-1, 1]),
    ],
    ids=repr,
)
def test_select_several(case, which):
    samples, batch = case
    wanted = samples[which] if isinstance(which, slice) else [samples[i] for i in which]
    some = batch.select(which)
    assert isinstance(some, ndd.Batch)
    assert (some.batch_size, some.ndim, some.dtype) == (len(wanted), 2, ndd.float32)
    same(some, wanted)
    assert some.layout == "HW"


def test_select_all(case):
    assert case[1].select(...) is case[1]


@pytest.mark.parametrize("which", [4, -5, [0, 4]])
def test_select_out_of_range(case, which):
    with pytest.raises(IndexError, match=r"^Batch.select: sample -?[45] of a batch of 4"):
        case[1].select(which)


@pytest.mark.parametrize("which", [(0, 1), np.array([0]), 1.0, True, "a", None])
def test_select_by_something_else(which):
    with pytest.raises(TypeError, match=r"^Batch.select: .* picks no samples"):
        dense()[1].select(which)


def test_subscript_says_what_to_do():
    with pytest.raises(TypeError, match=r"batch\[0\] is ambiguous.*\.select.*\.slice"):
        dense()[1][0]


def test_tensors(case):
    samples, batch = case
    tensors = batch.tensors
    assert len(tensors) == 4
    np.testing.assert_array_equal(np.asarray(tensors[-1]), samples[-1])
    same(tensors.tolist(), samples)
    same(tensors[1:], samples[1:])
    # Indices of a part count within that part.
    np.testing.assert_array_equal(np.asarray(tensors[[2, 1]][0]), samples[2])
    same(tensors[1:][[0, 2]].as_batch(), [samples[1], samples[3]])
    same(tensors.select([0]), samples[:1])
    assert tensors.select(...) is tensors
    with pytest.raises(IndexError):
        tensors[4]


def test_dense_conversion():
    samples, batch = dense()
    np.testing.assert_array_equal(np.asarray(batch), np.stack(samples))
    np.testing.assert_array_equal(np.asarray(batch, np.int64), np.stack(samples))
    np.testing.assert_array_equal(batch.jax(), np.stack(samples))


def test_equal_samples_in_a_ragged_form_convert_without_padding():
    batch = padded(EQUAL, (4, 3), fill=7, layout="HW")
    np.testing.assert_array_equal(np.asarray(batch), np.stack(EQUAL))
    np.testing.assert_array_equal(batch.jax(), np.stack(EQUAL))


def test_views_are_read_only(case):
    _, batch = case
    views = [np.asarray(batch.select(0)), np.asarray(next(iter(batch)))]
    if batch.spec.uniform:
        views.append(np.asarray(batch))
    for view in views:
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 5


def test_a_copy_is_writeable(case):
    samples, batch = case
    copy = np.array(batch.select(0))
    copy[...] = 99
    np.testing.assert_array_equal(np.asarray(batch.select(0)), samples[0])
