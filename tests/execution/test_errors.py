"""Where errors appear, what they say, and that they stay."""

import re
import traceback
from pathlib import Path

import jax
import numpy as np
import pytest
from support.encoded import cut, encoded, text
from support.samples import noise

import dynjax as ndd

SMALL = ndd.batch(noise(0, (2, 8, 8, 3)), layout="HWC")
LARGE = ndd.batch(noise(0, (2, 512, 512, 3)), layout="HWC")
TRUNCATED_SMALL = ndd.batch(
    [encoded(noise(1, (64, 64, 3)), "JPEG"), cut(encoded(noise(2, (64, 64, 3)), "JPEG"))]
)
TRUNCATED_LARGE = ndd.batch(
    [encoded(noise(1, (400, 400, 3)), "JPEG"), cut(encoded(noise(2, (400, 400, 3)), "JPEG"))]
)
NO_PICTURE = ndd.batch([encoded(noise(1, (64, 64, 3))), text()])

# What fails, the error's type and its message.
FAILURES = {
    "decode-text": (
        lambda: ndd.decoders.image(NO_PICTURE),
        ndd.OperatorError,
        r"decoders\.image: sample 1: the format was not recognised",
    ),
    "decode-cut": (
        lambda: ndd.decoders.image(TRUNCATED_SMALL),
        ndd.OperatorError,
        r"decoders\.image: sample 1: the data are truncated",
    ),
    "decode-cut-large": (
        lambda: ndd.decoders.image(TRUNCATED_LARGE),
        ndd.OperatorError,
        r"decoders\.image: sample 1: the data are truncated",
    ),
    "option": (
        lambda: ndd.resize(SMALL, size=[4, 4], mode="foo"),
        ndd.OperatorError,
        r"resize: mode='foo'; expected one of default, stretch",
    ),
    "window": (
        lambda: ndd.crop_mirror_normalize(LARGE, crop=[600, 10]),
        ndd.OperatorError,
        r"crop_mirror_normalize: sample 0: a window of 600 pixels does not fit",
    ),
    "layout": (
        lambda: ndd.resize(ndd.batch(np.zeros((2, 8, 8)), layout="ABC"[:2]), size=[4, 4]),
        ValueError,
        r"resize: the input has",
    ),
}
ASYNCHRONOUS = [name for name in FAILURES if name != "layout"]


@pytest.fixture(params=ASYNCHRONOUS)
def failure(request):
    return FAILURES[request.param]


USES = {
    "evaluate": lambda r: r.evaluate(),
    "shape": lambda r: r.shape,
    "asarray": np.asarray,
    "jax": lambda r: r.jax(),
    "select": lambda r: np.asarray(r.select(0)),
    "iterate": list,
    "repr": repr,
    "leaves": jax.tree.leaves,
    "cpu": lambda r: r.to_device("cpu", force_copy=True),
}


@pytest.mark.parametrize("use", USES)
def test_errors_appear_at_the_first_use(use):
    call, kind, message = FAILURES["decode-text"]
    result = call()
    with pytest.raises(kind, match=rf"^Asynchronous execution failed: {message}"):
        USES[use](result)


def test_errors_are_asynchronous(failure):
    call, kind, message = failure
    result = call()
    with pytest.raises(kind, match=rf"^Asynchronous execution failed: {message}") as caught:
        result.evaluate()
    assert type(caught.value) is kind
    cause = caught.value.__cause__
    assert type(cause) is kind
    assert re.match(message, str(cause))


def test_the_cause_points_at_the_call(failure):
    result = failure[0]()  # the line to be named
    with pytest.raises(failure[1]) as caught:
        result.evaluate()
    frames = traceback.extract_tb(caught.value.__cause__.__traceback__)
    assert [Path(f.filename).name for f in frames[-2:]] == [Path(__file__).name] * 2
    assert frames[-1].name == "<lambda>"
    assert frames[-2].name == "test_the_cause_points_at_the_call"
    assert "the line to be named" in frames[-2].line
    assert not any("dynjax" in Path(f.filename).parts for f in frames)


