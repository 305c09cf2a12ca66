"""`tensor[...]` and `batch.slice[...]` against NumPy's indexing."""

import jax
import numpy as np
import pytest
from support.samples import arrays, padded

import dynjax as ndd

DATA = np.arange(24, dtype=np.int64).reshape(2, 3, 4)
KEYS = [
    *(0, -1, (slice(None), 1), (..., 0), (0, 0), (1, 2, 3), (..., slice(3, 0, -2))),
    *(slice(2, 0, -1), slice(-100, 1), slice(3, 1), (slice(None, None, -1), slice(0, 5, 2))),
    *(slice(None, None, -1), slice(0, None), slice(-5, -1), (slice(9, None, -1), slice(1, -1))),
]
SAMPLES = [np.arange(20 + 10 * i, dtype=np.int32).reshape(4 + 2 * i, 5) for i in range(3)]
EQUAL = [s[:4] for s in SAMPLES]


def same(got, wanted):
    wanted = list(wanted)
    for a, b in zip(arrays(got), wanted, strict=True):
        np.testing.assert_array_equal(a, b, strict=True)
    assert got.shape == [w.shape for w in wanted]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_tensor(key):
    got = ndd.tensor(DATA)[key]
    np.testing.assert_array_equal(np.asarray(got), DATA[key], strict=True)
    assert got.shape == DATA[key].shape


@pytest.mark.parametrize("key", [k for k in KEYS if k != (1, 2, 3)], ids=str)
def test_ragged_batch(key):
    whole = [np.stack([s, s + 100]).swapaxes(0, 1) for s in SAMPLES]
    same(ndd.batch(whole).slice[key], [w[key] for w in whole])


@pytest.mark.parametrize("form", ["dense", "packed", "padded"])
@pytest.mark.parametrize("key", [1, (..., -1), slice(1, 3), slice(None, None, -2)], ids=str)
def test_forms(form, key):
    samples = EQUAL if form == "dense" else SAMPLES
    if form == "padded":
        batch = padded(samples, (8, 5), fill=7, layout="HW", constant=(1,))
    else:
        batch = ndd.batch(samples, layout="HW")
    same(batch.slice[key], [s[key] for s in samples])


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(
    "key",
    [lambda i: i, lambda i: (i, 1), lambda i: slice(i, 4), lambda i: (slice(1), i)],
    ids=["row", "element", "bound", "column"],
)
def test_one_index_for_each_sample(jit, key):
    def pick(batch, index):
        return batch.slice[key(index)]

    rows = [0, 3, -1]
    got = (jax.jit(pick) if jit else pick)(ndd.batch(EQUAL), ndd.batch(rows))
    same(got, [s[key(i)] for s, i in zip(EQUAL, rows, strict=True)])


@pytest.mark.parametrize("key", [1, (..., -1), slice(1, 3), slice(None, None, -2)], ids=str)
def test_jit(key):
    batch = ndd.batch(SAMPLES)
    same(jax.jit(lambda b: b.slice[key])(batch), [s[key] for s in SAMPLES])


def test_jit_of_a_slice_whose_size_is_data():
    same(jax.jit(lambda b: b.slice[1:])(ndd.batch(SAMPLES)), [s[1:] for s in SAMPLES])


def test_traced_index():
    row = jax.jit(lambda t, i: t[i, ::-1, 1:])(ndd.tensor(DATA.astype(np.int32)), 1)
    np.testing.assert_array_equal(np.asarray(row), DATA[1, ::-1, 1:])


def test_derivative():
    gradient = jax.grad(lambda t: (t[1:, 0] * 2.0).jax().sum())(ndd.tensor(DATA.astype(np.float32)))
    wanted = np.zeros(DATA.shape)
    wanted[1:, 0] = 2
    np.testing.assert_array_equal(np.asarray(gradient), wanted)


def test_index_may_be_any_integer():
    tensor = ndd.tensor([10, 11, 12])
    for one in (np.int64(1), np.array(1), ndd.tensor(1), True):
        assert tensor[one].item() == 11
    assert tensor[ndd.tensor(1) :].shape == (2,)


def test_everything_is_the_value_itself():
    tensor, batch = ndd.tensor(DATA), ndd.batch(SAMPLES)
    for key in (slice(None), ..., (), slice(None, None, 1)):
        assert tensor[key] is tensor
        assert batch.slice[key] is batch


@pytest.mark.parametrize(
    ("key", "layout"),
    [(0, "WC"), ((..., 0), "HW"), ((0, 0), "C"), ((0, 0, 0), None), (slice(1), "HWC")],
    ids=str,
)
def test_layout(key, layout):
    assert ndd.tensor(DATA, layout="HWC")[key].layout == layout


@pytest.mark.parametrize(
    ("key", "text"),
    [(5, "index 5 of axis 0"), (-3, "index -3"), (slice(None, None, 0), "step 0"), (None, "None")],
    ids=str,
)
def test_errors_wait_for_the_value(key, text):
    failed = ndd.tensor(DATA)[key]
    with pytest.raises(ndd.OperatorError, match=text):
        failed.evaluate()


def test_out_of_range_is_an_index_error_too():
    failed = ndd.tensor(DATA)[5]
    with pytest.raises(IndexError, match="2 elements"):
        _ = failed.shape


@pytest.mark.parametrize("key", [[1], np.arange(2), "a", 1.5], ids=str)
def test_no_index(key):
    failed = ndd.batch(SAMPLES).slice[key]
    with pytest.raises(ndd.OperatorError, match="must be an integer"):
        failed.evaluate()


def test_too_many_indices():
    with pytest.raises(ndd.ArgumentError, match="4 indices for samples of 3 axes"):
        ndd.tensor(DATA)[0, 0, 0, 0]
    failed = ndd.batch(SAMPLES).slice[0, 0, 0]
    with pytest.raises(ndd.OperatorError, match="3 indices for samples of 2 axes"):
        failed.evaluate()
    with pytest.raises(ndd.ArgumentError, match="ellipsis"):
        ndd.tensor(DATA)[..., 0, ...]


def test_index_of_another_batch_size():
    with pytest.raises(ndd.ArgumentError, match="2, 3"):
        ndd.batch(SAMPLES).slice[ndd.batch([0, 1])]


def test_borrowed_memory_stays_borrowed():
    array = np.arange(6).reshape(2, 3)
    row = ndd.as_tensor(array)[1]
    assert row.external
    with pytest.raises(ndd.OperatorError, match="axis 0"):  # at the call: the array may change
        ndd.as_tensor(array)[2]


def test_iteration_ends():
    assert [row.shape for row in ndd.tensor(DATA)] == [(3, 4), (3, 4)]
    assert ndd.tensor([1, 2]) is not None
    with pytest.raises(TypeError, match="scalar"):
        list(ndd.tensor(1))


def test_truth():
    assert ndd.tensor([[1]])
    assert not ndd.tensor(0.0)
    with pytest.raises(ndd.ArgumentError, match="ambiguous"):
        bool(ndd.tensor([1, 2]))
