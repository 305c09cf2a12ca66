"""A batch, once handed out, never changes."""

import jax
import numpy as np
import pytest
from support.samples import aligned, noise

import dynjax as ndd

OFFSETS = (0, 4, 32)  # beyond a multiple of 64, where JAX would share memory
WHOLE = np.stack([np.full(4096, k, np.float32) for k in range(64)])


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("through", ["itself", "jax", "jit", "device_put"])
def test_the_source_may_be_overwritten(offset, through):
    staging = aligned((8, 4096), np.float32, offset)
    kept = []
    for first in range(0, 64, 8):
        staging[:] = WHOLE[first : first + 8]
        batch = ndd.batch(staging)
        kept.append(
            {
                "itself": lambda b: b,
                "jax": lambda b: b.jax(),
                "jit": jax.jit(lambda b: b),
                "device_put": jax.device_put,
            }[through](batch)
        )
        del batch
    staging[:] = -1
    np.testing.assert_array_equal(np.concatenate([np.asarray(b) for b in kept]), WHOLE)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("make", [ndd.tensor, ndd.batch])
def test_jax_arrays_of_a_borrowed_array_do_not_change(offset, make):
    source = aligned((2, 1024), np.float32, offset)
    borrow = ndd.as_tensor if make is ndd.tensor else ndd.as_batch
    copied, borrowed = make(source).jax(), borrow(source).jax()
    source[:] = 5
    assert not copied.any()
    assert not borrowed.any()


@pytest.mark.parametrize("offset", OFFSETS)
def test_ragged_samples_may_be_overwritten(offset):
    samples = [aligned((n, 64), np.float32, offset) for n in (16, 4)]
    batch = ndd.batch(samples)
    dense = batch.jax(pad=True)
    for sample in samples:
        sample[:] = 7
    assert not any(np.asarray(t).any() for t in batch)
    assert not dense.any()


@pytest.mark.parametrize("offset", OFFSETS)
def test_an_operator_has_read_a_borrowed_array_when_it_returns(offset):
    # Large enough that the work would otherwise be done in the background.
    source = aligned((4, 512, 512, 3), np.uint8, offset)
    result = ndd.resize(ndd.as_batch(source, layout="HWC"), size=[300, 300])
    source[:] = 200
    assert not np.asarray(result).any()


def test_results_outlive_the_recycling_of_buffers():
    image = noise(0, (8, 256, 256, 3))
    batch = ndd.batch(image, layout="HWC")
    kept, views = [], []
    for k in range(50):
        result = ndd.crop_mirror_normalize(batch, mean=[float(k)], output_layout="HWC")
        if k % 5 == 0:
            kept.append((k, result))
            views.append((k, np.asarray(result.select(2)), np.asarray(result)))
        del result
    for k, result in kept:
        np.testing.assert_array_equal(np.asarray(result), image.astype(np.float32) - k)
    del result, kept
    for k in range(5):  # whose buffers are free now, but for the views
        ndd.crop_mirror_normalize(batch, mean=[100.0 + k], output_layout="HWC").evaluate()
    for k, one, whole in views:
        np.testing.assert_array_equal(one, image[2].astype(np.float32) - k)
        np.testing.assert_array_equal(whole, image.astype(np.float32) - k)


@pytest.mark.parametrize("how", ["asarray", "sample", "jax", "leaf", "jit", "memoryview"])
def test_each_kind_of_view_protects_the_buffer(how):
    image = noise(1, (4, 400, 300, 3))
    take = {
        "asarray": np.asarray,
        "sample": lambda r: np.asarray(r.select(0))[None],
        "jax": lambda r: r.jax(),
        "leaf": lambda r: jax.tree.leaves(r)[0],
        "jit": lambda r: jax.jit(lambda b: b)(r),
        "memoryview": lambda r: memoryview(np.asarray(r)),
    }[how]
    views = []
    for k in range(8):
        batch = ndd.batch(image + np.uint8(k), layout="HWC")
        views.append(take(ndd.crop_mirror_normalize(batch, output_layout="HWC")))
    for k, view in enumerate(views):
        view = np.asarray(view)
        np.testing.assert_array_equal(view, (image + np.uint8(k)).astype(np.float32)[: len(view)])


def test_ragged_results_outlive_the_recycling_of_buffers():
    images = [noise(2, (700, 600, 3)), noise(3, (500, 900, 3))]
    kept, views = [], []
    for k in range(10):
        batch = ndd.batch([i + np.uint8(k) for i in images], layout="HWC")
        result = ndd.resize(batch, resize_x=0.0 + 800, interp_type="nn", mode="stretch")
        views.append((np.asarray(result.select(1)), np.array(result.select(1))))
        kept.append(result if k % 2 else None)
    for view, copy in views:
        np.testing.assert_array_equal(view, copy)
    assert len({copy.tobytes() for _, copy in views}) == 10