def test_errors_repeat(failure):
    result = failure[0]()
    for _ in range(3):
        with pytest.raises(failure[1], match=failure[2]):
            result.evaluate()


def test_what_consumes_a_failed_result_fails(failure):
    first = failure[0]()
    second = ndd.resize(first, size=[4, 4])
    third = ndd.crop_mirror_normalize(second)
    for result in (third, second, first):
        with pytest.raises(failure[1], match=failure[2]):
            result.evaluate()


@pytest.mark.parametrize("mode", ["sync_full", "sync_cpu"])
def test_synchronous_modes_raise_at_the_call(failure, mode):
    call, kind, message = failure
    with ndd.EvalMode[mode], pytest.raises(kind, match=rf"^{message}") as caught:
        call()
    assert caught.value.__cause__ is None


def test_a_discarded_failure_is_silent(failure):
    failure[0]()
    np.testing.assert_array_equal(np.asarray(ndd.resize(SMALL, size=[8, 8])), np.asarray(SMALL))


def test_borrowed_memory_makes_errors_appear_at_the_call():
    borrowed = ndd.as_batch(np.array(np.asarray(SMALL)), layout="HWC")
    with pytest.raises(ndd.OperatorError, match=r"^resize: mode='foo'"):
        ndd.resize(borrowed, size=[4, 4], mode="foo")
    with pytest.raises(ndd.OperatorError, match=r"^decoders.image: sample 0: the format"):
        ndd.decoders.image(np.array(text()))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: ndd.resize(SMALL, sise=[4, 4]),
            TypeError,
            r"^resize: unknown argument 'sise'; it takes",
        ),
        (lambda: ndd.resize(), TypeError, r"^resize: got 0 inputs; expected 1"),
        (lambda: ndd.resize(SMALL, SMALL, size=4), TypeError, r"^resize: got 2 inputs; expected 1"),
        (lambda: ndd.resize(None, size=4), TypeError, r"^resize: an input is None"),
        (
            lambda: ndd.resize(SMALL, size="a"),
            (ValueError, TypeError),
            r"^resize: size='a'; expected",
        ),
        (
            lambda: ndd.resize(SMALL, size=["a", 1]),
            (ValueError, TypeError),
            r"^resize: size='a'; expected",
        ),
        (
            lambda: ndd.resize(SMALL, antialias=ndd.batch([1, 0]), size=4),
            TypeError,
            r"^resize: antialias must be a constant",
        ),
        (
            lambda: ndd.resize(SMALL, size=4, interp_type="foo"),
            ValueError,
            r"^resize: interp_type='foo'; expected",
        ),
        (lambda: ndd.resize(SMALL, size=4, dtype="foo"), ValueError, r"foo"),
        (lambda: ndd.resize(SMALL, size=4, dtype=int), (ValueError, TypeError), r"^resize: dtype"),
        (
            lambda: ndd.resize(SMALL, resize_x=ndd.batch([1, 2, 3])),
            ValueError,
            r"^resize: batches of different sizes: 2, 3",
        ),
        (
            lambda: ndd.resize(ndd.batch([1, 2]), size=4),
            ValueError,
            r"^resize: the input has 0 axes; expected a layout among HWC",
        ),
        (lambda: ndd.decoders.image(SMALL, device="tpu:x"), ValueError, r"'tpu:x'"),
        (lambda: ndd.decoders.image(SMALL, device="mixed"), ValueError, r"'mixed'.*device='gpu'"),
        (
            lambda: ndd.decoders.image(NO_PICTURE, device="gpu"),
            RuntimeError,
            r"JAX sees no GPU.*dynjax\[cuda12\]",
        ),
        (
            lambda: ndd.peek_image_shape(NO_PICTURE, device=3),
            TypeError,
            r"cannot make a device of 3",
        ),
    ],
)
def test_errors_at_the_call(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.cast([1], dtype=[1]), r"^cast: dtype=1; expected an element type"),
        (lambda: ndd.cast([1], dtype={}), r"^cast: dtype=\{\}; expected an element type"),
        (lambda: ndd.pad([1, 2], fill_value={}), r"^pad: fill_value=\{\}; expected a number"),
        (lambda: ndd.rotate(SMALL, angle=1j), r"^rotate: angle=1j; expected a number"),
        (
            lambda: ndd.rotate(SMALL, angle=9, keep_size={}),
            r"^rotate: keep_size=\{\}; expected bool",
        ),
        (lambda: ndd.rotate(SMALL, angle=9, interp_type={}), r"^rotate: interp_type=\{\}"),
        (
            lambda: ndd.reshape([1, 2], shape=[None]),
            "^reshape: shape=None; expected a whole number",
        ),
        (lambda: ndd.squeeze([1], axis_names=3), "^squeeze: axis_names=3; expected str"),
        (lambda: ndd.math.sqrt(None), "^math.sqrt: an input is None"),
        (lambda: ndd.as_batch(None), "^as_batch: got None"),
        (lambda: ndd.as_tensor(None), "^as_tensor: got None"),
    ],
)
def test_values_of_impossible_types_are_type_errors(call, message):
    """As in the original; and ArgumentErrors, as other arguments that are not accepted."""
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert isinstance(caught.value, ndd.ArgumentError)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ndd.cast([1], dtype="foo"),
        lambda: ndd.pad([1, 2], fill_value="a"),
        lambda: ndd.rotate(SMALL, angle=9, interp_type=99),
        lambda: ndd.reshape([1, 2], shape=[float("nan")]),
    ],
)
def test_wrong_values_of_possible_types_are_not(call):
    with pytest.raises(ndd.ArgumentError) as caught:
        call()
    assert not isinstance(caught.value, TypeError)


