"""The bounded queue of background work."""

import threading
import time

import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd
from dynjax._execution import queue


@pytest.fixture
def narrow(monkeypatch):
    """A queue that holds one task of any size."""
    work = queue.WorkQueue(max_bytes=1)
    monkeypatch.setattr(queue, "_queue", work)
    yield work
    work.stop()


def test_a_bound_smaller_than_one_result_does_not_block_for_ever(narrow):
    batch = ndd.batch(noise(0, (4, 400, 400, 3)), layout="HWC")
    done = []

    def work():
        results = [ndd.resize(batch, size=[300 + k, 300]) for k in range(6)]
        results.append(ndd.crop_mirror_normalize(results[-1]))
        done.extend(np.asarray(r).shape for r in results)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert done == [*((4, 300 + k, 300, 3) for k in range(6)), (4, 3, 305, 300)]


def test_tasks_run_in_order():
    work = queue.WorkQueue()
    seen = []
    for k in range(20):
        work.submit(lambda k=k: seen.append(k), 1)
    finished = threading.Event()
    work.submit(finished.set, 1)
    assert finished.wait(30)
    assert seen == list(range(20))
    work.stop()


def test_the_producer_waits_while_too_much_is_in_flight():
    work = queue.WorkQueue(max_bytes=10)
    release = threading.Event()
    work.submit(release.wait, 8)
    submitted = threading.Event()

    def produce():
        work.submit(lambda: None, 8)
        submitted.set()

    producer = threading.Thread(target=produce)
    producer.start()
    assert not submitted.wait(0.2)
    release.set()
    assert submitted.wait(30)
    producer.join()
    work.stop()


def test_the_thread_starts_with_the_first_task_and_ends_with_stop():
    work = queue.WorkQueue()
    assert work._thread is None
    work.submit(lambda: None, 1)
    thread = work._thread
    assert thread.is_alive()
    work.stop()
    assert not thread.is_alive()
    work.stop()


def test_after_stop_tasks_run_in_place():
    work = queue.WorkQueue()
    work.stop()
    seen = []
    work.submit(lambda: seen.append(threading.current_thread()), 1)
    assert seen == [threading.current_thread()]


def test_stop_wakes_a_waiting_producer():
    work = queue.WorkQueue(max_bytes=1)
    release = threading.Event()
    work.submit(release.wait, 1)
    ran = threading.Event()
    producer = threading.Thread(target=lambda: work.submit(ran.set, 1))
    producer.start()
    time.sleep(0.1)
    stopper = threading.Thread(target=work.stop)
    stopper.start()
    assert ran.wait(30)
    release.set()
    stopper.join(30)
    producer.join(30)
    assert not stopper.is_alive()


def test_large_work_does_not_block_the_caller(monkeypatch):
    work = queue.WorkQueue()
    monkeypatch.setattr(queue, "_queue", work)
    release = threading.Event()
    work.submit(release.wait, 1)
    batch = ndd.batch(noise(0, (4, 400, 400, 3)), layout="HWC")
    result = ndd.resize(batch, size=[300, 300])  # returns although the queue stands still
    assert result.pending is not None
    release.set()
    assert np.asarray(result).shape == (4, 300, 300, 3)
    work.stop()


def test_small_work_is_done_in_place():
    batch = ndd.batch(noise(0, (4, 8, 8, 3)), layout="HWC")
    assert ndd.resize(batch, size=[4, 4]).pending is None
