"""Augmentation inside a jitted train step of Flax and Optax, and the operators under chex."""

import functools

import chex
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from support.samples import arrays, noise

import dynjax as ndd

MEAN, STD = [120.0, 110.0, 100.0], [60.0, 61.0, 62.0]


def photos(seed, sizes=((9, 7), (4, 6), (5, 10), (8, 8))):
    return ndd.batch([noise(seed + i, (*s, 3)) for i, s in enumerate(sizes)], layout="HWC")


def augmented(images, key):
    """Resize, flip at random, normalise, change the brightness at random."""
    flip, light = jax.random.split(key)
    count = images.batch_size
    small = ndd.resize(images, size=(8, 8))
    mirror = ndd.random.coin_flip(key=flip, batch_size=count)
    x = ndd.crop_mirror_normalize(small, mirror=mirror, mean=MEAN, std=STD)
    gain = ndd.random.uniform(range=[0.8, 1.2], key=light, batch_size=count)
    return x * gain


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x.reshape(len(x), -1))


def loss_of(params, images, labels, key):
    logits = Net().apply(params, augmented(images, key).jax())
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels.jax()).mean()


def test_train_step_traces_once():
    optimizer = optax.adam(1e-2)

    @jax.jit
    @chex.assert_max_traces(n=1)
    def step(params, state, images, labels, key):
        loss, grads = jax.value_and_grad(loss_of)(params, images, labels, key)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    params = Net().init(jax.random.key(0), jnp.zeros((4, 3, 8, 8)))
    state = optimizer.init(params)
    labels = ndd.batch(np.array([0, 1, 0, 1]))
    key = jax.random.key(1)
    losses = []
    for number in range(20):
        key, use = jax.random.split(key)
        # Other pictures of other sizes every time, in slots of 10 by 10.
        images = photos(
            4 * (number % 3), [[(9, 7), (4, 6), (5, 10), (8, 8)], [(10, 3), (2, 9)] * 2][number % 2]
        )
        params, state, loss = step(params, state, images, labels, use)
        losses.append(float(loss))
    assert np.isfinite(losses).all()
    assert np.mean(losses[-4:]) < np.mean(losses[:4])


def test_the_step_augments_as_the_eager_calls_do():
    images, key = photos(0), jax.random.key(3)
    eager = np.asarray(augmented(images, key))
    jitted = np.asarray(jax.jit(augmented)(images, key))
    np.testing.assert_allclose(jitted, eager, rtol=0, atol=2e-5)
    assert not np.allclose(eager, np.asarray(augmented(images, jax.random.key(4))))


def test_one_trace_for_three_batches_of_one_bucket(compiles):
    @jax.jit
    @chex.assert_max_traces(n=1)
    def prepare(b):
        return ndd.crop_mirror_normalize(ndd.resize(b, size=(64, 64)), mean=MEAN, std=STD)

    batches = [
        photos(0),
        photos(9, [(10, 10), (9, 9), (3, 4), (2, 2)]),
        photos(5, [(9, 9)] * 3 + [(1, 1)]),
    ]
    outputs = [prepare(batches[0])]
    jax.block_until_ready(outputs[0])
    with compiles() as seen:
        outputs += [prepare(b) for b in batches[1:]]
        jax.block_until_ready(outputs)
    assert seen.count == 0
    for batch, got in zip(batches, outputs, strict=True):
        wanted = ndd.crop_mirror_normalize(ndd.resize(batch, size=(64, 64)), mean=MEAN, std=STD)
        assert got.layout == wanted.layout
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


VARIANTS = {
    "resize": lambda x: ndd.resize(x, size=(4, 4)),
    "crop_mirror_normalize": lambda x: ndd.crop_mirror_normalize(
        x, crop=(2, 2), mean=MEAN, std=STD
    ),
    "flip": ndd.flip,
    "arithmetic": lambda x: (x * 2 + 1) / 3,
    "reductions": lambda x: ndd.reductions.mean(x, axes=[0, 1]),
    "math": lambda x: ndd.math.sqrt(x),
    "pad": lambda x: ndd.pad(x, axes=[0, 1]),
    "uniform": lambda x: ndd.random.uniform(key=jax.random.key(2), batch_size=x.batch_size),
}


class Variants(chex.TestCase):
    @chex.variants(with_jit=True, without_jit=True)
    def test_operators(self):
        for call in VARIANTS.values():
            got, wanted = self.variant(call)(photos(0)), call(photos(0))
            for a, b in zip(arrays(got), arrays(wanted), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def test_shard_map_over_the_devices():
    mesh = jax.make_mesh((2,), ("data",))
    spec = jax.sharding.PartitionSpec("data")
    images = ndd.resize(photos(0), size=(4, 4))

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=spec, out_specs=spec)
    def normalised(batch):
        assert batch.batch_size == 2
        return ndd.crop_mirror_normalize(batch, mean=MEAN, std=STD)

    out = jax.jit(normalised)(jax.device_put(images, jax.sharding.NamedSharding(mesh, spec)))
    wanted = ndd.crop_mirror_normalize(images, mean=MEAN, std=STD)
    assert out.batch_size == 4
    np.testing.assert_array_equal(np.asarray(out), np.asarray(wanted))


def test_shard_map_with_keys_that_differ():
    """What follows from a device's own key varies, so a shared weight's derivatives are added."""
    mesh = jax.make_mesh((2,), ("data",))
    keys = jax.random.split(jax.random.key(0), 2)

    def scaled(weight, key):
        return (weight * ndd.random.uniform(range=[0.0, 1.0], batch_size=4, key=key).jax()).sum()

    def derivative(weight, own):
        return jax.grad(scaled)(weight, own[0])[None]

    spec = jax.sharding.PartitionSpec
    mapped = jax.shard_map(
        derivative, mesh=mesh, in_specs=(spec(), spec("data")), out_specs=spec("data")
    )
    wanted = sum(float(jax.grad(scaled)(1.0, key)) for key in keys)
    keys = jax.device_put(keys, jax.sharding.NamedSharding(mesh, spec("data")))
    np.testing.assert_allclose(jax.jit(mapped)(1.0, keys), [wanted, wanted], rtol=1e-6)


def test_device_put_of_a_ragged_batch():
    target = jax.devices()[1]
    moved = jax.device_put(photos(0), target)
    assert moved.storage.array.devices() == {target}
    for a, b in zip(arrays(moved), arrays(photos(0)), strict=True):
        np.testing.assert_array_equal(a, b)
