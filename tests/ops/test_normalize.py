"""`dynjax.normalize` against NumPy in double precision."""

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import arrays, noise, padded

import dynjax as ndd

SAMPLES = [10 * noise(k, s, "float32") for k, s in enumerate([(3, 4, 2), (5, 4, 2), (2, 4, 2)])]


def reference(x, axes=None, mean=None, stddev=None, ddof=0, epsilon=0, scale=1, shift=0):
    x = x.astype(np.float64)
    axes = tuple(range(x.ndim)) if axes is None else tuple(axes)
    n = np.prod([x.shape[a] for a in axes])
    mean = x.mean(axes, keepdims=True) if mean is None else mean
    if stddev is None:
        square = ((x - mean) ** 2).sum(axes, keepdims=True) / (n - ddof)
    else:
        square = stddev**2
    return (x - mean) / np.sqrt(square + epsilon) * scale + shift


def same(out, wanted):
    for got, expected in zip(arrays(out), wanted, strict=True):
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


ARGUMENTS = {
    "all": {},
    "axes": {"axes": [0, 1]},
    "ddof": {"axes": [1], "ddof": 1, "epsilon": 0.5},
    "scaled": {"scale": 3.0, "shift": -2.0},
    "mean": {"mean": 4.0, "axes": [0]},
    "stddev": {"stddev": 3.0, "epsilon": 2.0},
    "both": {"mean": 4.0, "stddev": 2.5},
}


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_formula(arguments):
    wanted = [reference(x, **arguments) for x in SAMPLES]
    batch = ndd.batch(SAMPLES, layout="HWC")
    out = ndd.normalize(batch, **arguments)
    assert (out.layout, out.dtype) == ("HWC", ndd.float32)
    same(out, wanted)
    same(jax.jit(lambda b: ndd.normalize(b, **arguments))(batch), wanted)
    same(ndd.normalize(ndd.tensor(SAMPLES[0]), **arguments), wanted[:1])


def test_axis_names():
    out = ndd.normalize(ndd.batch(SAMPLES, layout="HWC"), axis_names="HW")
    same(out, [reference(x, [0, 1]) for x in SAMPLES])


@pytest.mark.parametrize("axes", [None, [0, 1]])
def test_arrays_say_along_which_axes_they_do_not_vary(axes):
    mean, stddev = np.float32([[[3, 4]]]), np.float32([[[2, 5]]])
    batch = ndd.batch(SAMPLES)
    wanted = [reference(x, [0, 1], mean=mean) for x in SAMPLES]
    same(ndd.normalize(batch, mean=mean, axes=axes), wanted)
    wanted = [reference(x, [0, 1], mean=mean, stddev=stddev) for x in SAMPLES]
    same(ndd.normalize(batch, mean=mean, stddev=stddev, axes=axes), wanted)


def test_arrays_may_lack_the_reduced_axes():
    out = ndd.normalize(ndd.batch(SAMPLES), mean=[3.0, 4.0], axes=[0, 1])
    same(out, [reference(x, [0, 1], mean=np.float64([3, 4])) for x in SAMPLES])


def test_one_number_for_each_sample():
    out = ndd.normalize(ndd.batch(SAMPLES), mean=ndd.batch([1.0, 2.0, 3.0]), stddev=2)
    same(out, [reference(x, mean=m, stddev=2) for x, m in zip(SAMPLES, (1, 2, 3), strict=True)])


@pytest.mark.parametrize("axes", [None, [0]])
def test_over_the_whole_batch(axes):
    together = np.concatenate(SAMPLES).astype(np.float64)
    reduced = (0, 1, 2) if axes is None else tuple(axes)
    mean = together.mean(reduced, keepdims=True)
    stddev = together.std(reduced, ddof=1, keepdims=True)
    wanted = [(x - mean) / stddev for x in SAMPLES]
    batch = ndd.batch(SAMPLES)
    function = lambda b: ndd.normalize(b, batch=True, axes=axes, ddof=1)  # noqa: E731
    for call in (function, jax.jit(function)):
        same(call(batch), wanted)


@pytest.mark.parametrize("arguments", [*ARGUMENTS.values(), {"axes": [0, 1, 2], "stddev": 2.0}])
def test_over_a_batch_of_equal_shapes(arguments):
    samples = [10 * noise(k, (3, 4, 2), "float32") + k for k in range(3)]
    wanted = reference(np.stack(samples), **_with_the_batch(arguments))
    batch = ndd.batch(samples)
    function = lambda b: ndd.normalize(b, batch=True, **arguments)  # noqa: E731
    for call in (function, jax.jit(function)):
        same(call(batch), wanted)
    alone = reference(samples[0], **arguments)
    same(ndd.normalize(ndd.tensor(samples[0]), batch=True, **arguments), [alone])


def _with_the_batch(arguments):
    """The same arguments for samples stacked along a new first axis."""
    axes = arguments.get("axes", range(3))
    return {**arguments, "axes": [0, *(a + 1 for a in axes)]}


def test_padding_never_leaks():
    call = jax.jit(lambda b: ndd.normalize(b, batch=True, axes=[0]))
    outs = [
        arrays(call(padded(SAMPLES, (6, 4, 2), fill=fill, layout="HWC", constant=(1, 2))))
        for fill in (0, 1e6, np.nan)
    ]
    for clean, *dirty in zip(*outs, strict=True):
        for other in dirty:
            np.testing.assert_array_equal(clean, other)


