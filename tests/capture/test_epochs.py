"""Epochs that follow one another: the last steps of one run ahead into the next."""

import warnings

import numpy as np
import pytest

import dynjax as ndd

STEPS = 5


@pytest.fixture
def files(tmp_path):
    paths = []
    for i in range(4 * STEPS):
        path = tmp_path / f"{i:02}.bin"
        path.write_bytes(bytes([i] * 3))
        paths.append(str(path))
    return paths


class Runs:
    """Epochs of a reader whose body draws, eager or captured."""

    def __init__(self, files, captured, prefetch=None, **options):
        self.reader = ndd.readers.File(files=files, enable_checkpointing=True, **options)
        self.options = {"capture": True, "prefetch": prefetch} if captured else {}
        self.rng = ndd.random.RNG(seed=5)

    def epoch(self, batches=STEPS, batch_size=4):
        got = []
        for data, labels in self.reader.next_epoch(batch_size=batch_size, **self.options):
            noise = ndd.random.uniform(batch_size=batch_size, rng=self.rng)
            got.append([np.asarray((labels + 100).jax()).tolist(), np.asarray(noise * 2).tolist()])
            got.append(np.asarray(data + 1).tolist())
            if batches < STEPS and len(got) == 2 * batches:
                break
        return got, self.rng.clone()(), self.reader.get_state()

    def computed_beyond(self):
        left = self.reader._plan.left
        return 0 if left is None else len(left.steps)


def nothing(runs):
    del runs


def draw(runs):
    runs.rng()


def reset(runs):
    runs.reader.reset()


def back(runs):
    runs.reader.set_state(runs.first)


def partial_epoch(runs):
    runs.epoch(batches=2)


def eager_epoch(runs):
    captured, runs.options = runs.options, {}
    runs.epoch()
    runs.options = captured


BETWEEN = [nothing, draw, reset, back, partial_epoch, eager_epoch]


@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 3}], ids=["", "shuffled"])
@pytest.mark.parametrize("between", BETWEEN)
def test_same_as_plain_epochs(files, between, options):
    got = []
    for captured in (False, True):
        runs = Runs(files, captured, **options)
        results = [runs.epoch()]
        runs.first = results[0][2]
        for do in (nothing, between, nothing, nothing, between):
            do(runs)
            results.append(runs.epoch())
        got.append(results)
    assert got[0] == got[1]


def test_steps_of_the_next_epoch_are_computed_once_one_has_followed(files):
    runs = Runs(files, captured=True, prefetch=2)
    counts = []
    for _ in range(4):
        runs.epoch()
        counts.append(runs.computed_beyond())
    assert counts == [0, 2, 2, 2]
    runs.reader.reset()  # it stands there already
    runs.epoch()
    assert runs.computed_beyond() == 2
    runs.epoch(batches=3)
    assert runs.computed_beyond() == 0


def test_nothing_is_computed_for_an_epoch_that_does_not_follow(files):
    runs = Runs(files, captured=True, prefetch=2)
    first = runs.epoch()[2]
    counts = []
    for _ in range(4):
        runs.epoch()
        counts.append(runs.computed_beyond())
        runs.reader.set_state(first)
    assert counts == [2, 0, 0, 0]  # in vain once


def test_feeders_are_not_polled_beyond_the_epoch(files):
    reader = ndd.readers.File(files=files)
    feeder = ndd.ExternalSource([np.int32(k) for k in range(3 * STEPS)])
    got = []
    for _ in range(3):
        for _, _labels in reader.next_epoch(batch_size=4, capture=True):
            got.append(int(np.asarray(feeder(batch_size=4) + 0)[0]))
    assert got == list(range(3 * STEPS))


@pytest.mark.parametrize(
    "fills",
    [
        lambda epoch, step: True,
        lambda epoch, step: epoch > 1,
        lambda epoch, step: epoch > 1 and step == STEPS - 1,
    ],
    ids=["always", "in later epochs", "at their end"],
)
@pytest.mark.parametrize("changing", [False, True])
def test_skipped_samples_are_those_of_the_epoch(files, fills, changing):
    reader = ndd.readers.File(files=files)

    def epoch(k):
        for step, (data, _labels) in enumerate(reader.next_epoch(batch_size=4, capture=True)):
            np.asarray(data + 1)
            if fills(k, step):
                value = 7 * step + k if changing else 0
                ndd.decoders.image(data, on_error="fill", fill_value=value).evaluate()

    for k in range(5):
        bad = 4 * sum(fills(k, step) for step in range(STEPS))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            epoch(k)
        assert [f"{bad} samples of epoch {k}" in str(w.message) for w in told] == [True] * (bad > 0)
        assert len(reader.skipped) == bad


def test_the_reader_may_be_closed_in_the_body(files):
    reader = ndd.readers.File(files=files)

    def epoch():
        for step, (data, _labels) in enumerate(reader.next_epoch(batch_size=4, capture=True)):
            np.asarray(data + 1)
            assert step <= 3
            if step == 3:
                reader.close()

    with pytest.raises(RuntimeError, match="closed"):
        epoch()


def test_the_reader_may_be_closed(files):
    runs = Runs(files, captured=True)
    runs.epoch()
    runs.epoch()
    runs.reader.close()
    with pytest.raises(RuntimeError, match="closed"):
        runs.epoch()
