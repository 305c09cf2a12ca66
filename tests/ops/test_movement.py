"""Windows, reversals, transpositions and joins against NumPy, in every form of a batch."""

import jax
import numpy as np
import pytest

import dynjax
from dynjax._ops._lib import host_buffers

RNG = np.random.default_rng(0)
TYPES = ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]


def numbers(shape, dtype="uint8"):
    return RNG.integers(0, 100, shape).astype(dtype)


def ragged(sizes, dtype="uint8", channels=3):
    return [numbers((*size, channels), dtype) for size in sizes]


def arrays(batch):
    return [np.asarray(t) for t in batch]


def check(batch, expected):
    got = arrays(batch)
    assert len(got) == len(expected)
    for a, b in zip(got, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_moves(dtype):
    samples = ragged([(4, 5), (1, 37), (19, 2)], dtype)
    batch = dynjax.batch(samples, layout="HWC")
    check(dynjax.transpose(batch, perm=[2, 1, 0]), [s.transpose(2, 1, 0) for s in samples])
    check(batch.slice[::-1, 1:], [s[::-1, 1:] for s in samples])
    check(
        dynjax.pad(batch, axes=[0], shape=[1], align=[3]),
        [np.pad(s, [(0, -len(s) % 3), (0, 0), (0, 0)]) for s in samples],
    )
    check(dynjax.stack(batch, batch, axis=1), [np.stack([s, s], 1) for s in samples])
    check(dynjax.copy(batch), samples)


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 6])
def test_flips_of_all_widths(channels):
    # Vectors take 16 or 32 bytes at once; the widths lie around their multiples.
    samples = ragged([(2, w) for w in (0, 1, 15, 16, 17, 33, 70)], channels=channels)
    batch = dynjax.batch(samples, layout="HWC")
    check(dynjax.flip(batch), [s[:, ::-1] for s in samples])
    which = dynjax.batch(np.int32([0, 1, 0, 1, 0, 1, 1]))
    flipped = dynjax.flip(batch, horizontal=0, vertical=which)
    upside = np.asarray(which).tolist()
    check(flipped, [s[::-1] if v else s for s, v in zip(samples, upside, strict=True)])


def test_planes_and_back():
    samples = ragged([(3, 5), (16, 16), (33, 7)])
    batch = dynjax.batch(samples, layout="HWC")
    planes = dynjax.transpose(batch, perm=[2, 0, 1])
    check(planes, [s.transpose(2, 0, 1) for s in samples])
    check(dynjax.transpose(planes, perm=[1, 2, 0]), samples)


def test_window_beyond_the_input_has_one_value_for_each_channel():
    samples = ragged([(4, 5), (3, 7)])
    batch = dynjax.batch(samples, layout="HWC")
    got = dynjax.slice(
        batch,
        start=[-1, -2],
        shape=[6, 6],
        axes=[0, 1],
        fill_values=[7, 8, 9],
        out_of_bounds_policy="pad",
    )
    expected = []
    for s in samples:
        out = np.empty((6, 6, 3), np.uint8)
        out[...] = [7, 8, 9]
        part = s[:5, :4]
        out[1 : 1 + part.shape[0], 2 : 2 + part.shape[1]] = part
        expected.append(out)
    check(got, expected)


def test_window_converts():
    samples = ragged([(4, 5), (3, 7)], "float32")
    batch = dynjax.batch([s + np.float32(0.5) for s in samples], layout="HWC")
    got = dynjax.crop(batch, crop=[2, 3], dtype=dynjax.uint8, crop_pos_x=0, crop_pos_y=0)
    check(got, [(s[:2, :3] + 1).astype(np.uint8) for s in samples])


def test_jit_agrees_and_padding_never_leaks():
    samples = ragged([(4, 5), (3, 7), (6, 1)])
    batch = dynjax.batch(samples, layout="HWC")

    def moved(x):
        return (
            dynjax.flip(x),
            dynjax.crop(x, crop=[2, 1]),
            x.slice[1:],
            dynjax.cat(x, x, axis=0),
            dynjax.transpose(x, perm=[1, 0, 2]),
        )

    eager = moved(batch)
    clean = jax.jit(moved)(batch)
    leaves, tree = jax.tree.flatten(batch)
    slots, extent = map(np.array, leaves)
    for i, (h, w, _) in enumerate(extent):
        slots[i, h:] = 255
        slots[i, :, w:] = 255
    dirty = jax.jit(moved)(jax.tree.unflatten(tree, (slots, extent)))
    for a, b, c in zip(eager, clean, dirty, strict=True):
        check(b, arrays(a))
        check(c, arrays(a))


