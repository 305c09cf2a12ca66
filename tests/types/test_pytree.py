"""Tensors and batches cross JAX's transformations."""

import chex
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.encoded import encoded
from support.samples import arrays

import dynjax as ndd


def tensor():
    return ndd.tensor(np.arange(6, dtype=np.float32).reshape(2, 3), layout="HW")


def dense():
    return ndd.batch(np.arange(12, dtype=np.float32).reshape(2, 2, 3), layout="HW")


def ragged():
    return ndd.batch([np.full((n, 3), n, np.float32) for n in (2, 4, 1)], layout="HW")


VALUES = [tensor, dense, ragged]


@pytest.fixture(params=VALUES, ids=lambda f: f.__name__)
def value(request):
    return request.param()


def same(got, wanted):
    assert type(got) is type(wanted)
    assert (got.shape, got.dtype, got.layout) == (wanted.shape, wanted.dtype, wanted.layout)
    for a, b in zip(arrays(got), arrays(wanted), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "transform",
    [
        lambda v: jax.tree.map(lambda x: x, v),
        lambda v: jax.tree.unflatten(*reversed(jax.tree.flatten(v))),
        jax.device_put,
        lambda v: jax.device_put(v, jax.devices()[0]),
        jax.jit(lambda v: v),
        lambda v: jax.jit(lambda v: {"x": [v]})(v)["x"][0],
        lambda v: jax.jit(lambda x: jax.lax.cond(True, lambda y: y, lambda y: y, x))(v),
        lambda v: jax.lax.scan(lambda c, _: (c, None), jax.device_put(v), None, length=2)[0],
        lambda v: jax.jit(jax.jit(lambda x: x))(jax.jit(lambda x: x)(v)),
    ],
    ids=["map", "flatten", "put", "put_to", "jit", "nested", "cond", "scan", "twice"],
)
def test_round_trip(value, transform):
    same(transform(value), value)


def test_few_leaves(value):
    assert len(jax.tree.leaves(value)) <= 2


def test_arithmetic_on_leaves():
    doubled = jax.tree.map(lambda x: x * 2, dense())
    np.testing.assert_array_equal(np.asarray(doubled), np.asarray(dense()) * 2)


def test_leaves_that_are_no_arrays(value):
    structure = jax.tree.structure(value)
    rebuilt = jax.tree.unflatten(structure, [None] * structure.num_leaves)
    assert jax.tree.structure(rebuilt, is_leaf=lambda x: x is None) == structure
    shapes = jax.eval_shape(lambda v: v, value)
    assert all(isinstance(x, jax.ShapeDtypeStruct) for x in jax.tree.leaves(shapes))


def test_stacked_batches_under_vmap():
    batches = [ndd.batch(np.full((2, 4, 4, 3), k, np.uint8), layout="HWC") for k in range(3)]
    stacked = jax.tree.map(lambda *x: jnp.stack(x), *batches)
    out = jax.vmap(lambda b: ndd.resize(b, size=(2, 2)).jax())(stacked)
    assert out.shape == (3, 2, 2, 2, 3)
    np.testing.assert_array_equal(out[:, 0, 0, 0, 0], [0, 1, 2])


def test_scan_over_batches():
    batches = [ndd.batch(np.full((2, 3), k, np.float32)) for k in range(3)]
    stacked = jax.tree.map(lambda *x: jnp.stack(x), *batches)
    total, _ = jax.lax.scan(lambda c, b: (c + b.jax().sum(), None), 0.0, stacked)
    assert total == 18


def test_grad_of_a_batch():
    gradient = jax.grad(lambda b: (b.jax() ** 2).sum())(dense())
    same(gradient, jax.tree.map(lambda x: 2 * x, dense()))


def test_other_lengths_in_the_same_bucket_do_not_retrace():
    traces = 0

    @jax.jit
    @chex.assert_max_traces(n=1)
    def total(batch):
        nonlocal traces
        traces += 1
        assert batch.layout == "HW"
        return batch.storage.array.sum()

    for lengths in ((9, 4, 1), (10, 3, 3), (1, 1, 10)):  # 9 and 10 share a slot
        batch = ndd.batch([np.full((n, 3), n, np.float32) for n in lengths], layout="HW")
        assert total(batch) == sum(3 * n * n for n in lengths)
    assert traces == 1


def test_a_batch_that_happens_to_be_uniform_does_not_retrace():
    @jax.jit
    @chex.assert_max_traces(n=1)
    def total(batch):
        return batch.storage.array.sum()

    whole = ndd.batch([np.full((n, 3), n, np.float32) for n in (4, 2, 4, 4)], layout="HW")
    total(whole.select([0, 1, 2]))
    assert total(whole.select([0, 2, 3])) == 3 * 3 * 4 * 4


def test_decoded_pictures_that_happen_to_be_of_one_size_do_not_retrace():
    @jax.jit
    @chex.assert_max_traces(n=1)
    def total(batch):
        return batch.storage.array.sum()

    for sizes in ([(8, 10), (8, 10)], [(8, 10), (7, 9)], [(3, 9), (8, 9)]):
        files = [encoded(np.full((*size, 3), 2, np.uint8)) for size in sizes]
        pictures = ndd.decoders.image(ndd.batch(files))
        assert total(pictures) == sum(6 * h * w for h, w in sizes)


def test_a_batch_too_large_to_pad_is_refused(monkeypatch):
    monkeypatch.setattr("dynjax._types.data.MAX_PADDED_BYTES", 1000)
    batch = ndd.batch([np.zeros((1, 3)), np.zeros((100, 3))])
    with pytest.raises(ValueError, match=r"padded to .* 2 samples take .*limit is 1000.*pad_to="):
        jax.jit(lambda b: b)(batch)


@pytest.mark.parametrize("mode", [False, True])
def test_64_bit_leaves_follow_jax(mode):
    labels = ndd.batch(np.array([3, 2**33]))
    with jax.enable_x64(mode):
        leaf = jax.jit(lambda b: b.storage.array)(labels)
    assert leaf.dtype == ("int64" if mode else "int32")
    assert np.asarray(leaf).tolist() == [3, 2**33 if mode else 0]
    assert labels.dtype == ndd.int64
