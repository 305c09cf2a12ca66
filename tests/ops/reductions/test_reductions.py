"""`dynjax.reductions` against NumPy in double precision."""

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import arrays, noise, padded

import dynjax as ndd

R = ndd.reductions
REFERENCES = {
    "sum": lambda x, **k: np.sum(x, **k),
    "min": lambda x, **k: np.min(x, **k),
    "max": lambda x, **k: np.max(x, **k),
    "mean": lambda x, **k: np.mean(x, **k),
    "mean_square": lambda x, **k: np.mean(x * x, **k),
    "rms": lambda x, **k: np.sqrt(np.mean(x * x, **k)),
    "variance": lambda x, **k: np.mean((x - 1.5) ** 2, **k),
    "std_dev": lambda x, **k: np.sqrt(np.mean((x - 1.5) ** 2, **k)),
}
SAMPLES = [noise(0, (3, 4, 2), "int8"), noise(1, (5, 2, 2), "int8"), noise(2, (1, 7, 2), "int8")]
# Sums of up to 40 squares of float32; each addition errs by half a unit in the last place.
CLOSE = {"rtol": 40 * 2.0**-24, "atol": 1e-5}


@pytest.fixture(params=REFERENCES)
def name(request):
    return request.param


def call(name, data, **arguments):
    function = getattr(R, name)
    if name in ("variance", "std_dev"):
        return function(data, 1.5, **arguments)
    return function(data, **arguments)


def reference(name, sample, axes, keep_dims=False):
    axis = None if axes is None else tuple(axes)
    return REFERENCES[name](sample.astype(np.float64), axis=axis, keepdims=keep_dims)


def check(out, name, samples, axes, keep_dims=False):
    for got, sample in zip(arrays(out), samples, strict=True):
        wanted = reference(name, sample, axes, keep_dims)
        assert got.shape == np.shape(wanted)
        np.testing.assert_allclose(got, wanted, **CLOSE)


@pytest.mark.parametrize(
    ("axes", "layout"), [(None, None), ([0, 2], "W"), ([-1], "HW"), ([], "HWC")]
)
def test_ragged_batch(name, axes, layout):
    out = call(name, ndd.batch(SAMPLES, layout="HWC"), axes=axes)
    assert out.layout == layout
    check(out, name, SAMPLES, axes)


def test_ragged_batch_keeps_axes_inside_jit(name):
    function = lambda b: call(name, b, axis_names="HC", keep_dims=True)  # noqa: E731
    batch = ndd.batch([s.astype(np.float32) for s in SAMPLES], layout="HWC")
    for out in (function(batch), jax.jit(function)(batch)):
        assert out.layout == "HWC"
        check(out, name, SAMPLES, [0, 2], keep_dims=True)


def test_padding_never_leaks(name):
    samples = [s.astype(np.float32) for s in SAMPLES]
    function = jax.jit(lambda b: call(name, b, axes=[0]))
    outs = [
        arrays(function(padded(samples, (6, 8, 2), fill=fill, layout="HWC", constant=(2,))))
        for fill in (0, 1e6, np.nan)
    ]
    for clean, *dirty in zip(*outs, strict=True):
        for other in dirty:
            np.testing.assert_array_equal(clean, other)


def test_tensor(name):
    x = noise(3, (3, 4), "float32")
    check(call(name, ndd.tensor(x, layout="HW"), axes=[1]), name, [x], [1])
    assert call(name, ndd.tensor(x), axes=1).shape == (3,)


@pytest.mark.parametrize(
    ("dtype", "sums", "means"),
    [
        ("bool", "uint64", "float32"),
        ("uint8", "uint64", "float32"),
        ("int16", "int64", "float32"),
        ("uint64", "uint64", "float32"),
        ("float16", "float16", "float16"),
        ("float32", "float32", "float32"),
        ("float64", "float64", "float64"),
    ],
)
def test_types(dtype, sums, means):
    x = np.array([1, 0, 1, 1], dtype)
    for name, wanted in (("sum", sums), ("max", dtype), ("mean", means), ("std_dev", means)):
        assert np.asarray(call(name, x)).dtype == wanted
    assert (R.sum(x).item(), R.mean(x).item()) == (3, 0.75)
    assert (R.min(x).item(), R.max(x).item()) == (0, 1)


