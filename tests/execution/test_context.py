"""`EvalContext`, `ThreadPool` and the names of streams."""

import threading

import numpy as np
import pytest

import dynjax as ndd
from dynjax._execution import context as contexts


def in_thread(function):
    """What the function returns or raises in another thread."""
    seen = []

    def run():
        try:
            seen.append(function())
        except Exception as error:
            seen.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return seen[0]


def test_contexts_nest():
    outer, inner = ndd.EvalContext(num_threads=1), ndd.EvalContext(num_threads=2)
    with outer as entered:
        assert entered is outer
        with inner, outer:
            assert ndd.EvalContext.current() is outer
        assert ndd.EvalContext.current() is outer
    assert ndd.EvalContext.current() is ndd.EvalContext.default()


def test_defaults_belong_to_threads():
    assert in_thread(ndd.EvalContext.default) is not ndd.EvalContext.default()


def test_one_thread_at_a_time():
    context = ndd.EvalContext(num_threads=1)

    def enter():
        with context:
            return ndd.EvalContext.current() is context

    with context:
        error = in_thread(enter)
        assert isinstance(error, RuntimeError)
        assert "active in another thread" in str(error)
    assert in_thread(enter) is True


def test_thread_counts():
    pool = ndd.ThreadPool(2)
    assert (pool.num_threads, pool.device_id) == (2, None)
    assert ndd.EvalContext(thread_pool=pool).thread_pool is pool
    assert ndd.EvalContext(thread_pool=pool).num_threads == 2
    assert ndd.EvalContext(num_threads=3).thread_pool.num_threads == 3
    assert ndd.EvalContext().num_threads == ndd.get_num_threads()
    assert ndd.ThreadPool().num_threads == ndd.get_num_threads()


def test_kernels_run_under_the_contexts_count(monkeypatch):
    counts = []

    class Recorder:
        set_thread_local_num_threads = staticmethod(counts.append)

    monkeypatch.setattr(contexts, "native", Recorder)
    image = np.zeros((8, 8, 3), np.uint8)
    ndd.resize(ndd.tensor(image, layout="HWC"), size=4).evaluate()
    assert counts == []
    with ndd.EvalContext(num_threads=1):
        small = ndd.resize(ndd.tensor(image, layout="HWC"), size=4)
        large = ndd.resize(ndd.tensor(image, layout="HWC"), size=400)
    small.evaluate(), large.evaluate()
    assert counts == [1, 0, 1, 0]


def test_errors():
    with pytest.raises(ValueError, match="num_threads and thread_pool"):
        ndd.EvalContext(num_threads=1, thread_pool=ndd.ThreadPool(1))
    with pytest.raises(ValueError, match="num_threads=-1"):
        ndd.EvalContext(num_threads=-1)
    with pytest.raises(TypeError, match="num_threads='a'"):
        ndd.EvalContext(num_threads="a")
    with pytest.raises(TypeError):
        ndd.EvalContext(1)
    with pytest.raises(ValueError, match="device_id=3"):
        ndd.EvalContext(device_id=3)
    with pytest.raises(TypeError, match=r"num_threads=1\.5"):
        ndd.ThreadPool(1.5)


def test_streams_are_hints():
    assert ndd.stream(stream=None) is None
    assert ndd.get_default_stream() is None
    handle = object()
    ndd.set_current_stream(handle)
    assert ndd.get_current_stream() is handle
    assert in_thread(ndd.get_current_stream) is None
    ndd.set_current_stream(None)
    assert ndd.get_current_stream() is None
    with pytest.raises(ValueError, match="stream=None"):
        ndd.Stream(stream=None)
