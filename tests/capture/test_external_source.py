"""ExternalSource: what it takes, its ends, its roles, and as a feeder of captured loops."""

import functools

import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError


def batches(n=3, size=4, **options):
    items = [ndd.batch([np.full(3, 10 * b + s, np.float32) for s in range(size)]) for b in range(n)]
    return ndd.ExternalSource(items, **options)


def firsts(items):
    return [float(np.asarray(x).reshape(-1)[0]) for x in items]


def numbers(count=3):
    yield from (np.float32(k) for k in range(count))


@pytest.mark.parametrize(
    "source",
    [
        [np.float32(k) for k in range(3)],
        iter([np.float32(k) for k in range(3)]),
        functools.partial(next, iter((0.0, 1.0, 2.0))),
        numbers,
        np.arange(3, dtype=np.float32),
    ],
    ids=["list", "iterator", "callable", "generator", "array"],
)
def test_kinds_of_sources(source):
    es = ndd.ExternalSource(source)
    assert firsts([es(), es(), es()]) == [0, 1, 2]
    with pytest.raises(StopIteration):
        es()


def test_what_a_call_gives():
    es = ndd.ExternalSource([np.zeros((2, 3), np.uint8)] * 3, layout="HW", dtype=ndd.float32)
    one = es()
    assert isinstance(one, ndd.Tensor)
    assert (one.shape, one.layout, one.dtype) == ((2, 3), "HW", ndd.float32)
    many = es(batch_size=5)
    assert (many.batch_size, many.shape[0]) == (5, (2, 3))


def test_several_outputs():
    es = ndd.ExternalSource(
        [(np.zeros(2), np.int32(1))] * 2, num_outputs=2, layout=["H", ""], dtype=[ndd.int16, None]
    )
    a, b = es()
    assert (a.layout, a.dtype, b.dtype) == ("H", ndd.int16, ndd.int32)
    with pytest.raises(ArgumentError, match="gave 3 values; expected 2"):
        ndd.ExternalSource([(1, 2, 3)], num_outputs=2)()
    with pytest.raises(TypeError, match="some outputs are Batches"):
        ndd.ExternalSource([(ndd.batch([1, 2]), 3)], num_outputs=2)()


def test_items_are_copied():
    array = np.zeros(3, np.float32)

    def source():
        array[:] += 1
        return array

    es = ndd.ExternalSource(source)
    got = [es() for _ in range(3)]
    assert firsts(got) == [1, 2, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": lambda x: x}, "takes x"),
        ({"source": [1], "num_outputs": 0}, "num_outputs=0"),
        ({"source": [1], "cycle": "often"}, "cycle='often'"),
        ({"source": lambda: 1, "cycle": True}, "cannot start again"),
        ({"source": [1], "num_outputs": 2, "layout": ["H"]}, "layout has 1 values"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        ndd.ExternalSource(**options)


def test_no_source_at_all():
    with pytest.raises(TypeError, match="expected a callable or an iterable"):
        ndd.ExternalSource(3)


@pytest.mark.parametrize(
    ("cycle", "expected"),
    [
        ("no", [1, 2, "stop", "stop", "stop"]),
        (None, [1, 2, "stop", "stop", "stop"]),
        ("quiet", [1, 2, 1, 2, 1]),
        (True, [1, 2, 1, 2, 1]),
        ("raise", [1, 2, "stop", 1, 2]),
    ],
)
def test_cycles(cycle, expected):
    es = ndd.ExternalSource([np.int32(1), np.int32(2)], cycle=cycle)
    got = []
    for _ in range(5):
        try:
            got.append(es().item())
        except StopIteration:
            got.append("stop")
    assert got == expected


@pytest.mark.parametrize(("cycle", "steps"), [("raise", [3, 3, 3]), ("no", [3, 0, 0])])
def test_epochs(cycle, steps):
    es = batches(cycle=cycle)
    assert [len([x + 1 for x in es.captured(batch_size=4)]) for _ in range(3)] == steps


def test_an_empty_source_is_left_as_it_was():
    es = ndd.ExternalSource([])
    assert list(es.captured(batch_size=2)) == []
    with pytest.raises(StopIteration):
        es()


def test_a_batch_of_another_size():
    loop = batches(size=5).captured(batch_size=4)
    with pytest.raises(ValueError, match="batch of 5 samples; expected 4"):
        next(loop)
    with pytest.raises(TypeError):
        batches().captured()


def test_roles():
    es = batches()
    es()
    with pytest.raises(OperatorError, match="after it was used by direct calls"):
        es.captured(batch_size=4)
    es = batches()
    es.captured(batch_size=4)
    with pytest.raises(OperatorError, match="as the source of a captured loop"):
        es()
    es = batches()
    for x in es.captured(batch_size=4):
        np.asarray(x + 1)
        with pytest.raises(OperatorError):
            es()
        break


def test_what_is_given_back_takes_any_batch_size():
    es = ndd.ExternalSource([np.float32([k]) for k in range(8)])
    for k, x in enumerate(es.captured(batch_size=4)):
        np.asarray(x + 1)
        if k == 1:
            break
    assert [x.batch_size for x in es.captured(batch_size=8)] == [8] * 6


def test_nothing_is_lost_by_a_break():
    es = batches(6)
    seen = []
    for _ in range(3):
        for k, x in enumerate(es.captured(batch_size=4)):
            seen += firsts([x + 1])
            if k == 1:
                break
    assert seen == [1, 11, 21, 31, 41, 51]


def test_feeder():
    es, extra = batches(), batches()
    got = [np.asarray(ndd.cat(x, extra())) for x in es.captured(batch_size=4)]
    assert [a.shape for a in got] == [(4, 6)] * 3
    assert [a[1, 5] for a in got] == [1, 11, 21]


def feed(body, n=3, co=None):
    co = batches(n) if co is None else co
    for i, x in enumerate(batches(3).captured(batch_size=4)):
        np.asarray(x + 1)
        body(i, x, co)


def test_feeder_read_twice():
    with pytest.raises(OperatorError, match="read twice in a step"):
        feed(lambda i, x, co: (co(), co()))


def test_feeder_read_in_the_first_step_only():
    with pytest.raises(OperatorError, match="not read in a step"):
        feed(lambda i, x, co: co() if i == 0 else None)


def test_feeder_first_read_late():
    with pytest.raises(OperatorError, match="first read after the first step"):
        feed(lambda i, x, co: co() if i else None)


def test_feeder_that_runs_out():
    seen = []
    with pytest.raises(OperatorError, match="ran out before"):
        feed(lambda i, x, co: seen.append(firsts([co()])), n=2)
    assert seen == [[0.0], [10.0]]


def test_feeder_with_another_batch_size():
    with pytest.raises(OperatorError, match="batch_size=2"):
        feed(lambda i, x, co: co(batch_size=4 if i == 0 else 2))


def test_a_loop_is_over_after_a_violation():
    loop = batches().captured(batch_size=4)
    co = batches()
    x = next(loop)
    np.asarray(x + 1)
    co()
    with pytest.raises(OperatorError, match="read twice"):
        co()
    with pytest.raises(OperatorError, match="the loop is over"):
        next(loop)


def test_sources_that_depend_on_the_body():
    state = {"value": 0}
    es = ndd.ExternalSource(lambda: np.float32(state["value"]))
    seen = []
    for k, x in enumerate(es.captured(batch_size=2, prefetch=0)):
        seen += firsts([x + 1])
        state["value"] += 10
        if k == 3:
            break
    assert seen == [1, 11, 21, 31]