def test_sums_of_integers_are_exact():
    x = np.full(1000, 2**31 - 1, np.int32)
    assert R.sum(x).item() == 1000 * (2**31 - 1)
    assert R.sum(np.full(3, 2**62, np.uint64)).item() == 3 * 2**62


def test_requested_types():
    x = np.uint8([200, 200, 251])
    assert R.sum(x, dtype=ndd.float32).item() == 651.0
    assert R.sum(x, dtype=ndd.int32).item() == 651
    assert R.sum(x, dtype=ndd.uint8).item() == 651 - 512
    assert R.mean(x, dtype=ndd.uint8).item() == 217
    assert R.mean(np.float32([250, 270]), dtype=ndd.uint8).item() == 255


def test_long_sums_do_not_drift():
    x = noise(4, (500_000,), "float32")
    assert R.mean(ndd.tensor(x)).item() == pytest.approx(x.mean(dtype=np.float64), rel=1e-6)


def test_nan_is_neither_smallest_nor_largest():
    x = np.float32([np.nan, 1, 3, np.nan])
    assert (R.min(x).item(), R.max(x).item()) == (1, 3)
    assert R.max(np.float32([-np.inf, -np.inf])).item() == -np.inf


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8"])
def test_nothing_to_reduce(dtype):
    info = np.finfo(dtype) if dtype == "float32" else np.iinfo(dtype)
    x = np.zeros((0, 3), dtype)
    np.testing.assert_array_equal(R.max(x, axes=[0]), [info.min] * 3)
    np.testing.assert_array_equal(R.min(x, axes=[0]), [info.max] * 3)
    np.testing.assert_array_equal(R.sum(x, axes=[0]), [0] * 3)
    assert np.isnan(R.mean(x).item())


@pytest.mark.parametrize("ddof", [0, 1, 3])
def test_spread_about_means_that_were_computed(ddof):
    batch = ndd.batch(SAMPLES, layout="HWC")
    for keep_dims in (True, False):
        means = R.mean(batch, axes=[1, 2], keep_dims=keep_dims)
        out = R.variance(batch, means, axes=[1, 2], ddof=ddof)
        for got, x in zip(arrays(out), SAMPLES, strict=True):
            wanted = x.astype(np.float64).reshape(len(x), -1).var(axis=1, ddof=ddof)
            np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_errors_at_the_call():
    x = ndd.tensor([[1, 2], [3, 4]])
    with pytest.raises(IndexError, match=r"^reductions\.sum: axis 2 is out of range"):
        R.sum(x, axes=[2])
    with pytest.raises(IndexError, match="axis -3"):
        R.mean(x, axes=[-3])
    with pytest.raises(ValueError, match="names an axis twice"):
        R.max(x, axes=[1, -1])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: R.sum(x, axis_names="C"), "needs axis 'C'"),
        (lambda x: R.sum(x, axes=[0], axis_names="H"), "exclude each other"),
        (lambda x: R.variance(x, x, axes=[1]), "the mean has shape"),
    ],
)
def test_errors_where_the_result_is_used(function, message):
    failed = function(ndd.tensor([[1, 2, 3], [3, 4, 5]], layout="HW"))
    with pytest.raises(ndd.OperatorError) as caught:
        failed.evaluate()
    assert message in str(caught.value.__cause__)


def test_derivatives(name):
    x = np.float32([[0.5, 2, 3], [4, 1, 7]])
    function = lambda v: call(name, ndd.as_tensor(v), axes=[1]).jax()  # noqa: E731
    check_grads(function, (x,), 1, ["fwd", "rev"], rtol=0.02, atol=0.02)


def test_many_sizes_share_programs(name, compiles):
    call(name, ndd.batch([noise(0, (9, 10, 3)), noise(1, (10, 9, 3))])).evaluate()
    with compiles() as seen:
        call(name, ndd.batch([noise(0, (10, 10, 3)), noise(1, (9, 9, 3))])).evaluate()
    assert seen.count == 0