@pytest.mark.parametrize("layout", ["ABC", "WHC"])
def test_an_unknown_layout_says_what_to_do(layout):
    result = ndd.resize(ndd.batch(np.zeros((2, 4, 4, 3), np.uint8), layout=layout), size=4)
    with pytest.raises(ValueError, match=rf"resize: .*layout '{layout}'.*HWC.*as_batch") as caught:
        result.evaluate()
    assert isinstance(caught.value, ndd.ArgumentError)


def test_metadata_need_no_result():
    result = ndd.resize(LARGE, size=[100, 100])
    assert (result.batch_size, result.ndim, result.layout) == (2, 3, "HWC")
    assert result.dtype == ndd.uint8
    assert result.device == ndd.Device.CPU


def test_the_error_tells_how_many_failed():
    batch = ndd.batch([text(), text(), encoded(noise(0, (4, 4, 3)))])
    with pytest.raises(
        ndd.OperatorError, match=r"sample 0: .*1 more samples? of this batch failed"
    ):
        ndd.decoders.image(batch).evaluate()


def test_an_error_inside_jit_is_that_of_the_eager_call():
    with pytest.raises(ndd.OperatorError, match=r"^resize: mode='foo'"):
        jax.jit(lambda b: ndd.resize(b, size=[4, 4], mode="foo"))(SMALL)


def test_a_host_operator_says_so_inside_jit():
    with pytest.raises(TypeError, match=r"^peek_image_shape: runs on the host .*Call it before"):
        jax.jit(lambda b: ndd.peek_image_shape(b))(TRUNCATED_SMALL)
    sides = ndd.batch([np.zeros((4, 6, 3), np.uint8), np.zeros((5, 3, 3), np.uint8)], layout="HWC")
    with pytest.raises(ValueError, match=r"^resize: inside jit the extent of axis 0.*outside jit"):
        jax.jit(lambda b: ndd.resize(b, resize_shorter=2))(sides)
