"""What a captured loop reports, warns of, and does not compute."""

import time
import warnings

import numpy as np
import pytest
from support.loops import pictures

import dynjax as ndd
from dynjax import capture
from dynjax._capture.results import Result

HIGH = 1200  # pictures of which calls are joined into programs


def run(body, n=6, height=12, **options):
    source = ndd.ExternalSource([pictures(k, height) for k in range(n)])
    for i, x in enumerate(source.captured(batch_size=4, **options)):
        body(x, i)
    return capture.report(source)


def test_calls_are_listed_with_their_place():
    report = run(lambda x, i: np.asarray(ndd.flip(x, horizontal=1) + 1))
    flip, add = report.calls
    assert (flip.operator, flip.calls, flip.captured) == ("flip", 6, 5)
    assert (add.operator, add.calls, add.captured) == ("arithmetic.add", 6, 5)
    assert flip.filename == __file__
    assert report.steps == 6
    assert "flip" in str(report)
    assert "<table>" in report._repr_html_()


def test_reasons():
    big = np.zeros((4, 12, 10, 300), np.float32)

    def body(x, i):
        np.asarray(ndd.crop(x, crop=[4 + i, 6]))
        ndd.cast(big, dtype=ndd.int32).evaluate()

    crop, cast = run(body).calls
    assert (crop.captured, crop.reason) == (0, "crop: [9, 6], was [8, 6]")
    assert cast.captured == 0
    assert "dynjax.tensor" in cast.reason


def test_warning_when_nothing_is_captured():
    with pytest.warns(UserWarning, match="no operators were captured") as seen:
        run(lambda x, i: np.asarray(x))
    assert len(seen) == 1
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(lambda x, i: np.asarray(x + 1))


def test_report_of_something_else():
    with pytest.raises(TypeError, match="expected a reader"):
        capture.report(3)


def test_steps_run_ahead_of_the_body():
    waited = []

    def body(x, i):
        y = ndd.resize(x, size=[300, 300])
        time.sleep(0.1)
        start = time.perf_counter()
        y.evaluate()
        waited.append(time.perf_counter() - start)

    run(body)
    assert max(waited[3:]) < 0.02  # it was there


def test_unused_results_are_not_computed(monkeypatch):
    ran = []
    original = Result.run
    monkeypatch.setattr(Result, "run", lambda self: (ran.append(self.node), original(self)))

    def body(x, i):
        ndd.resize(x, size=[4, 4])  # dropped
        np.asarray(ndd.resize(x, size=[3, 3]))

    run(body, 8)
    sizes = [node.given["size"] for node in ran]
    assert sizes.count([3, 3]) == 7
    assert sizes.count([4, 4]) <= 4


def test_calls_are_joined_into_one_program(compiles):
    def body(x, i):
        y = ndd.cast(x, dtype=ndd.float32)
        for k in range(5):
            y = y * 1.5 + k
        np.asarray(y)

    assert run(body, height=HIGH).programs == 1
    with compiles() as seen:
        run(body, 10, HIGH)
    assert seen.count <= 1  # eager steps find their programs; the joined one belongs to the source


def test_programs_serve_all_steps(compiles):
    source = ndd.ExternalSource([pictures(k, HIGH) for k in range(6)], cycle="raise")

    def epoch():
        for x in source.captured(batch_size=4):
            np.asarray(x * 2 + 1)

    epoch()
    with compiles() as seen:
        epoch()
    assert seen.count == 0


def test_invariant():
    size = capture.invariant([8, 8])
    assert capture.invariant(size) is size
    assert isinstance(size, list)
    assert (len(size), size[0] + 1, list(size), size == [8, 8]) == (2, 9, [8, 8], True)
    three = capture.invariant(3)
    assert (three + 1, 1 + three, three * 2.5, -three, three > 2, int(three)) == (
        *(4, 4, 7.5, -3, True, 3),
    )
    assert ndd.cast(ndd.tensor([1.5]), dtype=capture.invariant(ndd.int32)).dtype == ndd.int32
    orders = capture.invariant(ndd.batch([np.array([1, 0, 1]), np.array([0])]))
    frames = ndd.batch(np.arange(4).reshape(2, 2), layout="F")
    assert ndd.sequence_rearrange(frames, new_order=orders).shape == [(3,), (1,)]

    class Settings:
        size = (6, 5)

    settings = capture.invariant(Settings())
    shapes = []
    report = run(lambda x, i: shapes.append(ndd.resize(x, size=settings.size).shape[0]))
    assert shapes == [(6, 5, 3)] * 6
    assert report.calls[0].captured == 5


def test_what_depends_on_a_changing_value_is_joined_when_it_is_used(compiles):
    x = ndd.cast(pictures(0, HIGH), dtype=ndd.float32)

    def late(i):
        return ((x * (1.5 + i) + 1) * 0.5 - 2) / 3

    def body(_, i):
        np.testing.assert_array_equal(np.asarray(late(i)), expected[i])

    expected = [np.asarray(late(i)) for i in range(12)]
    with compiles() as seen:
        report = run(body, 12)
    assert seen.count <= 2  # not one for each step
    assert all(c.captured == 0 for c in report.calls)


def test_reason_names_what_changed():
    outside = pictures(99)

    def body(x, i):
        ndd.brightness_contrast(x, brightness=1.0 + i).evaluate()
        np.asarray(x + i)
        np.asarray(ndd.flip(x, horizontal=1) + (x if i % 2 else outside))
        np.asarray(ndd.crop(x, **({"crop": [4, 4]} if i < 5 else {"crop_w": 4, "crop_h": 4})))
        if i > 4:
            np.asarray(ndd.cast(x, dtype=ndd.int32))

    reasons = [call.reason for call in run(body).calls]
    assert reasons == [
        "brightness: 6.0, was 5.0",
        "input 1: 5, was 4",
        "first step",
        "input 1: item of a source, was tensor or batch from outside the step",
        "crop_w was not given before",
        "first called in a later step",
    ]


def test_compiled_programs_are_counted(monkeypatch):
    def body(x, i):
        y = ndd.cast(x, dtype=ndd.float32) * 1.25
        np.asarray(y + 0.75)

    report = run(body, height=HIGH + 8)
    assert 1 <= report.compiles <= 8
    assert report.compiling > 0
    assert "programs compiled in" in str(report)
    again = run(body, height=HIGH + 8)
    assert again.compiles == 0


def test_steps_in_flight_are_counted():
    source = ndd.ExternalSource([pictures(k, 400) for k in range(6)])
    loop = source.captured(batch_size=4, prefetch=3)
    for _, x in zip(range(4), loop, strict=False):
        ndd.flip(x, horizontal=1).evaluate()
    report = capture.report(loop)
    assert report.in_flight == 2  # of the source's six items
    assert report.peak_bytes >= 2 * 4 * 400 * 10 * 3
    loop.close()
    assert capture.report(loop).in_flight == 0
