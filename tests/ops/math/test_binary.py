"""`dynjax.math`, functions of two and three operands."""

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd

NAN = float("nan")


def values(data):
    return np.asarray(data).tolist()


def test_min_and_max_choose_the_right_operand_unless_the_comparison_holds():
    left, right = ndd.tensor([NAN, 1.0, 5.0]), ndd.tensor([1.0, NAN, 2.0])
    np.testing.assert_array_equal(ndd.math.min(left, right), [1, NAN, 2])
    np.testing.assert_array_equal(ndd.math.max(left, right), [1, NAN, 5])


def test_clamp():
    assert values(ndd.math.clamp([1, 5, 3], 2, 4)) == [2, 4, 3]
    assert ndd.math.clamp(3.0, 4.0, 2.0).item() == 2.0
    np.testing.assert_array_equal(ndd.math.clamp([NAN, 1.0], 0.0, 2.0), [NAN, 1])
    assert ndd.math.clamp(1.0, NAN, 2.0).item() == ndd.math.clamp(1.0, 0.0, NAN).item() == 1.0


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda m: m.min(np.uint8(1), 2), "i32"),
        (lambda m: m.max(np.int16([1]), 2.5), "f32"),
        (lambda m: m.clamp(np.uint8(3), np.int8(1), np.uint16(2)), "i32"),
        (lambda m: m.clamp(1, True, False), "i32"),
        (lambda m: m.pow(np.uint8(2), np.uint8(3)), "u8"),
        (lambda m: m.fpow(2, 3), "f32"),
        (lambda m: m.fpow(np.float64(2), 3), "f64"),
        (lambda m: m.atan2(np.int64(1), 2), "f32"),
        (lambda m: m.atan2(np.float64(1), 2), "f64"),
    ],
)
def test_types(call, wanted):
    assert call(ndd.math).dtype.name == wanted


def test_powers():
    assert values(ndd.math.pow([2, 3, 2], [3, 2, -1])) == [8, 9, 0]
    assert values(ndd.math.fpow([2, 3, 2], [3, 2, -1])) == [8.0, 9.0, 0.5]


def test_the_first_operand_of_atan2_is_the_numerator():
    x, y = np.float32([1, -1, 0]), np.float32([2, -2, -1])
    np.testing.assert_allclose(ndd.math.atan2(x=x, y=y), np.arctan2(x, y), rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.min(True, False),
        lambda m: m.max(True, False),
        lambda m: m.clamp(True, False, True),
        lambda m: m.pow(True, True),
        lambda m: m.fpow(True, True),
        lambda m: m.atan2(True, True),
    ],
)
def test_bools_alone_are_refused_where_the_result_is_used(call):
    failed = call(ndd.math)
    with pytest.raises(RuntimeError) as caught:
        failed.evaluate()
    assert "all operands are bool" in str(caught.value.__cause__)


def test_ragged_batch_with_one_bound_for_each_sample():
    samples = [np.float32([1, 5]), np.float32([2, 3, 9])]
    batch, high = ndd.batch(samples), ndd.batch([2.0, 4.0])
    wanted = [np.clip(s, 1.5, h) for s, h in zip(samples, (2, 4), strict=True)]
    for out in (
        ndd.math.clamp(batch, 1.5, high),
        jax.jit(lambda b, h: ndd.math.clamp(b, 1.5, h))(batch, high),
    ):
        for got, expected in zip(arrays(out), wanted, strict=True):
            np.testing.assert_array_equal(got, expected)
