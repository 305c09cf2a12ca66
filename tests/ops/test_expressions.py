"""Properties of expressions and indexing, against NumPy on types and shapes drawn at random."""

import operator

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.samples import arrays

import dynjax as ndd

# Each pair of types and each shape compiles: few examples, and none spent on shrinking.
few = settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
many = settings(few, max_examples=100)

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
TYPES = ("bool", *INTEGERS, "float32", "float64")


def common(a: str, b: str) -> str:
    """The result type of arithmetic, row by row of the specification's table."""
    if a == b:
        return a
    for real in ("float64", "float32"):
        if real in (a, b):
            return real
    if "bool" in (a, b):
        return a if b == "bool" else b
    kinds = {x.rstrip("0123456789"): int(x.lstrip("uint")) for x in (a, b)}
    if len(kinds) == 1:
        return max(a, b, key=lambda x: int(x.lstrip("uint")))
    signed, unsigned = kinds["int"], kinds["uint"]
    return f"int{signed if unsigned < signed else min(2 * unsigned, 64)}"


def values(draw, dtype: str) -> np.ndarray:
    """Three numbers, the limits of the type among them."""
    if dtype == "bool":
        return np.array(draw(st.lists(st.booleans(), min_size=3, max_size=3)))
    if dtype.startswith("float"):
        numbers = st.sampled_from([-2.5, -1.0, 0.0, 0.5, 3.0, 1e6])
    else:
        info = np.iinfo(dtype)
        numbers = st.sampled_from([int(info.min), max(int(info.min), -7), 0, 1, 7, int(info.max)])
    return np.array(draw(st.lists(numbers, min_size=3, max_size=3)), dtype)


@st.composite
def pairs(draw):
    a, b = draw(st.sampled_from(TYPES)), draw(st.sampled_from(TYPES))
    return values(draw, a), values(draw, b)


@few
@given(pairs(), st.sampled_from([operator.add, operator.sub, operator.mul]))
def test_promotion(pair, function):
    a, b = pair
    kind = common(a.dtype.name, b.dtype.name)
    if kind == "bool":
        return
    with np.errstate(over="ignore"):
        wanted = function(a.astype(kind), b.astype(kind))
    got = np.asarray(function(ndd.tensor(a), ndd.tensor(b)))
    assert got.dtype == kind
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


