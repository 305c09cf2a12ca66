"""`vmap` over a batch maps over its samples: the function sees a Tensor, and gives a batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd

IMAGES = [noise(i, shape) for i, shape in enumerate([(5, 7, 3), (6, 4, 3), (3, 3, 3)])]
RAGGED = ndd.batch(IMAGES, layout="HWC")
DENSE = ndd.batch(np.stack([noise(i, (5, 7, 3)) for i in range(3)]), layout="HWC")
FORMS = {"ragged": RAGGED, "dense": DENSE}
CALLS = {
    "resize": lambda x: ndd.resize(x, size=(4, 4)),
    "normalise": lambda x: ndd.crop_mirror_normalize(x, crop=(3, 3), mean=[9.0], std=[2.0]),
    "arithmetic": lambda x: x * 2 + 1,
    "window": lambda x: ndd.slice(x, rel_shape=[0.5, 0.5], axes=[0, 1]),
    "reduction": lambda x: ndd.reductions.mean(x, axes=[0, 1]),
    "index": lambda x: x[1:, ::2],
}


def same(got, wanted):
    assert type(got) is type(wanted)
    assert (got.layout, got.dtype) == (wanted.layout, wanted.dtype)
    for a, b in zip(arrays(got), arrays(wanted), strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_agrees_with_the_batch_call(name, form):
    wanted = FORMS[form].slice[1:, ::2] if name == "index" else CALLS[name](FORMS[form])
    same(jax.jit(jax.vmap(CALLS[name]))(FORMS[form]), wanted)


@pytest.mark.parametrize("form", FORMS)
def test_the_function_sees_a_tensor(form):
    seen = []

    def look(x):
        seen.append((type(x), x.ndim, x.layout))
        return x

    same(jax.vmap(look)(FORMS[form]), FORMS[form])
    assert seen == [(ndd.Tensor, 3, "HWC")]


def test_arrays_of_ragged_samples():
    with pytest.raises(ndd.ArgumentError, match=r"^Tensor.jax: inside jit .*pad=True"):
        jax.vmap(lambda x: x.jax())(RAGGED)
    slots = jax.vmap(lambda x: x.jax(pad=True))(RAGGED)
    np.testing.assert_array_equal(slots, RAGGED.jax(pad_to=slots.shape[1:]))


def test_random_operators_draw_what_the_batch_call_draws():
    keys = jax.random.split(jax.random.key(1), 3)
    wanted = ndd.random.uniform(DENSE, range=[-1.0, 3.0], key=keys)
    same(
        jax.vmap(lambda x, k: ndd.random.uniform(x, range=[-1.0, 3.0], key=k))(DENSE, keys), wanted
    )


def test_stacked_batches():
    batches = [ndd.batch(np.full((2, 4, 4, 3), k, np.uint8), layout="HWC") for k in range(3)]
    stacked = jax.tree.map(lambda *x: jnp.stack(x), *batches)
    with pytest.raises(TypeError, match=r"^Batch: .*jax.vmap or jax.lax.scan"):
        stacked.shape  # noqa: B018
    out = jax.vmap(lambda b: ndd.resize(b, size=(2, 2)))(stacked)  # a batch at each place
    rows = jax.lax.scan(lambda c, b: (c, b.jax()), None, out)[1]
    assert rows.shape == (3, 2, 2, 2, 3)
    np.testing.assert_array_equal(rows[:, 0, 0, 0, 0], [0, 1, 2])


def test_a_sample_of_leaves_is_a_tensor():
    same(jax.tree.map(lambda x: x[1], RAGGED), RAGGED.select(1))
    same(jax.tree.map(lambda x: x[None], ndd.tensor([1.0, 2.0])), ndd.batch(np.float32([[1, 2]])))


def test_gradients_of_each_sample():
    loss = lambda x: (x * x).jax().sum()  # noqa: E731
    values = ndd.batch(np.arange(6, dtype=np.float32).reshape(3, 2))
    same(jax.vmap(jax.grad(loss))(values), values * 2)


def test_scan_collects_samples():
    total, ys = jax.lax.scan(lambda c, x: (c + x.sum(), ndd.tensor(x)), 0.0, jnp.ones((4, 2)))
    assert float(total) == 8
    assert type(ys) is ndd.Batch
    assert ys.shape == [(2,)] * 4
