"""`EvalMode`: an order, a stack for each thread, and the same results in every mode."""

import itertools
import threading

import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd

MODES = ("deferred", "eager", "sync_cpu", "sync_full")


def test_order():
    values = [ndd.EvalMode[name] for name in MODES]
    assert [m.value for m in values] == [1, 2, 3, 4]
    assert ndd.EvalMode.default is ndd.EvalMode.eager
    for low, high in itertools.pairwise(values):
        assert low < high
        assert high > low
        assert low <= high
        assert high >= low
        assert not high < low


def test_stack():
    assert ndd.EvalMode.current() is ndd.EvalMode.eager
    with ndd.EvalMode.sync_cpu as entered:
        assert entered is None
        with ndd.EvalMode.sync_full:
            assert ndd.EvalMode.current() is ndd.EvalMode.sync_full
        assert ndd.EvalMode.current() is ndd.EvalMode.sync_cpu
    assert ndd.EvalMode.current() is ndd.EvalMode.eager


def test_the_stack_is_left_by_an_exception():
    with pytest.raises(ZeroDivisionError), ndd.EvalMode.sync_full:
        1 / 0  # noqa: B018
    assert ndd.EvalMode.current() is ndd.EvalMode.eager


def test_each_thread_has_its_own():
    seen = []
    with ndd.EvalMode.sync_full:
        thread = threading.Thread(target=lambda: seen.append(ndd.EvalMode.current()))
        thread.start()
        thread.join()
    assert seen == [ndd.EvalMode.eager]


def test_results_do_not_depend_on_the_mode():
    batch = ndd.batch(noise(0, (3, 300, 300, 3)), layout="HWC")
    results = []
    for name in MODES:
        with ndd.EvalMode[name]:
            resized = ndd.resize(batch, size=[224, 224])
            results.append(np.asarray(ndd.crop_mirror_normalize(resized, mean=[1.0], std=[3.0])))
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
