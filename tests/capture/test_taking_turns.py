"""Sources and feeders stand where the plain loop leaves them, whatever was polled ahead."""

import gc
import itertools
import sys

import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError


def numbers(count, **options):
    return ndd.ExternalSource([np.float32(k) for k in range(count)], **options)


def first(batch):
    return np.asarray(batch).reshape(-1)[0].item()


def firsts(loop, stop=None, feeder=None):
    seen = []
    for i, x in enumerate(loop):
        seen.append(first(x + 0) if feeder is None else (first(x + 0), first(feeder() + 0)))
        if i == stop:
            break
    return seen


def test_a_loop_that_was_left_and_lives_on():
    source = numbers(12)
    left = source.captured(batch_size=2)
    assert firsts(left, 2) == [0, 1, 2]
    assert firsts(source.captured(batch_size=2), 1) == [3, 4]
    del left
    gc.collect()
    assert firsts(source.captured(batch_size=2)) == [5, 6, 7, 8, 9, 10, 11]


def test_loops_that_take_turns():
    source = numbers(9)
    pairs = zip(source.captured(batch_size=2), source.captured(batch_size=2), strict=False)
    assert [(first(a + 0), first(b * 1)) for a, b in pairs] == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_feeders_of_a_loop_that_lives_on():
    reader, feeder = ndd.readers.Objects(data=list(range(40))), numbers(40)

    def loop():
        return ((x, feeder()) for (x,) in reader.next_epoch(batch_size=4, capture=True))

    def pairs(loop, count):
        return [(first(x + 0), first(f + 0)) for _, (x, f) in zip(range(count), loop, strict=False)]

    left = loop()
    assert pairs(left, 3) == [(0, 0), (4, 1), (8, 2)]
    assert pairs(loop(), 3) == [(12, 3), (16, 4), (20, 5)]
    del left
    gc.collect()
    assert pairs(loop(), 4) == [(24, 6), (28, 7), (32, 8), (36, 9)]


@pytest.mark.parametrize("stop", [0, 1, 2, 3])
def test_the_end_of_a_source_that_was_met_ahead(stop):
    source = numbers(4, cycle="raise")
    assert firsts(source.captured(batch_size=2)) == [0, 1, 2, 3]
    firsts(source.captured(batch_size=2), stop)
    assert firsts(source.captured(batch_size=2)) == [0, 1, 2, 3][stop + 1 :]
    assert firsts(source.captured(batch_size=2)) == [0, 1, 2, 3]


class Stumbling:
    """0, 1, 2, ...; before one of them it raises once."""

    def __init__(self, before, error, count=9):
        self.before, self.error, self.count = before, error, count
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.next == self.before:
            self.before = None
            raise self.error("once")  # nobody keeps it
        if self.next == self.count:
            raise StopIteration
        self.next += 1
        return ndd.batch(np.full((2, 3), self.next - 1, np.float32))

    def __call__(self):
        return next(self)


@pytest.mark.parametrize("kind", [iter, lambda s: s.__call__], ids=["iterator", "callable"])
def test_an_error_of_a_source_that_was_met_ahead(kind):
    source = ndd.ExternalSource(kind(Stumbling(4, ValueError)))
    assert firsts(source.captured(batch_size=2), 2) == [0, 1, 2]
    loop = source.captured(batch_size=2)
    assert first(next(loop) + 0) == 3
    with pytest.raises(ValueError, match="once"):
        next(loop)
    assert firsts(source.captured(batch_size=2)) == [4, 5, 6, 7, 8]


def test_an_error_of_a_feeder_comes_where_it_is_read():
    source, other = numbers(9), numbers(9)
    feeder = ndd.ExternalSource(Stumbling(4, ValueError, count=8))
    seen = []
    for x in source.captured(batch_size=2):
        row = [first(x + 0), first(other(batch_size=2) + 0)]
        try:
            row.append(first(feeder() + 0))
        except ValueError:
            row.append("error")
        seen.append(row)
        if row[0] == 6:
            break
    rows = [[k, k, k] for k in range(4)]
    assert seen == [*rows, [4, 4, "error"], [5, 5, 4], [6, 6, 5]]
    assert [first(other(batch_size=2)), first(feeder())] == [7, 6]


def test_an_error_at_the_first_read_of_a_feeder():
    feeder = ndd.ExternalSource(Stumbling(0, KeyError))
    seen = []
    for i, x in enumerate(numbers(4).captured(batch_size=2)):
        try:
            seen.append((first(x), first(feeder())))
        except KeyError:
            assert i == 0
    assert seen == [(1, 0), (2, 1), (3, 2)]


