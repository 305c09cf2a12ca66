"""Derivatives agree with finite differences wherever the mathematics has them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import noise

import dynjax as ndd


def image(x):
    return ndd.batch(x, layout="HWC")


CALLS = {
    "windows": lambda x: ndd.pad(
        ndd.slice(image(x), rel_start=[0.2], axes=[0]), axes=[0], shape=[8]
    ),
    "cat": lambda x: ndd.cat(image(x), image(x) * 2, axis=1).slice[1:, ::-1, 0],
    "arithmetic": lambda x: (image(x) * 2 - 1) / (image(x) + 3) + 1 / (2 + image(x)) ** 3,
    "broadcast": lambda x: image(x) * ndd.tensor(np.float32([1, 2, 3])) - image(x).slice[:1],
    "math": lambda x: ndd.math.clamp(ndd.math.sqrt(image(x)) * ndd.math.exp(image(x)), 0.1, 9.0),
    "reductions": lambda x: ndd.reductions.std_dev(image(x), ndd.reductions.mean(image(x))),
    "max": lambda x: ndd.reductions.max(image(x), axes=[0, 1]),
}


@pytest.mark.parametrize("name", CALLS)
def test_finite_differences(name):
    # Values so far apart that no step changes which is the largest.
    order = np.random.default_rng(0).permutation(120).reshape(2, 5, 4, 3)
    x = jnp.asarray(order / 100 + 0.1, jnp.float32)
    call = jax.jit(lambda x: CALLS[name](x).jax())
    check_grads(call, (x,), order=1, modes=["fwd", "rev"], atol=2e-2, rtol=2e-2, eps=2e-3)


def test_padding_has_no_gradient():
    ragged = ndd.batch(
        [noise(i, (*s, 3), np.float32) for i, s in enumerate([(5, 4), (3, 6)])], layout="HWC"
    )

    def loss(array, batch):
        (_, extents), tree = jax.tree.flatten(batch)
        x = jax.tree.unflatten(tree, (array, extents))
        return (ndd.resize(x, size=(4, 4)).jax() ** 2).sum()

    slots, extents = jax.tree.leaves(jax.jit(lambda b: b)(ragged))
    gradient = np.asarray(jax.grad(loss)(slots, ragged))
    for row, (h, w, _) in zip(gradient, np.asarray(extents), strict=True):
        assert np.any(row[:h, :w])
        assert not row[h:].any()
        assert not row[:, w:].any()


def test_gradients_of_a_ragged_batch_are_a_batch():
    ragged = ndd.batch([np.arange(n, dtype=np.float32) for n in (3, 5)])
    total = lambda b: (b * b).jax(pad=True).sum()  # noqa: E731
    value, gradient = ndd.value_and_grad(total)(ragged)
    assert float(value) == 5 + 30
    assert gradient.shape == ragged.shape
    for got, x in zip(gradient, ragged, strict=True):
        np.testing.assert_array_equal(np.asarray(got), 2 * np.asarray(x))
    assert jax.jit(ndd.grad(total))(ragged).shape == ragged.shape


def test_gradients_beside_other_arguments():
    loss = lambda p, b: (p["w"] * b.jax()).sum()  # noqa: E731
    batch = ndd.batch(np.float32([[1, 2], [3, 4]]))
    by_weight, by_batch = ndd.grad(loss, argnums=(0, 1))({"w": jnp.float32(3)}, batch)
    assert float(by_weight["w"]) == 10
    np.testing.assert_array_equal(np.asarray(by_batch), np.full((2, 2), 3))
    (value, aux), _ = ndd.value_and_grad(lambda b: (b.jax().sum(), "x"), has_aux=True)(batch)
    assert (float(value), aux) == (10, "x")
