"""Operators in several Python threads, and the number of native threads."""

import concurrent.futures
import threading

import numpy as np
import pytest
from support.processes import output
from support.samples import arrays, noise

import dynjax as ndd


@pytest.fixture
def restore():
    yield
    ndd.set_num_threads(None)


def chain(photos):
    images = ndd.decoders.image(ndd.batch([np.frombuffer(p, np.uint8) for p in photos]))
    small = ndd.resize(images, size=[64, 64])
    return ndd.crop_mirror_normalize(small, mean=[100.0], std=[50.0])


def test_results_do_not_depend_on_the_number_of_threads(photos, restore):
    results = []
    for threads in (1, 2, 3, 7):
        ndd.set_num_threads(threads)
        assert ndd.get_num_threads() == threads
        results.append(np.array(chain(photos[:8])))
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_calls_from_several_threads(photos):
    parts = [photos[k : k + 4] for k in range(0, 16, 4)]
    wanted = [np.array(chain(part)) for part in parts]
    start = threading.Barrier(4)

    def work(k):
        start.wait()
        return [np.array(chain(parts[(k + i) % 4])) for i in range(4)]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    for k, result in enumerate(results):
        for i, got in enumerate(result):
            np.testing.assert_array_equal(got, wanted[(k + i) % 4])


def test_a_result_may_be_used_by_another_thread_before_it_exists():
    batch = ndd.batch(noise(0, (8, 500, 500, 3)), layout="HWC")
    result = ndd.resize(batch, size=[400, 400])
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: np.array(result), range(8)))
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_the_number_changes_while_others_work(photos, restore):
    wanted = np.array(chain(photos[:8]))
    stop = threading.Event()

    def change():
        while not stop.is_set():
            for threads in (1, 2, 4):
                ndd.set_num_threads(threads)

    changer = threading.Thread(target=change)
    changer.start()
    try:
        for _ in range(5):
            np.testing.assert_array_equal(np.array(chain(photos[:8])), wanted)
    finally:
        stop.set()
        changer.join()


@pytest.mark.parametrize(
    ("number", "kind", "message"),
    [
        (0, ValueError, "0 threads; expected 1 to"),
        (-1, ValueError, "-1 threads; expected 1 to"),
        (10**6, ValueError, "1000000 threads; expected 1 to"),
        (1.5, TypeError, "expected an int, got 1.5"),
        ("2", TypeError, "expected an int, got '2'"),
        (True, TypeError, "expected an int, got True"),
    ],
)
def test_refused_numbers(number, kind, message):
    before = ndd.get_num_threads()
    with pytest.raises(kind, match=f"^set_num_threads: {message}"):
        ndd.set_num_threads(number)
    assert ndd.get_num_threads() == before


def test_the_environment_gives_the_default(restore, monkeypatch):
    monkeypatch.setenv("DALI_NUM_THREADS", "3")
    assert ndd.get_num_threads() == 3
    monkeypatch.setenv("DYNJAX_NUM_THREADS", "2")
    assert ndd.get_num_threads() == 2
    ndd.set_num_threads(1)
    assert ndd.get_num_threads() == 1
    ndd.set_num_threads(None)
    assert ndd.get_num_threads() == 2
    monkeypatch.setenv("DYNJAX_NUM_THREADS", "many")
    with pytest.raises(ValueError, match=r"^DYNJAX_NUM_THREADS='many'; expected a whole number"):
        ndd.get_num_threads()


def test_samples_of_a_batch_and_single_samples_agree(photos):
    together = ndd.decoders.image(ndd.batch([np.frombuffer(p, np.uint8) for p in photos[:6]]))
    for photo, wanted in zip(photos, arrays(together), strict=False):
        np.testing.assert_array_equal(
            np.asarray(ndd.decoders.image(np.frombuffer(photo, np.uint8))), wanted
        )


def test_changing_the_number_does_not_pile_up_threads():
    # Native threads: those that the kernel lists for the process.
    program = """
        import os, numpy as np, dynjax as ndd
        batch = ndd.batch(np.zeros((8, 64, 64, 3), np.uint8), layout="HWC")
        counts = []
        for threads in (1, 8, 1, 8, 2, 8):
            ndd.set_num_threads(threads)
            ndd.resize(batch, size=[32, 32]).evaluate()
            counts.append(len(os.listdir("/proc/self/task")))
        print(*counts)
    """
    one, many, *others = map(int, output(program).split())
    assert 1 <= many - one <= 7
    assert max(others) == many