@pytest.mark.parametrize("which", ["source", "feeder"])
@pytest.mark.parametrize("before", [0, 1, 4, 5])
def test_an_interrupt_loses_nothing(which, before):
    stumbling = ndd.ExternalSource(Stumbling(before, KeyboardInterrupt))
    source = stumbling if which == "source" else numbers(9)
    feeder = stumbling if which == "feeder" else numbers(9)
    loop = source.captured(batch_size=2)
    seen = []
    while True:
        try:
            x = next(loop)
        except KeyboardInterrupt:
            continue
        except StopIteration:
            break
        while True:
            try:
                made = feeder() if which == "feeder" else feeder(batch_size=2)
                break
            except KeyboardInterrupt:
                continue
        seen.append((first(x + 0), first(made + 0)))
    assert seen == [(k, k) for k in range(9)]


@pytest.mark.parametrize("which", ["source", "feeder"])
@pytest.mark.parametrize("before", [1, 4, 5])
def test_a_loop_that_is_left_by_an_interrupt(which, before):
    stumbling = ndd.ExternalSource(Stumbling(before, KeyboardInterrupt))
    source = stumbling if which == "source" else numbers(9)
    feeder = stumbling if which == "feeder" else numbers(9)
    seen = []

    def loop():
        for x in source.captured(batch_size=2):
            made = feeder() if which == "feeder" else feeder(batch_size=2)
            seen.append((first(x + 0), first(made + 0)))

    with pytest.raises(KeyboardInterrupt):
        loop()
    assert 0 < len(seen) < 9
    loop()
    assert seen == [(k, k) for k in range(9)]


def test_an_interrupt_at_any_line_loses_no_batch():
    """As Ctrl-C may come: between any two lines of the loop's own code."""
    count, line = 0, 0

    def trace(frame, event, _):
        nonlocal count
        if "/dynjax/" not in frame.f_code.co_filename:
            return None
        if event == "line":
            count += 1
            if count == line:
                raise KeyboardInterrupt
        return trace

    data = list(range(100_000))
    loops = [
        numbers(4000).captured(batch_size=4),
        ndd.readers.Objects(data=data).next_epoch(batch_size=4, capture=True),
    ]
    for loop in loops:
        seen, interrupts, line = [], 0, 0
        interrupted = False
        while interrupts < 300:
            count = 0
            sys.settrace(None if interrupted or len(seen) < 5 else trace)
            interrupted = False
            try:
                x = next(loop)
            except KeyboardInterrupt:
                interrupted = True
                interrupts += 1
                continue
            finally:
                sys.settrace(None)
            seen.append((x[0] if isinstance(x, tuple) else x) * 2)
            line = 1 if count < line else line + 1  # that was run to its end
        steps = [b - a for a, b in itertools.pairwise(map(first, seen))]
        # Between the moment that the position moves and the name `x` an interrupt may lose one.
        assert sum(s != steps[0] for s in steps) <= 2


def test_a_feeder_may_change_between_samples_and_batches():
    batches = [ndd.batch(np.full((4, 2), k, np.float32)) for k in range(4)]
    items = [*batches, *(np.float32([k, k + 1]) for k in range(6)), *batches]
    feeder = ndd.ExternalSource(items)
    source = ndd.ExternalSource([ndd.batch(np.ones((4, 3), np.float32))] * len(items))
    for item, _ in zip(items, source.captured(batch_size=4), strict=True):
        made, total = feeder() * 2 + 1, None
        total = ndd.reductions.sum(made)
        want = np.asarray(item) * 2 + 1
        assert type(made) is (ndd.Batch if isinstance(item, ndd.Batch) else ndd.Tensor)
        np.testing.assert_array_equal(np.asarray(made), want)
        axes = (1,) if isinstance(item, ndd.Batch) else None
        np.testing.assert_array_equal(np.asarray(total), want.sum(axes))


def test_without_prefetch_feeders_are_called_when_they_are_read():
    state = {"step": -1}

    def current():
        while True:
            yield np.float32(state["step"])

    feeder = ndd.ExternalSource(current)
    shared = iter(range(100))
    a, b = (ndd.ExternalSource(lambda: np.float32(next(shared))) for _ in range(2))
    seen = []
    for step, _ in enumerate(numbers(6).captured(batch_size=2, prefetch=0)):
        state["step"] = step
        order = (a, b) if step % 2 else (b, a)
        seen.append([first(s(batch_size=2) + 0) for s in (feeder, *order)])
    assert seen == [[k, 2 * k, 2 * k + 1] for k in range(6)]


def test_a_feeder_that_runs_out_without_prefetch():
    feeder = numbers(2)
    loop = numbers(6).captured(batch_size=2, prefetch=0)
    assert [(first(next(loop)), first(feeder(batch_size=2))) for _ in range(2)] == [(0, 0), (1, 1)]
    assert first(next(loop)) == 2
    with pytest.raises(OperatorError, match="ran out before"):
        feeder(batch_size=2)


@pytest.mark.parametrize("prefetch", ["x", 1.5])
def test_wrong_prefetch(prefetch):
    with pytest.raises((TypeError, ValueError), match="prefetch"):
        numbers(3).captured(batch_size=2, prefetch=prefetch)