@few
@given(pairs(), st.sampled_from([operator.lt, operator.le, operator.gt, operator.ge, operator.eq]))
def test_comparison_is_by_value(pair, function):
    a, b = pair
    if any(x.dtype.kind == "f" for x in pair):
        kind = common(a.dtype.name, b.dtype.name)
        a, b = a.astype(kind), b.astype(kind)
    wanted = [function(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    got = np.asarray(function(ndd.tensor(pair[0]), ndd.tensor(pair[1])))
    assert got.tolist() == wanted


SHAPES = [(), (1,), (3,), (2, 1), (2, 3), (1, 3), (4, 2, 3), (4, 1, 1)]


@few
@given(st.sampled_from(SHAPES), st.sampled_from(SHAPES))
def test_broadcasting(a, b):
    x, y = np.arange(np.prod(a)).reshape(a), 100 * np.arange(np.prod(b)).reshape(b)
    try:
        wanted = x + y
    except ValueError:
        with pytest.raises(RuntimeError, match="do not broadcast"):
            (ndd.tensor(x) + ndd.tensor(y)).evaluate()
        return
    np.testing.assert_array_equal(np.asarray(ndd.tensor(x) + ndd.tensor(y)), wanted)
    both = ndd.batch([x, x + 1]) + ndd.batch([y, y - 1])
    np.testing.assert_array_equal(np.asarray(both), [wanted, wanted])


# Per sample extents of 1 or of the sample's own size, in slots of the same few sizes.
sizes = st.tuples(st.integers(1, 4), st.integers(1, 4))
flattened = st.tuples(st.booleans(), st.booleans())


@few
@given(st.lists(st.tuples(sizes, flattened, flattened), min_size=3, max_size=3))
def test_ragged_broadcasting(samples):
    def made(choose, factor):
        result = []
        for size, *flat in samples:
            shape = tuple(1 if f else n for f, n in zip(flat[choose], size, strict=True))
            result.append(factor * np.arange(np.prod(shape), dtype=np.int32).reshape(shape))
        return result

    a, b = made(0, 1), made(1, 100)
    got = arrays(ndd.batch(a) + ndd.batch(b))
    for found, x, y in zip(got, a, b, strict=True):
        np.testing.assert_array_equal(found, x + y)


index = st.integers(-3, 2)
bound = st.one_of(st.none(), st.integers(-7, 7))
piece = st.builds(slice, bound, bound, st.sampled_from([None, 1, 2, -1, -2]))
keys = st.lists(st.one_of(index, piece), max_size=3).flatmap(
    lambda parts: st.sampled_from([tuple(parts), (*parts[:1], Ellipsis, *parts[1:])])
)


@many
@given(keys)
def test_indexing(key):
    x = np.arange(60).reshape(3, 4, 5)
    wanted = x[key]
    got = ndd.tensor(x, layout="HWC")[key]
    np.testing.assert_array_equal(np.asarray(got), wanted)
    assert got.ndim == wanted.ndim
    kept = np.array(["HWC".index(c) for c in got.layout or ""])
    assert len(kept) == wanted.ndim


@many
@given(keys)
def test_indexing_of_ragged_samples(key):
    samples = [np.arange(60).reshape(3, 4, 5), np.arange(108).reshape(6, 3, 6)]
    got = arrays(ndd.batch(samples).slice[key])
    for found, sample in zip(got, samples, strict=True):
        np.testing.assert_array_equal(found, sample[key])


@many
@given(st.lists(st.tuples(index, bound, bound), min_size=2, max_size=2))
def test_indices_for_each_sample(rows):
    samples = [np.arange(60).reshape(3, 4, 5), np.arange(108).reshape(6, 3, 6)]
    at = ndd.batch([np.int32(r[0]) for r in rows])
    start = ndd.batch([np.int32(r[1] or 0) for r in rows])
    stop = ndd.batch([np.int32(9 if r[2] is None else r[2]) for r in rows])
    got = arrays(ndd.batch(samples).slice[at, start:stop])
    for found, sample, (i, a, b) in zip(got, samples, rows, strict=True):
        np.testing.assert_array_equal(found, sample[i, a or 0 : 9 if b is None else b])


def test_flat_buffers_of_several_lengths():
    whole = ndd.batch([np.arange(n, dtype=np.uint32) for n in (6, 3, 40)])
    part, other = whole.select([0, 1]), ndd.batch([np.arange(n, dtype=np.int32) for n in (6, 3)])
    assert [a.tolist() for a in arrays(part > other - 1)] == [[True] * 6, [True] * 3]


ROW, TABLE = np.array([1, 2], np.int32), np.array([[1, 2]], np.int32)


@pytest.mark.parametrize(
    "compute",
    [
        lambda row, table: row + table,
        lambda row, table: table == row,
        lambda row, table: ndd.math.max(row, table),
        lambda row, table: ndd.math.pow(table, row),
        lambda row, table: ndd.math.atan2(row, table),
        lambda row, table: ndd.math.clamp(row, table, 5),
        lambda row, table: ndd.math.clamp(0, row, table),
    ],
)
def test_layouts_of_fewer_axes_than_the_result_are_dropped(compute):
    """Recorded: a layout stays if it names all axes."""
    named, letters = ndd.tensor(ROW, layout="C"), ndd.tensor(TABLE, layout="AC")
    for mode in ndd.EvalMode.eager, ndd.EvalMode.deferred:
        with mode:
            assert compute(named, ndd.tensor(TABLE)).layout is None
            assert compute(named, letters).layout == "AC"
            assert compute(named, ndd.tensor(ROW)).layout == "C"
    assert jax.jit(compute)(named, ndd.tensor(TABLE)).layout is None
    assert jax.jit(compute)(ndd.batch([ROW], layout="C"), TABLE).layout is None
    with pytest.raises(ndd.OperatorError, match=r"layouts .* do not go together"):
        compute(named, ndd.tensor(TABLE, layout="AB")).evaluate()


def test_a_layout_of_one_axis_does_not_reach_three():
    highest = ndd.tensor(TABLE[None])
    table, row = ndd.tensor(TABLE, layout="AC"), ndd.tensor(ROW, layout="C")
    assert (highest + table + row).layout is None
    assert ndd.math.clamp(row, table, highest).layout is None


NUMBERS = [np.float32(2), np.int16(2), np.array(2), np.array(2.5), np.array([2, 5])]


@pytest.mark.parametrize("left", NUMBERS)
@pytest.mark.parametrize("function", [operator.mul, operator.sub, operator.lt, operator.eq])
def test_numpy_on_the_left_of_a_batch(left, function):
    samples = [np.float32([[1, 2], [3, 4]]), np.float32([[2, 6]])]
    for count in (2, 1):  # ragged and of one shape
        batch = ndd.batch(samples[:count], layout="HW")
        got = function(left, batch)
        assert isinstance(got, ndd.Batch)
        assert got.layout == "HW"
        for found, sample in zip(arrays(got), samples, strict=False):
            np.testing.assert_array_equal(found, function(left, sample))
    inside = jax.jit(lambda b: function(left, b))(ndd.batch(samples))
    np.testing.assert_array_equal(arrays(inside)[1], function(left, samples[1]))


def test_functions_of_numpy_see_arrays():
    batch = ndd.batch([[1.0, 4.0], [9.0, 16.0]])
    assert isinstance(np.sqrt(batch), np.ndarray)
    np.testing.assert_array_equal(np.sqrt(batch), [[1, 2], [3, 4]])
    # An operator beside a tensor too, as in the original.
    assert isinstance(np.float32(2) * ndd.tensor([1, 2]), np.ndarray)