def test_no_spread_gives_the_shift():
    flat = np.full((2, 3), 7, np.uint8)
    for arguments in ({}, {"stddev": 0.0}, {"ddof": 6}):
        np.testing.assert_array_equal(
            ndd.normalize(flat, shift=3.0, **arguments), np.full((2, 3), 3)
        )


def test_integer_results_are_rounded_and_clamped():
    x = np.float32([0, 1, 2, 3])
    out = np.asarray(ndd.normalize(x, scale=100.0, shift=128.0, dtype=ndd.uint8))
    exact = reference(x, scale=100, shift=128)
    # Half a count and no more: a tolerance of 1 could not tell rounding from truncation.
    np.testing.assert_allclose(out, np.clip(exact, 0, 255), rtol=0, atol=0.501)
    assert out.dtype == np.uint8


def test_double_precision():
    x = noise(5, (4, 5), "float64")
    out = np.asarray(ndd.normalize(x, dtype=ndd.float64))
    np.testing.assert_allclose(out, reference(x), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axes": [2]}, "axis 2 is out of range"),
        ({"axes": [-1]}, "axis -1 is out of range"),
        ({"axes": []}, "axes is empty"),
        ({"axes": [0, 0]}, "names an axis twice"),
        ({"axes": [0], "axis_names": "H"}, "exclude each other"),
        ({"axis_names": "C"}, "needs axis 'C'"),
        ({"mean": [[1.0, 2.0, 3.0]], "axes": [1]}, "mean has shape"),
    ],
)
def test_errors_where_the_result_is_used(arguments, message):
    failed = ndd.normalize(ndd.tensor([[1, 2, 3], [3, 4, 5]], layout="HW"), **arguments)
    with pytest.raises(ndd.OperatorError) as caught:
        failed.evaluate()
    assert message in str(caught.value.__cause__)


def test_whole_batch_needs_one_extent_along_axes_that_stay():
    failed = ndd.normalize(ndd.batch([[1.0, 2.0], [3.0]], layout="W"), batch=True)
    np.testing.assert_allclose(arrays(failed)[1], [1.2247449], rtol=1e-6)
    ragged = ndd.batch([np.ones((2, 3)), np.ones((2, 4))])
    with pytest.raises(ndd.OperatorError) as caught:
        ndd.normalize(ragged, batch=True, axes=[0]).evaluate()
    assert "one extent along axis 1" in str(caught.value.__cause__)


def test_derivatives():
    x = np.float32([[0.5, 2, 3], [4, 1, 7]])
    for arguments in ({}, {"batch": True, "axes": [0]}):
        function = lambda v, k=arguments: ndd.normalize(ndd.as_batch(v), **k).jax()  # noqa: E731
        check_grads(function, (x,), 1, ["fwd", "rev"], rtol=0.02, atol=0.02)
    flat = jax.grad(lambda v: ndd.normalize(ndd.as_tensor(v)).jax().sum())(np.ones(3, np.float32))
    assert np.isfinite(flat).all()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float16"])
def test_other_types_and_axes_between_others(dtype):
    videos = [noise(k, (2, 9 + k, 11, 3), "uint8").astype(dtype) for k in range(2)]
    batch = ndd.batch(videos, layout="FHWC")
    wanted = [50 * reference(v, [1, 2]) + 100 for v in videos]
    out = ndd.normalize(batch, axis_names="HW", scale=50.0, shift=100.0, dtype=ndd.uint8)
    again = jax.jit(lambda b: ndd.normalize(b, axes=[1, 2], scale=50.0, shift=100.0, dtype="uint8"))
    for result in (out, again(batch)):
        for got, expected in zip(arrays(result), wanted, strict=True):
            assert np.abs(got - expected.clip(0, 255)).max() <= 0.502


def test_no_spread_and_many_results():
    flat = np.full((4, 1000), 7, np.uint8)
    out = ndd.normalize(flat, axes=[0], shift=0.25)
    np.testing.assert_array_equal(out, np.full(flat.shape, 0.25, np.float32))
    x = noise(3, (70, 1000), "uint8")
    np.testing.assert_allclose(ndd.normalize(x, axes=[0]), reference(x, [0]), rtol=1e-4, atol=1e-5)


def test_ragged_arrays_inside_jit():
    data = [noise(k, (3 + k, 4 + k), "float32") for k in range(3)]
    means = [x.mean(1, keepdims=True) for x in data]
    batch, given = ndd.batch(data), ndd.batch(means)
    for name in ("mean", "stddev"):
        wanted = [reference(x, [1], **{name: m}) for x, m in zip(data, means, strict=True)]
        call = jax.jit(lambda b, m, n=name: ndd.normalize(b, axes=[1], **{n: m}))
        same(call(batch, given), wanted)
    # Without axes the extents of 1 would have to be seen.
    with pytest.raises(ndd.OperatorError, match=r"inside jit the shape of mean .* Pass axes"):
        jax.jit(lambda b, m: ndd.normalize(b, mean=m))(batch, given)
