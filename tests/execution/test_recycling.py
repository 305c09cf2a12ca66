"""Buffers of large results are used again, in bounds, and never while somebody sees them."""

import gc

import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd
from dynjax._types import recycling


@pytest.fixture(autouse=True)
def empty():
    gc.collect()
    recycling.clear()
    yield
    recycling.clear()


BATCH = ndd.batch(noise(0, (4, 300, 300, 3)), layout="HWC")  # 4 MiB as float32


def result(mean=0.0):
    return ndd.crop_mirror_normalize(BATCH, mean=[mean]).evaluate()


def address(data):
    return np.asarray(data).__array_interface__["data"][0]


def test_the_next_result_takes_the_freed_buffer():
    first = result()
    where = address(first)
    del first
    assert recycling.kept_bytes() == 4 * 300 * 300 * 3 * 4
    second = result(5.0)
    assert address(second) == where
    assert recycling.kept_bytes() == 0


def test_a_view_keeps_its_buffer():
    first = result()
    view, where = np.asarray(first), address(first)
    wanted = view.copy()
    del first
    second = result(5.0)
    assert address(second) != where
    np.testing.assert_array_equal(view, wanted)
    del view
    third = result(6.0)
    assert address(third) != address(second)


def test_small_results_are_not_kept():
    del_me = ndd.resize(BATCH, size=[8, 8]).evaluate()
    del del_me
    assert recycling.kept_bytes() == 0


def test_another_shape_does_not_take_it():
    first = result()
    del first
    kept = recycling.kept_bytes()
    ndd.crop_mirror_normalize(BATCH, crop=[299, 300]).evaluate()
    assert recycling.kept_bytes() > kept


def test_the_free_list_is_bounded(monkeypatch):
    size = 4 * 300 * 300 * 3 * 4
    monkeypatch.setattr(recycling, "_LIMIT_BYTES", 2 * size + 100)
    results = [result(float(k)) for k in range(5)]
    while results:
        results.pop()
        assert recycling.kept_bytes() <= 2 * size + 100
    assert recycling.kept_bytes() == 2 * size
    recycling.clear()
    assert recycling.kept_bytes() == 0


def test_ragged_results_are_recycled():
    ragged = ndd.batch([noise(0, (400, 500, 3)), noise(1, (300, 300, 3))], layout="HWC")
    first = ndd.resize(ragged, resize_shorter=500.0).evaluate()
    where = first.storage.array.unsafe_buffer_pointer()
    del first
    second = ndd.resize(ragged, resize_shorter=510.0).evaluate()
    assert second.storage.array.unsafe_buffer_pointer() == where


def test_recycled_results_hold_no_rest_of_their_forerunner():
    ragged = [noise(k, (300 + k, 400, 3)) for k in range(4)]
    big = ndd.resize(ndd.batch(ragged, layout="HWC"), resize_x=500.0, mode="stretch").evaluate()
    del big
    small = ndd.resize(ndd.batch(ragged, layout="HWC"), resize_x=480.0, mode="stretch")
    again = ndd.resize(ndd.batch(ragged, layout="HWC"), resize_x=480.0, mode="stretch")
    for a, b in zip(small, again, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


def deferred(x, offset):
    """Of two joined calls, both results."""
    with ndd.EvalMode.deferred:
        first = x * 2.0
        second = first + offset
    second.evaluate()
    return first, second


def test_results_of_joined_calls_take_freed_buffers():
    size = np.asarray(BATCH).nbytes * 4
    first, second = deferred(BATCH, 1.0)
    addresses = {address(first), address(second)}
    assert len(addresses) == 2
    wanted = np.asarray(first).copy()
    del second
    assert recycling.kept_bytes() == size
    third, fourth = deferred(BATCH, 2.0)
    assert recycling.kept_bytes() == 0
    assert len(addresses & {address(third), address(fourth)}) == 1
    np.testing.assert_array_equal(first, wanted)
    np.testing.assert_array_equal(third, wanted)
    np.testing.assert_array_equal(fourth, wanted + 2)


def test_inputs_that_joined_calls_pass_on_are_not_recycled():
    pixels = ndd.cast(BATCH, dtype=ndd.uint8).evaluate()
    wanted = np.asarray(pixels).copy()
    for k in range(3):
        with ndd.EvalMode.deferred:
            same = ndd.math.abs(pixels)
            other = same + k
        other.evaluate()
        del same, other  # what is kept now is written by the next round
        np.testing.assert_array_equal(pixels, wanted)
    assert recycling.kept_bytes() == wanted.nbytes * 4


def test_results_of_captured_calls_take_freed_buffers():
    images = [np.full((300, 300, 3), k, np.uint8) for k in range(60)]
    reader = ndd.readers.Objects(data=images)
    for _ in range(2):
        for n, (x,) in enumerate(reader.next_epoch(batch_size=4, capture=True)):
            y = x * 2.0 + 1.0
            wanted = [2.0 * k + 1 for k in range(4 * n, 4 * n + 4)]
            assert np.asarray(y)[:, 0, 0, 0].tolist() == wanted
    size, recyclable = y.storage.nbytes, y.storage.recyclable
    assert recyclable
    del x, y
    gc.collect()
    # A step or two are computed ahead.
    assert 0 < recycling.kept_bytes() <= 4 * size
