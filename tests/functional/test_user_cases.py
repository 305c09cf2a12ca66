"""User cases: batches that never change, randomness that belongs to the sample, ragged samples."""

import pathlib

import chex
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.samples import aligned, arrays

import dynjax as ndd

# A batch, once handed out, never changes ---------------------------------------------------


@pytest.mark.parametrize("offset", [0, 16])
@pytest.mark.parametrize("transform", [lambda b: b, jax.jit(lambda b: b), jax.jit(lambda b: b * 1)])
def test_kept_batches_do_not_change(offset, transform):
    staging = aligned((8, 4096), np.float32, offset)
    for _ in range(10):
        kept = []
        for number in range(8):
            staging[...] = np.arange(8 * number, 8 * number + 8, dtype=np.float32)[:, None]
            kept.append(transform(ndd.batch(staging)))
        staging[...] = -1
        for number, batch in enumerate(kept):
            wanted = np.repeat(np.arange(8.0 * number, 8.0 * number + 8)[:, None], 4096, axis=1)
            np.testing.assert_array_equal(np.asarray(batch), wanted)


def test_samples_cannot_be_written_to():
    sample = np.asarray(ndd.batch(np.zeros((2, 3))).select(0))
    with pytest.raises(ValueError, match="read-only"):
        sample[0] = 1


# Randomness belongs to the sample ----------------------------------------------------------

KEY = jax.random.key(11)
IMAGES = np.arange(64, dtype=np.float32).reshape(8, 8)[None, :, :, None] + 100 * np.arange(8)[
    :, None, None, None
].astype(np.float32)


def augment(images, keys):
    """A crop of 4 by 4 at a random place and a draw for each sample."""
    place = ndd.random.uniform(range=[0.0, 1.0], shape=[2], key=keys)
    x, y = (
        (place[0], place[1]) if isinstance(place, ndd.Tensor) else (place.slice[0], place.slice[1])
    )
    return ndd.crop(images, crop=(4, 4), crop_pos_x=x, crop_pos_y=y), place


def batch_of(images):
    return ndd.batch(images, layout="HWC")


def keys_of(epoch, indices):
    """The keys of samples: `fold_in(fold_in(key, epoch), sample index)`."""
    of_epoch = jax.random.fold_in(KEY, epoch)
    return jax.vmap(lambda i: jax.random.key_data(jax.random.fold_in(of_epoch, i)))(indices)


def test_draws_of_samples_differ():
    _, place = augment(batch_of(IMAGES), keys_of(0, jnp.arange(8)))
    assert len({tuple(p) for p in np.asarray(place).tolist()}) == 8


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_samples_do_not_depend_on_batch_size_or_threads(threads):
    keys = keys_of(0, jnp.arange(8))
    windows, draws = map(arrays, augment(batch_of(IMAGES), keys))
    before = ndd.get_num_threads()
    ndd.set_num_threads(threads)
    try:
        for size in (1, 2, 4):
            for start in range(0, 8, size):
                part = slice(start, start + size)
                got = augment(batch_of(IMAGES[part]), keys[part])
                for found, wanted in zip(got, (windows, draws), strict=True):
                    for a, b in zip(arrays(found), wanted[part], strict=True):
                        np.testing.assert_array_equal(a, b)
    finally:
        ndd.set_num_threads(before)


def test_image_and_mask_get_the_same_window():
    images, masks, keys = batch_of(IMAGES), batch_of(IMAGES.copy()), keys_of(0, jnp.arange(8))
    a, b = augment(images, keys)[0], augment(masks, keys)[0]
    np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    near = [ndd.resize(x, size=(8, 8), interp_type="INTERP_NN") for x in (a, b)]
    np.testing.assert_array_equal(np.asarray(near[0]), np.asarray(near[1]))
    again = augment(images, keys)[0]
    np.testing.assert_array_equal(np.asarray(a), np.asarray(again))
    other = augment(images, keys_of(1, jnp.arange(8)))[0]  # the next epoch
    assert not np.array_equal(np.asarray(a), np.asarray(other))


def test_old_keys_are_keys_too():
    typed = ndd.random.uniform(key=KEY, batch_size=8)
    old = ndd.random.uniform(key=jax.random.key_data(KEY), batch_size=8)
    np.testing.assert_array_equal(np.asarray(typed), np.asarray(old))


def test_jit_and_vmap_give_the_same_values():
    images, keys = batch_of(IMAGES), keys_of(0, jnp.arange(8))
    wanted = augment(images, keys)
    for transform in (jax.jit(augment), jax.jit(jax.vmap(augment))):
        for got, want in zip(transform(images, keys), wanted, strict=True):
            assert type(got) is ndd.Batch
            np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


@pytest.mark.parametrize("capture", [False, True])
def test_a_readers_samples_have_keys(tmp_path: pathlib.Path, capture: bool):
    files = [tmp_path / str(i) for i in range(8)]
    for file in files:
        file.write_bytes(b"-")
    draws = {}
    for size in (2, 4):
        reader = ndd.readers.File(files=[str(f) for f in files], random_shuffle=True, seed=3)
        for data, labels in reader.next_epoch(batch_size=size, capture=capture):
            keys = ndd.random.sample_keys(data, KEY)
            drawn = ndd.random.uniform(key=keys)
            for label, value in zip(arrays(labels), arrays(drawn), strict=True):
                draws.setdefault(int(label.item()), set()).add(float(value))
        if capture:
            calls = ndd.capture.report(reader).calls
            assert [(c.calls, c.captured) for c in calls] == [(8 // size, 8 // size - 1)] * 2
    assert len(draws) == 8
    assert all(len(values) == 1 for values in draws.values())


# Samples of different sizes ----------------------------------------------------------------


def ragged():
    return ndd.batch([np.full((n, 3), k + 1, np.float32) for k, n in enumerate((2, 4, 1))])


def test_padding_inside_jit():
    @jax.jit
    def dense(b):
        return b.jax(pad_to=(6, 3)), b.lengths, b.mask(4), b.jax(pad=True)

    filled, lengths, mask, slots = dense(ragged())
    assert filled.shape == (3, 6, 3)
    assert (float(filled.sum()), float(slots.sum())) == (39, 39)
    assert not np.asarray(filled)[0, 2:].any()
    assert not np.asarray(filled)[2, 1:].any()
    assert lengths.tolist() == [2, 4, 1]
    np.testing.assert_array_equal(mask, ragged().mask())


def test_boxes_inside_jit():
    boxes = ndd.batch([np.ones((n, 4), np.float32) for n in (2, 0, 5)])
    filled, lengths = jax.jit(lambda b: (b.jax(pad=True, fill=-1), b.lengths))(boxes)
    np.testing.assert_array_equal(filled, boxes.jax(pad=True, fill=-1))
    assert filled.shape == (3, 5, 4)
    assert lengths.tolist() == [2, 0, 5]
    kept = jax.jit(lambda b: b * 2)(boxes)
    assert kept.shape == [(2, 4), (0, 4), (5, 4)]
    assert kept.select(1).ndim == 2


def test_lengths_are_no_trace():
    @jax.jit
    @chex.assert_max_traces(n=1)
    def total(b):
        return ndd.reductions.sum(b * 2, axes=[0, 1])

    for lengths in ((9, 4, 1), (10, 3, 3), (1, 1, 10)):
        batch = ndd.batch([np.full((n, 3), n, np.float32) for n in lengths])
        assert np.asarray(total(batch)).tolist() == [6 * n * n for n in lengths]
