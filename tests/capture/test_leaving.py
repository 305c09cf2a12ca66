"""Leaving a captured loop early loses nothing and leaves nothing behind."""

import gc
import itertools
import signal
import threading
import time
import weakref

import numpy as np
import psutil
import pytest
from support.processes import output, python

import dynjax as ndd
from dynjax import OperatorError
from dynjax._capture import active, body


@pytest.fixture
def files(tmp_path):
    paths = []
    for i in range(20):
        path = tmp_path / f"{i:02}.bin"
        path.write_bytes(bytes([i] * 3))
        paths.append(str(path))
    return paths


def labels_of(batch):
    return np.asarray((batch + 0).jax()).reshape(-1).tolist()


class Runs:
    """Runs of a reader's loop with a random call and a feeder, eager or captured."""

    def __init__(self, files, captured, feeder=False, random=False, **options):
        self.reader = ndd.readers.File(files=files)
        self.captured = captured
        self.rng = ndd.random.RNG(seed=5)
        self.feeder = ndd.ExternalSource([np.int32(i) for i in range(40)]) if feeder else None
        self.random = random
        self.options = options

    def epoch(self):
        options = {"capture": True, **self.options} if self.captured else {}
        return self.reader.next_epoch(batch_size=4, **options)

    def body(self, data, labels):
        got = [labels_of(labels + 100)]
        if self.random:
            values = ndd.random.uniform(batch_size=4, rng=self.rng) * 2
            got.append(np.asarray(values.jax()).tolist())
        if self.feeder is not None:
            got.append(np.asarray(self.feeder()).reshape(-1)[:1].tolist())
        return got


KINDS = list(itertools.product([False, True], [False, True], [False, True]))


@pytest.mark.parametrize(("captured", "feeder", "random"), KINDS)
def test_break_and_continue(files, captured, feeder, random):
    runs = Runs(files, captured, feeder, random, **({"prefetch": 3} if captured else {}))
    reference = Runs(files, False, feeder, random)
    expected = [reference.body(*b) for b in reference.epoch()]
    got = []
    for k, batch in enumerate(runs.epoch()):
        got.append(runs.body(*batch))
        if k == 1:
            break
    for batch in runs.epoch():
        got.append(runs.body(*batch))
        if len(got) == 5:
            break
    assert got == expected
    assert str(runs.rng.state) == str(reference.rng.state)
    if feeder:
        assert int(np.asarray(runs.feeder()).reshape(-1)[0]) == 5  # usable again, and at its place


@pytest.mark.parametrize("captured", [False, True])
def test_exceptions_pass_unchanged(files, captured):
    runs = Runs(files, captured, random=True)
    error = KeyError("mine")

    def run():
        for k, batch in enumerate(runs.epoch()):
            runs.body(*batch)
            if k == 1:
                raise error

    with pytest.raises(KeyError) as caught:
        run()
    assert caught.value is error
    assert runs.body(*next(runs.epoch()))[0] == [108, 109, 110, 111]


@pytest.mark.parametrize("captured", [False, True])
def test_partial_iteration(files, captured):
    runs = Runs(files, captured)
    assert [labels_of(y) for _, y in itertools.islice(runs.epoch(), 2)][-1] == [4, 5, 6, 7]
    assert [labels_of(y) for _, (_, y) in zip(range(1), runs.epoch(), strict=False)] == [
        [8, 9, 10, 11]
    ]
    epoch = runs.epoch()
    # zip has taken one batch more than it gave.
    assert labels_of(next(iter(epoch))[1]) == [12, 13, 14, 15]
    del epoch
    assert labels_of(next(runs.epoch())[1]) == [16, 17, 18, 19]


def test_close_twice_and_the_end(files):
    epoch = Runs(files, True).epoch()
    next(epoch)
    epoch.close()
    epoch.close()
    assert list(epoch) == []


def test_reset_inside_the_loop(files):
    runs = Runs(files, True)
    seen = []
    for k, (_, labels) in enumerate(runs.epoch()):
        seen.append(labels_of(labels)[0])
        if k == 2:
            runs.reader.reset()
    assert seen == [0, 4, 8, 0, 4]


