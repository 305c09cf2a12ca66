"""`cast` and `cast_like`: rounding, clamping, NaN."""

import jax
import numpy as np
import pytest

import dynjax as ndd

VALUES = np.array(
    [-np.inf, -1e20, -130.5, -2.5, -0.5, -0.49999997, 0, 0.49999997, 0.5, 2.5, 254.5, 1e20, np.inf],
    np.float32,
)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def rounded(value, dtype):
    """Half away from zero and clamped, in Python's exact integers."""
    info = np.iinfo(dtype)
    if np.isinf(value):
        return info.max if value > 0 else info.min
    size = abs(float(value))
    whole = int(size) + (size - int(size) >= 0.5)
    return min(max(whole if value > 0 else -whole, info.min), info.max)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("source", ["float16", "float32", "float64"])
def test_floats_to_integers(name, source):
    with np.errstate(over="ignore"):
        values = VALUES.astype(source)
    out = np.asarray(ndd.cast(values, dtype=getattr(ndd, name)))
    assert out.tolist() == [rounded(v, name) for v in values]


@pytest.mark.parametrize("name", ["int8", "uint16", "int32", "uint32"])
def test_floats_to_integers_inside_jit(name):
    out = jax.jit(lambda x: ndd.cast(x, dtype=getattr(ndd, name)))(ndd.tensor(VALUES))
    assert np.asarray(out).tolist() == [rounded(v, name) for v in VALUES]


@pytest.mark.parametrize(("name", "value"), [("uint8", 0), ("uint32", 0), ("int32", -(2**31))])
def test_nan(name, value):
    x = ndd.tensor(np.float32([np.nan]))
    dtype = getattr(ndd, name)
    assert np.asarray(ndd.cast(x, dtype=dtype)).tolist() == [value]
    assert np.asarray(jax.jit(lambda x: ndd.cast(x, dtype=dtype))(x)).tolist() == [value]


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_are_clamped(name):
    info = np.iinfo(name)
    values = np.array([-70000, -129, -1, 0, 127, 256, 70000], np.int32)
    want = [min(max(int(v), info.min), info.max) for v in values]
    assert np.asarray(ndd.cast(values, dtype=getattr(ndd, name))).tolist() == want


def test_bool():
    out = ndd.cast(np.float32([0, 0.4, 0.5, -2, np.nan]), dtype=bool)
    assert np.asarray(out).tolist() == [False, False, True, True, True]


def test_float16_overflows_to_infinity():
    assert np.asarray(ndd.cast(np.float32([1e6]), dtype=ndd.float16))[0] == np.inf


@pytest.mark.parametrize("kind", [int, float])
def test_ambiguous_types(kind):
    with pytest.raises(ValueError, match="cast: dtype"):
        ndd.cast(np.float32([1]), dtype=kind).evaluate()


def test_cast_like_repeats_a_sample_beside_a_batch():
    out = ndd.cast_like(ndd.tensor([1.6]), ndd.batch([[1], [2]]))
    assert [np.asarray(s).tolist() for s in out] == [[2], [2]]
