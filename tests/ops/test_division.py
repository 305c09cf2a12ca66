"""`//` and `%`: how operands of several ranks align, and which divisors of 0 are refused."""

import operator

import jax
import numpy as np
import pytest
from support.samples import arrays, padded

import dynjax as ndd

OPERATORS = {operator.floordiv: np.floor_divide, operator.mod: np.remainder}

# Positive numbers, for which C's division and NumPy's agree.
COLUMN = np.array([[20], [30]], np.int32)
SQUARE = np.array([[7, 8], [9, 11]], np.int32)
ROWS = [np.array(r, np.int32) for r in ([7, 8], [9, 11])]
TALL = [np.array(r, np.int32) for r in ([[21, 32]], [[43, 54], [65, 76]])]
RAGGED = [np.array(r, np.int32) for r in ([3, 7], [9])]


def made(value):
    return ndd.batch(value) if isinstance(value, list) else ndd.tensor(value)


def expected(function, a, b):
    count = max(len(v) for v in (a, b) if isinstance(v, list))
    each = [v if isinstance(v, list) else [v] * count for v in (a, b)]
    return [OPERATORS[function](x, y) for x, y in zip(*each, strict=True)]


PAIRS = [
    (COLUMN, ROWS),
    ([r * 5 for r in ROWS], SQUARE),
    (SQUARE[None], ROWS),
    (TALL, ROWS[0]),
    (ROWS[0] * 9, TALL),
    ([r * 9 for r in ROWS], TALL),
    (RAGGED, COLUMN),
    (COLUMN, RAGGED),
    (np.int32(100), RAGGED),
    (COLUMN[0], RAGGED),
    ([np.int32(100), np.int32(90)], RAGGED),
    ([5 * r for r in RAGGED], RAGGED),
]


@pytest.mark.parametrize("function", OPERATORS)
@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_samples_divide_as_alone(function, mode, a, b):
    with mode:
        got = function(made(a), made(b))
    for found, wanted in zip(arrays(got), expected(function, a, b), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("function", OPERATORS)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_inside_jit(function, a, b):
    got = jax.jit(function)(made(a), made(b))
    for found, wanted in zip(arrays(got), expected(function, a, b), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("function", OPERATORS)
def test_tensors_of_several_ranks(function):
    a, b = np.array([[7, 8, 9]], np.int32), np.array([2, 3, 4], np.int32)
    np.testing.assert_array_equal(function(ndd.tensor(a), ndd.tensor(b)), OPERATORS[function](a, b))
    wide = np.array([[[10, 5]]], np.uint16)
    wanted = OPERATORS[function](np.array([2, 13]), wide)
    np.testing.assert_array_equal(function([2, 13], ndd.tensor(wide)), wanted)


def test_remainder_of_floats_of_several_ranks():
    got = ndd.tensor(np.float32([[7.5, 8, 9]])) % ndd.tensor(np.int32([2, 3, 4]))
    np.testing.assert_array_equal(got, np.float32([[1.5, 2, 1]]))


@pytest.mark.parametrize("function", OPERATORS)
@pytest.mark.parametrize("zeros", [[[3, 0], [9]], [[3, 1], [0]], [[[3]], [[1, 2], [0, 4]]]])
def test_a_zero_among_ragged_divisors(function, zeros):
    with pytest.raises(ValueError, match="a divisor is 0"):
        function(100, ndd.batch([np.int32(z) for z in zeros])).evaluate()


@pytest.mark.parametrize("function", OPERATORS)
def test_padding_is_no_divisor(function):
    slots = padded([3 * SQUARE, SQUARE[:1]], (4, 4), fill=0, layout="HW")
    got = arrays(function(100, slots))
    for found, divisor in zip(got, (3 * SQUARE, SQUARE[:1]), strict=True):
        np.testing.assert_array_equal(found, OPERATORS[function](100, divisor))
