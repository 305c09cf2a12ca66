"""`dynjax.math`, functions of one operand, against Python's own."""

import inspect
import math

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import arrays

import dynjax as ndd

# Function, an independent formula in double precision, and a range in its domain.
FUNCTIONS = {
    "sqrt": (math.sqrt, 0.1, 9),
    "rsqrt": (lambda x: 1 / math.sqrt(x), 0.1, 9),
    "cbrt": (lambda x: math.copysign(abs(x) ** (1 / 3), x), -8, 8),
    "exp": (math.exp, -3, 3),
    "log": (math.log, 0.1, 9),
    "log2": (math.log2, 0.1, 9),
    "log10": (math.log10, 0.1, 9),
    "abs": (abs, -5, 5),
    "fabs": (math.fabs, -5, 5),
    "floor": (math.floor, -5, 5),
    "ceil": (math.ceil, -5, 5),
    "sin": (math.sin, -6, 6),
    "cos": (math.cos, -6, 6),
    "tan": (math.tan, -1.4, 1.4),
    "asin": (math.asin, -0.95, 0.95),
    "acos": (math.acos, -0.95, 0.95),
    "atan": (math.atan, -9, 9),
    "sinh": (math.sinh, -3, 3),
    "cosh": (math.cosh, -3, 3),
    "tanh": (math.tanh, -3, 3),
    "asinh": (math.asinh, -5, 5),
    "acosh": (math.acosh, 1.1, 9),
    "atanh": (math.atanh, -0.9, 0.9),
}


@pytest.fixture(params=FUNCTIONS)
def name(request):
    return request.param


def numbers(low, high):
    return np.linspace(low, high, 7, dtype=np.float32)


def test_formula(name):
    formula, low, high = FUNCTIONS[name]
    x = numbers(low, high)
    got = np.asarray(getattr(ndd.math, name)(ndd.tensor(x)))
    assert got.dtype == np.float32
    # A few units in the last place of float32, relative to values of size 1.
    np.testing.assert_allclose(got, [formula(float(v)) for v in x], rtol=1e-6, atol=1e-6)


def test_ragged_batch_keeps_its_layout(name):
    formula, low, high = FUNCTIONS[name]
    samples = [numbers(low, high)[:3], numbers(low, high)[3:]]
    out = getattr(ndd.math, name)(ndd.batch(samples, layout="W"))
    assert out.layout == "W"
    for got, x in zip(arrays(out), samples, strict=True):
        wanted = [formula(float(v)) for v in x]
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [("uint8", "f32"), ("int64", "f32"), ("float16", "f16"), ("float64", "f64")],
)
def test_types(dtype, wanted):
    x = ndd.tensor(np.array([1, 4], dtype))
    assert ndd.math.sqrt(x).dtype.name == wanted
    assert np.asarray(ndd.math.sqrt(x)).tolist() == [1, 2]
    assert np.asarray(ndd.math.abs(x)).dtype == dtype


def test_double_precision_is_kept():
    assert ndd.math.exp(np.float64(1)).item() == pytest.approx(math.e, rel=1e-15)


def test_lowest_integer_has_no_absolute_value():
    assert ndd.math.abs(np.int8(-128)).item() == -128


@pytest.mark.filterwarnings("ignore:invalid value")
def test_outside_the_domain():
    x = ndd.tensor(np.array([-1, 0, np.inf, np.nan], np.float32))
    np.testing.assert_array_equal(ndd.math.sqrt(x), [np.nan, 0, np.inf, np.nan])
    np.testing.assert_array_equal(ndd.math.log(x), [np.nan, -np.inf, np.inf, np.nan])


def test_bools_are_refused_where_the_result_is_used(name):
    failed = getattr(ndd.math, name)(True)
    with pytest.raises(RuntimeError) as caught:
        failed.evaluate()
    assert isinstance(caught.value, ndd.OperatorError)
    assert "all operands are bool" in str(caught.value.__cause__)


def test_signature(name):
    function = getattr(ndd.math, name)
    assert str(inspect.signature(function)).startswith("(input:")
    assert function(input=1).shape == ()
    assert function.__name__ == name


def test_jit_and_derivative():
    x = ndd.tensor(numbers(0.5, 2))
    function = lambda t: ndd.math.exp(ndd.math.sin(t)).jax()  # noqa: E731
    np.testing.assert_allclose(jax.jit(function)(x), function(x), rtol=1e-6)
    check_grads(lambda v: function(ndd.as_tensor(v)), (numbers(0.5, 2),), 1, ["fwd", "rev"])