def test_captured_and_eager_epochs_alternate(files):
    reader = ndd.readers.File(files=files, random_shuffle=True, seed=3)
    reference = ndd.readers.File(files=files, random_shuffle=True, seed=3)
    for k in range(4):
        got = [labels_of(y * 2) for _, y in reader.next_epoch(batch_size=4, capture=k % 2 == 1)]
        assert got == [labels_of(y * 2) for _, y in reference.next_epoch(batch_size=4)]


def test_an_error_in_a_later_step_comes_after_the_good_ones(tmp_path):
    from PIL import Image

    paths = []
    for i in range(12):
        path = tmp_path / f"{i:02}.png"
        Image.fromarray(np.full((5, 5, 3), i, np.uint8)).save(path)
        paths.append(str(path))
    (tmp_path / "09.png").write_text("not an image")
    reader = ndd.readers.File(files=paths)
    good = []

    def run():
        for data, _ in reader.next_epoch(batch_size=4, capture=True):
            images = ndd.decoders.image(data) + 1
            good.append(int(np.asarray(images.select(0))[0, 0, 0]))

    with pytest.raises(RuntimeError, match=r"09\.png"):
        run()
    assert good == [1, 5]
    assert len(list(reader.next_epoch(batch_size=4, capture=True))) == 3


def test_a_vanished_file_is_reported_at_its_step(files):
    reader = ndd.readers.File(files=[*files[:8], "/nowhere/x.bin", *files[9:]])
    seen = []

    def run():
        for _, labels in reader.next_epoch(batch_size=4, capture=True):
            seen.append(labels_of(labels)[0])

    with pytest.raises(RuntimeError, match="nowhere"):
        run()
    assert seen == [0, 4]


@pytest.mark.parametrize("which", ["source", "feeder", "late feeder"])
def test_a_loop_that_is_left_before_an_error_that_was_met_ahead(which):
    def failing(count):
        yield from ([np.float32(k)] * 4 for k in range(count))
        raise KeyError("no more")

    source = ndd.ExternalSource(failing(4) if which == "source" else failing(9))
    items = 4 if which == "late feeder" else 16
    feeder = ndd.ExternalSource([np.float32(k) for k in range(items)])
    gc.collect()
    gc.disable()  # nothing but the last reference tells that a loop was left
    try:
        loop = source.captured(batch_size=4, prefetch=3)
        for step, x in enumerate(loop):
            np.asarray(x + (1 if which == "source" else feeder(batch_size=4)))
            if step == (0 if which == "late feeder" else 2):
                break
        reference = weakref.ref(loop)
        del loop
        assert reference() is None
        assert active.current() is None
    finally:
        gc.enable()


def test_an_error_that_was_met_ahead_holds_no_loop_when_it_is_collected():
    def loop(items, collect):
        source = ndd.ExternalSource([np.float32(k) for k in range(16)])
        feeder = ndd.ExternalSource([np.float32(k) for k in range(items)])
        loop = source.captured(batch_size=4, prefetch=3)
        for step, x in enumerate(loop):
            np.asarray(x + feeder(batch_size=4))
            if step == 2:
                if collect:
                    gc.collect()
                break
        return weakref.ref(loop)

    gc.collect()
    gc.disable()
    try:
        loop(4, collect=False)  # leaves its error to the collector, which runs in the other's body
        assert loop(16, collect=True)() is None
        assert active.current() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("items", [6, 50], ids=["ends soon", "goes on"])
@pytest.mark.parametrize("read", [False, True])
def test_feeders_stand_behind_what_was_read(items, read):
    source = ndd.ExternalSource([np.float32(k) for k in range(100)])
    feeder = ndd.ExternalSource([np.float32(k) for k in range(items)])
    longer = ndd.ExternalSource([np.float32(k) for k in range(60)])
    for step, x in enumerate(source.captured(batch_size=4)):
        np.asarray(x + longer(batch_size=4))
        if step == 4 and not read:
            break
        np.asarray(x + feeder(batch_size=4))
        if step == 4:
            break
    assert np.asarray(feeder(batch_size=4)).tolist() == [4 + read] * 4
    assert np.asarray(longer(batch_size=4)).tolist() == [5] * 4