def test_gradients_flow_back_to_where_values_came_from():
    x = np.arange(12, dtype=np.float32).reshape(1, 4, 3)

    def loss(v):
        batch = dynjax.as_batch(v)
        picked = dynjax.cat(batch.slice[::-1, 1], batch.slice[:2, 2])
        return (picked.jax() * np.arange(6, dtype=np.float32)).sum()

    expected = np.zeros((1, 4, 3), np.float32)
    expected[0, :, 1] = [3, 2, 1, 0]
    expected[0, :2, 2] = [4, 5]
    np.testing.assert_array_equal(jax.grad(loss)(x), expected)


def test_empty_and_scalar_samples():
    empty = dynjax.batch([np.zeros((0, 3), np.uint8), np.ones((2, 3), np.uint8)])
    assert dynjax.transpose(empty).shape == [(3, 0), (3, 2)]
    assert dynjax.cat(empty, empty).shape == [(0, 3), (4, 3)]
    assert empty.slice[:1].shape == [(0, 3), (1, 3)]
    scalars = dynjax.batch([1, 2, 3])
    check(dynjax.stack(scalars, scalars), [np.int32([k, k]) for k in (1, 2, 3)])
    check(dynjax.transpose(scalars), [np.int32(k) for k in (1, 2, 3)])
    none = scalars.select([])
    assert dynjax.copy(none).batch_size == 0
    assert dynjax.stack(none, none).batch_size == 0


def test_one_sample_serves_a_batch():
    sample = dynjax.tensor(np.arange(5))
    starts = dynjax.batch([0, 2, 3])
    check(sample[starts:], [np.arange(k, 5) for k in (0, 2, 3)])
    batch = dynjax.batch([np.zeros(2, np.int64), np.zeros(1, np.int64)])
    check(dynjax.cat(batch, sample), [np.r_[[0] * k, 0:5] for k in (2, 1)])


def test_many_inputs():
    parts = [dynjax.tensor(np.int32([k, -k])) for k in range(40)]
    got = np.asarray(dynjax.stack(*parts, axis=1))
    np.testing.assert_array_equal(got, np.stack([[k, -k] for k in range(40)], 1))


def test_results_in_the_users_hands_never_change():
    images = numbers((4, 300, 300, 3))
    batch = dynjax.as_batch(images, layout="HWC")
    first = np.asarray(dynjax.flip(batch))
    kept = first.copy()
    row = dynjax.flip(batch).select(1)
    del batch
    other = dynjax.as_batch(255 - images, layout="HWC")
    for _ in range(3):
        dynjax.flip(other).evaluate()
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(np.asarray(row), kept[1])


def test_free_memory_is_used_again():
    host_buffers.clear()
    shape, dtype = (1 << 20,), np.dtype(np.uint8)
    first = host_buffers.new_array(shape, dtype)
    address = first.ctypes.data
    assert address % 64 == 0
    view = first[10:20]
    del first
    assert host_buffers.new_array(shape, dtype).ctypes.data != address  # a view is left
    del view
    again = [host_buffers.new_array(shape, dtype) for _ in range(2)]
    assert address in [a.ctypes.data for a in again]
    del again
    assert host_buffers.kept_bytes() >= 2 << 20
    host_buffers.clear()
    assert host_buffers.kept_bytes() == 0


def test_a_view_is_not_copied():
    x = dynjax.copy(dynjax.tensor(np.zeros((6, 50, 50), np.uint8)))
    base = np.asarray(x)
    assert np.shares_memory(base, np.asarray(x[2:4]))
    assert np.shares_memory(base, np.asarray(dynjax.reshape(x, shape=[6, 2500])))
    assert np.shares_memory(base, np.asarray(dynjax.expand_dims(x, axes=[0])))


def test_too_many_axes():
    x = dynjax.tensor(np.zeros((1,) * 9))
    with pytest.raises(RuntimeError, match=r"^.*transpose: .*9 axes.*at most 8"):
        dynjax.transpose(x).evaluate()
