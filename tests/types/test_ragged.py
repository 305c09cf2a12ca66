"""Samples of different sizes: a clear error, and an easy way out."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax as ndd


@pytest.fixture
def batch():
    return ndd.batch(
        [k * np.ones(s, np.float32) for k, s in ((1, (2, 3)), (2, (4, 3)), (3, (1, 3)))]
    )


@pytest.fixture
def boxes():
    return ndd.batch([np.ones((n, 4), np.float32) for n in (2, 0, 5)])


def test_shapes(batch):
    assert batch.shape == [(2, 3), (4, 3), (1, 3)]


@pytest.mark.parametrize(
    "convert",
    [
        jnp.asarray,
        np.asarray,
        lambda b: b.jax(),
        lambda b: b.torch(),
        lambda b: ndd.tensor(b).jax(),
    ],
    ids=["jnp", "np", "jax", "torch", "tensor"],
)
def test_the_error_shows_shapes_and_remedies(batch, convert):
    with pytest.raises(ValueError, match=r"\(2, 3\), \(4, 3\).*[Pp]adding.*resizing"):
        convert(batch)


def test_padding(batch):
    dense = batch.jax(pad=True)
    assert isinstance(dense, jax.Array)
    assert (dense.shape, dense.dtype) == ((3, 4, 3), jnp.float32)
    assert not dense[0, 2:].any()
    assert not dense[2, 1:].any()
    assert dense.sum() == 6 + 24 + 9


def test_lengths_and_mask(batch):
    assert batch.lengths.tolist() == [2, 4, 1]
    mask = batch.mask()
    assert (mask.shape, mask.dtype) == ((3, 4), bool)
    assert mask.tolist() == [[1, 1, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]]
    assert batch.mask(6).shape == (3, 6)
    with pytest.raises(ndd.ArgumentError, match="length=-1"):
        batch.mask(-1)


def test_pad_to(batch):
    dense = batch.jax(pad_to=(6, 3))
    assert dense.shape == (3, 6, 3)
    assert dense.sum() == 39


@pytest.mark.parametrize(
    ("pad_to", "message"),
    [
        ((3, 3), r"sample 1 has shape \(4, 3\) and does not fit pad_to=\(3, 3\) \(4 > 3\)"),
        ((4, 2), r"sample 0 has shape \(2, 3\) and does not fit pad_to=\(4, 2\) \(3 > 2\)"),
        ((4,), r"pad_to=\(4,\) has 1 axes; samples have 2"),
    ],
)
def test_pad_to_refusals(batch, pad_to, message):
    with pytest.raises(ValueError, match=message):
        batch.jax(pad_to=pad_to)


def test_boxes(boxes):
    dense = np.asarray(boxes.jax(pad=True, fill=-1))
    assert dense.shape == (3, 5, 4)
    assert (dense == 1).sum() == 28
    assert (dense == -1).sum() == 32
    assert boxes.lengths.tolist() == [2, 0, 5]
    empty = boxes.select(1)
    assert (empty.shape, empty.dtype) == ((0, 4), ndd.float32)


def test_pytree_keeps_lengths_and_values(batch):
    for moved in (
        jax.tree.map(lambda x: x, batch),
        jax.device_put(batch),
        jax.jit(lambda b: b)(batch),
    ):
        assert isinstance(moved, ndd.Batch)
        assert moved.shape == batch.shape
        assert moved.lengths.tolist() == [2, 4, 1]
        np.testing.assert_array_equal(moved.jax(pad=True), batch.jax(pad=True))


def test_without_samples_there_is_nothing_to_pad():
    none = ndd.batch([np.ones((2, 3)), np.ones((4, 3))]).select([])
    assert none.jax(pad=True).shape[0] == 0
    assert none.lengths.shape == (0,)
    assert none.mask().shape == (0, 0)


@pytest.mark.parametrize("dtype", ["uint8", "bool", "float16", "int64"])
def test_dtypes(dtype):
    batch = ndd.batch([np.ones(1, dtype), np.ones(3, dtype)])
    # What leaves as a JAX array follows JAX's own 32-bit mode.
    wanted = "int32" if dtype == "int64" else dtype
    dense = batch.jax(pad=True)
    assert dense.dtype == wanted
    assert np.asarray(dense).tolist() == [[1, 0, 0], [1, 1, 1]]


def test_no_samples_in_slots_as_an_array():
    none = ndd.batch([np.zeros((3, 2), np.int16), np.zeros((4, 2), np.int16)]).select([])
    out = np.asarray(jax.jit(lambda b: ndd.slice(b, start=[0], axes=[0]))(none))
    assert (out.shape, out.dtype) == (np.asarray(none).shape, np.int16)
