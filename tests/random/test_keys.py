"""Keys: `key=` and `rng=` of random operators, draws at the call, `random.sample_keys`."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax as ndd

KEY = jax.random.key(3)


def draw(**arguments):
    return np.asarray(ndd.as_tensor(ndd.random.uniform(shape=[3], **arguments)))


def reference(key):
    """`jax.random`'s own bits, of which the operator uses the upper 24."""
    bits = jax.random.bits(key, (3,), jnp.uint32)
    return (np.asarray(bits) >> 8).astype(np.float32) * np.float32(2.0**-23) - 1


def test_values_are_made_of_jax_bits():
    wanted = [reference(jax.random.fold_in(KEY, i)) for i in range(4)]
    np.testing.assert_array_equal(draw(key=KEY, batch_size=4), wanted)


def test_samples_do_not_depend_on_the_batch():
    whole = draw(key=KEY, batch_size=4)
    np.testing.assert_array_equal(draw(key=KEY, batch_size=2), whole[:2])
    np.testing.assert_array_equal(draw(key=KEY), whole[0])


def test_forms_of_keys():
    whole = draw(key=KEY, batch_size=2)
    words = np.asarray(jax.random.key_data(KEY))
    for same in (words, jnp.asarray(words), ndd.tensor(words)):
        np.testing.assert_array_equal(draw(key=same, batch_size=2), whole)
    assert not np.array_equal(draw(key=jax.random.key(3, impl="rbg")), draw(key=KEY))


def test_a_key_for_each_sample():
    keys = jax.random.split(KEY, 3)
    words = jax.random.key_data(keys)
    wanted = np.stack([draw(key=k) for k in keys])
    for each in (keys, words, np.asarray(words), ndd.batch(np.asarray(words))):
        np.testing.assert_array_equal(draw(key=each), wanted)
    np.testing.assert_array_equal(draw(key=keys[1:]), wanted[1:])
    mapped = jax.vmap(lambda k: ndd.random.uniform(shape=[3], key=k).jax())
    np.testing.assert_array_equal(mapped(keys), wanted)


def test_jit_and_vmap_equal_eager():
    def call(key):
        return ndd.random.uniform(shape=[3], key=key, batch_size=2).jax()

    keys = jax.random.split(KEY, 2)
    wanted = [draw(key=k, batch_size=2) for k in keys]
    np.testing.assert_array_equal(jax.jit(call)(keys[0]), wanted[0])
    np.testing.assert_array_equal(jax.vmap(call)(keys), wanted)


def test_a_call_takes_seven_words():
    rng, other = ndd.random.RNG(seed=5), ndd.random.RNG(seed=5)
    draw(rng=rng, batch_size=3)
    other.advance(7)
    assert str(rng.state) == str(other.state)


def test_reading_late_changes_nothing():
    first, second = ndd.random.RNG(seed=5), ndd.random.RNG(seed=5)
    a, b = ndd.random.uniform(rng=first), ndd.random.uniform(rng=first)
    later = [np.asarray(b), np.asarray(a)][::-1]
    assert later == [np.asarray(ndd.random.uniform(rng=second)) for _ in range(2)]


def test_the_default_is_the_threads_generator():
    ndd.random.set_seed(5)
    np.testing.assert_array_equal(draw(), draw(rng=ndd.random.RNG(seed=5)))


def test_errors():
    with pytest.raises(TypeError, match=r"random.uniform: rng=5"):
        draw(rng=5)
    with pytest.raises(ndd.ArgumentError, match="expected a dynjax"):
        draw(rng=object())
    with pytest.raises(TypeError, match="unknown argument 'seed'"):
        draw(seed=5)
    with pytest.raises(ndd.ArgumentError, match="key=5 is no key"):
        draw(key=5)
    with pytest.raises(ndd.ArgumentError, match="key and rng"):
        draw(key=KEY, rng=ndd.random.RNG(seed=1))
    with pytest.raises(ndd.ArgumentError, match="keys of 2 samples; the batch has 3"):
        draw(key=jax.random.split(KEY, 2), batch_size=3)
    with pytest.raises(TypeError, match="inside jit, vmap or grad pass key="):
        jax.jit(lambda x: ndd.noise.gaussian(x))(ndd.tensor(np.zeros((2, 2), np.float32)))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for i in range(8):
        (folder / f"{i}.bin").write_bytes(bytes([i]))
    return sorted(map(str, folder.iterdir()))


def keys_by_sample(reader, batch_size, epoch=None):
    found = {}
    for data, label in reader.next_epoch(batch_size=batch_size):
        keys = ndd.random.sample_keys(data, KEY, epoch=epoch)
        for sample, key in zip(label, keys, strict=True):
            found[np.asarray(sample).item()] = tuple(np.asarray(key).tolist())
    return found


def test_keys_belong_to_samples(files):
    whole = keys_by_sample(ndd.readers.File(files=files), 8, epoch=0)
    assert len(set(whole.values())) == 8
    for batch_size in (1, 2, 4):
        assert keys_by_sample(ndd.readers.File(files=files), batch_size, epoch=0) == whole
    folded = jax.random.fold_in(jax.random.fold_in(KEY, 0), 5)
    assert whole[5] == tuple(np.asarray(jax.random.key_data(folded)).tolist())


def test_keys_change_with_the_epoch(files):
    reader = ndd.readers.File(files=files)
    assert keys_by_sample(reader, 4) != keys_by_sample(reader, 4)


def test_sample_keys_need_a_source():
    with pytest.raises(ndd.ArgumentError, match="does not say which samples"):
        ndd.random.sample_keys(ndd.batch(np.zeros((2, 3))), KEY)