def test_a_feeder_that_comes_late_hides_no_error_of_the_source():
    class Failing:
        passes = 0

        def __iter__(self):
            self.passes += 1
            for k in range(6):
                if self.passes == 2 and k == 2:
                    raise KeyError("broken")
                yield ndd.batch(np.full((4, 2), k, np.float32))

    source = ndd.ExternalSource(Failing(), cycle="raise")
    feeder = ndd.ExternalSource([np.float32(k) for k in range(100)])
    seen = []

    def epoch():  # in the second one the steps ahead were polled before the body reads the feeder
        for x in source.captured(batch_size=4):
            seen.append(int(np.asarray(x + feeder(batch_size=4))[0, 0]))

    epoch()
    with pytest.raises(KeyError, match="broken"):
        epoch()
    assert seen == [0, 2, 4, 6, 8, 10, 6, 8]
    assert np.asarray(feeder(batch_size=4)).tolist() == [8] * 4


@pytest.mark.parametrize("error", [None, ValueError], ids=["ends", "fails"])
@pytest.mark.parametrize("late", [False, True])
def test_what_is_lost_when_a_feeder_gives_no_more(error, late):
    def gives():
        yield from (np.float32(10 * k) for k in range(6))
        if error is not None:
            raise error("broken")

    source = ndd.ExternalSource([np.float32(k) for k in range(30)])
    feeder = ndd.ExternalSource(gives())
    seen = []

    def loop(steps):
        for x in source.captured(batch_size=4):
            seen.append(np.asarray(x + feeder(batch_size=4))[0])
            if len(seen) == steps:
                break

    if late:  # the second loop polls ahead before its body reads the feeder
        loop(2)
    with pytest.raises(error or OperatorError, match="broken" if error else "ran out"):
        loop(20)
    assert seen == [0, 11, 22, 33, 44, 55]
    # The body had the item that it could not feed; that of a step without a feeder waits.
    for x in source.captured(batch_size=4):
        assert np.asarray(x)[0] == (7 if error else 6)
        break


def test_a_step_does_not_hold_what_another_reader_gives_in_it(files, monkeypatch):
    monkeypatch.setattr(body, "MAX_BYTES_OUTSIDE", 4 << 20)
    other = ndd.readers.Objects(data=[np.zeros((64, 1024), np.uint8)] * 16)
    alive = []
    for step, (data, _labels) in enumerate(
        ndd.readers.File(files=files).next_epoch(batch_size=4, capture=True)
    ):
        np.asarray(data + 1)
        if step == 3:
            for _ in range(30):
                for (x,) in other.next_epoch(batch_size=16):
                    made = x * 2 + 1
                    np.asarray(made)
                    alive.append(weakref.ref(made))
            del made, x
            gc.collect()
            assert sum(reference() is not None for reference in alive) <= 4


def test_threads_and_memory_after_leaving(files):
    def leave():
        runs = Runs(files, True, feeder=True, random=True)
        for batch in runs.epoch():
            runs.body(*batch)
            break
        for k, batch in enumerate(runs.epoch()):
            runs.body(*batch)
            if k == 1:
                break

    for _ in range(20):
        leave()
    threads, process = threading.active_count(), psutil.Process()
    native = process.num_threads()
    gc.collect()
    before = process.memory_info().rss
    for _ in range(200):
        leave()
    gc.collect()
    assert process.memory_info().rss - before < 10 << 20
    assert threading.active_count() <= threads
    assert process.num_threads() <= native


INTERRUPTED = """
    import signal, threading, time, os, numpy as np, dynjax as ndd
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    source = ndd.ExternalSource([np.arange(6, dtype=np.float32)] * 1000)
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        for x in source.captured(batch_size=4):
            np.asarray(x * 2 + 1)
            time.sleep(0.01)
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_ctrl_c():
    start = time.monotonic()
    assert output(INTERRUPTED).strip() == "interrupted"
    assert time.monotonic() - start < 60
    assert signal.getsignal(signal.SIGINT) is not None


EXIT = """
    import numpy as np, dynjax as ndd
    source = ndd.ExternalSource([np.ones((200, 200, 3), np.float32)] * 1000)
    loop = source.captured(batch_size=16, prefetch=5)
    for k, x in enumerate(loop):
        y = ndd.resize(x * 2, size=[50, 50]) + 1
        if k == 4:
            break
    {end}
"""


@pytest.mark.parametrize("end", ["raise SystemExit(0)", "x = next(loop)", "del loop"])
def test_exit_in_mid_epoch_is_silent(end):
    done = python(EXIT.replace("{end}", end))
    assert (done.returncode, done.stderr) == (0, "")
