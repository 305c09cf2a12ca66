"""`tensor`, `as_tensor`, `batch`, `as_batch`: dtypes, copies, layouts, refusals."""

import array
from decimal import Decimal
from fractions import Fraction

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd
from dynjax import types

DTYPES = (
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "bool"),
)


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (True, "bool", ()),
        ([[True, False]], "bool", (1, 2)),
        (3, "int32", ()),
        ([1, 2], "int32", (2,)),
        (range(3), "int32", (3,)),
        ((1, -(2**31)), "int32", (2,)),
        ([2**31], "uint32", (1,)),
        ([0, 2**32 - 1], "uint32", (2,)),
        (1.5, "float32", ()),
        ([1, 2.5], "float32", (2,)),
        ([], "float32", (0,)),
        (types.INTERP_CUBIC, "int32", ()),
        ([types.RGB, types.GRAY], "int32", (2,)),
    ],
)
def test_python_values(data, dtype, shape):
    tensor = ndd.tensor(data)
    assert (np.asarray(tensor).dtype.name, tensor.shape) == (dtype, shape)
    np.testing.assert_array_equal(np.asarray(tensor), np.array(data, dtype))


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        ([np.array([1, 2]), np.array([3, 4])], "int32"),
        ([np.array([1.5]), np.array([2.0])], "float32"),
        ([np.array([1, 2], np.uint64)], "int32"),
        ([np.array([], np.int64)], "int32"),
        ([np.float32(1), 2], "float32"),
        ([np.float16(5), 2], "float32"),
        ([np.uint8(200), 300], "int32"),
        ([np.bool_(True), 2], "int32"),
        ([np.uint32(2**32 - 1), 1], "uint32"),
        ([np.uint32(5), -1], "int32"),
        ([np.uint64(5), 1], "float32"),
        ([np.float64(1e300)], "float32"),
        ([np.array([1, 2]), [3.5, 4]], "float32"),
        ([[np.int64(1)], [2]], "int32"),
        ([np.int8(5), np.uint8(200)], "int16"),
        ([[np.array([1, 2], np.int8)]], "int8"),
        ([[[np.float16(1)]]], "float16"),
        ([np.array([1, 2], ">i2")], "int16"),
        ([np.array([1], ml_dtypes.bfloat16)], "bfloat16"),
    ],
)
def test_lists_of_numpy_values(data, dtype):
    """Recorded: as NumPy promotes them, then 32 bits for 64."""
    tensor = ndd.tensor(data)
    with np.errstate(over="ignore"):
        wanted = np.array(data).astype(dtype)
    assert (tensor.dtype, np.asarray(tensor).dtype) == (ndd.dtype(dtype), wanted.dtype)
    np.testing.assert_array_equal(np.asarray(tensor), wanted)
    batch = ndd.batch([data])
    assert batch.dtype == ndd.dtype(dtype)
    np.testing.assert_array_equal(np.asarray(batch)[0], wanted)


class Pair:
    """Two elements by number."""

    def __len__(self):
        return 2

    def __getitem__(self, i):
        if i >= 2:
            raise IndexError
        return i + 1


@pytest.mark.parametrize(
    ("data", "dtype", "wanted"),
    [
        (bytearray(b"ab"), "uint8", [97, 98]),
        (memoryview(b"ab"), "uint8", [97, 98]),
        (array.array("i", [1, 2]), "int32", [1, 2]),
        (array.array("q", [1, 2]), "int32", [1, 2]),
        (array.array("d", [1, 2]), "float32", [1, 2]),
        (Pair(), "int32", [1, 2]),
    ],
)
def test_buffers_and_sequences(data, dtype, wanted):
    """Recorded: as lists, whose 64-bit elements become 32 bits wide."""
    for result in (ndd.tensor(data), ndd.as_tensor(data), ndd.copy(data), *ndd.batch([data])):
        assert result.dtype == ndd.dtype(dtype)
        np.testing.assert_array_equal(np.asarray(result), wanted)
    assert ndd.batch(data).batch_size == 2


def test_buffers_are_copied():
    data = bytearray(b"ab")
    tensors = ndd.tensor(data), ndd.as_tensor(data)
    data[0] = 0
    data.append(1)  # a buffer that is lent out cannot grow
    assert [np.asarray(t).tolist() for t in tensors] == [[97, 98]] * 2


@pytest.mark.parametrize("half", [Fraction(5, 2), Decimal("2.5")])
def test_numbers_of_other_kinds_need_a_dtype(half):
    assert float(np.asarray(ndd.tensor(half, dtype=float))) == 2.5
    assert int(np.asarray(ndd.tensor(half, dtype=ndd.int32))) == 2
    assert np.asarray(ndd.tensor([half], dtype=ndd.float32)).tolist() == [2.5]
    for given in (half, [half]):
        with pytest.raises(TypeError, match=r"^tensor: cannot make"):
            ndd.tensor(given)
    with pytest.raises(TypeError, match=r"^tensor: cannot make a tensor of dict"):
        ndd.tensor({}, dtype=float)


def test_lists_of_tensors_and_operands():
    wide = [ndd.tensor(np.array([1, 2])), ndd.tensor(np.array([3, 4]))]
    assert ndd.tensor(wide).dtype == ndd.int32
    assert ndd.batch(wide).dtype == ndd.int64
    assert ndd.batch([wide]).dtype == ndd.int32
    assert (ndd.tensor([1]) + [np.float64(5)]).dtype == ndd.float32  # noqa: RUF005
    assert ndd.copy([np.float64(1)]).dtype == ndd.float32
    assert ndd.batch([np.float64(1), 2.0]).dtype == ndd.float64  # each is a sample


@pytest.mark.parametrize(
    ("data", "dtype", "wanted"),
    [
        ([np.float32(2.7), -2.7], "int32", [2, -2]),
        ([np.array([2.7, -2.7])], "int32", [[2, -2]]),
        ([np.int64(300)], "uint8", [44]),
        ([np.array([0.4])], "bool", [[True]]),
        ([np.int64(2**40)], "int64", [2**40]),
        ([np.float64(0.1)], "float64", [0.1]),
    ],
)
def test_lists_are_converted_as_numpy_does(data, dtype, wanted):
    tensor = ndd.tensor(data, dtype=dtype)
    assert tensor.dtype == ndd.dtype(dtype)
    np.testing.assert_array_equal(np.asarray(tensor), np.array(wanted, dtype))


@pytest.mark.parametrize("dtype", [*DTYPES, "bfloat16"])
@pytest.mark.parametrize("make", [ndd.tensor, ndd.as_tensor])
def test_arrays_keep_their_dtype(make, dtype):
    array = np.array([[0, 1], [1, 0]]).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    tensor = make(array)
    assert tensor.dtype == ndd.dtype(dtype)
    assert (tensor.itemsize, tensor.size, tensor.nbytes) == (array.itemsize, 4, array.nbytes)
    np.testing.assert_array_equal(np.asarray(tensor), array)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=">i4").reshape(2, 3),
        np.arange(12).reshape(3, 4)[:, ::2],
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(4)[::-1],
        np.float64(2.5),
        np.array(7),
        np.zeros((0, 3), np.int16),
    ],
    ids=["big-endian", "strided", "fortran", "reversed", "scalar", "0-d", "empty"],
)
@pytest.mark.parametrize("make", [ndd.tensor, ndd.as_tensor])
def test_unusual_arrays(make, array):
    tensor = make(array)
    assert tensor.shape == array.shape
    assert np.asarray(tensor).dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(np.asarray(tensor), array)


@pytest.mark.parametrize(
    ("dtype", "given", "wanted"),
    [
        ("uint8", [300, -1, 1.7, 0.5, 2.5, np.nan], [255, 0, 2, 1, 3, 0]),
        ("int8", [200, -200, -2.5, 2.5, np.nan], [127, -128, -3, 3, 0]),
        ("int32", [3e9, -3e9, np.nan], [2**31 - 1, -(2**31), -(2**31)]),
        ("int64", [1e19, np.nan], [2**63 - 1, -(2**63)]),
        ("uint32", [5e9, -1, np.nan], [2**32 - 1, 0, 0]),
        ("float16", [1e6, -1e6, 0.5], [np.inf, -np.inf, 0.5]),
        ("bool", [0.4, 0.5, -0.5, np.nan], [False, True, True, True]),
    ],
)
def test_arrays_are_cast_to_nearest_and_clamped(dtype, given, wanted):
    for source in (np.array(given), ndd.tensor(np.array(given))):
        tensor = ndd.tensor(source, dtype=dtype)
        assert tensor.dtype == ndd.dtype(dtype)
        np.testing.assert_array_equal(np.asarray(tensor), np.array(wanted, dtype))
    batch = ndd.batch(np.array(given), dtype=dtype)
    np.testing.assert_array_equal(np.asarray(batch), np.array(wanted, dtype))


@pytest.mark.parametrize(
    ("dtype", "given", "wanted"),
    [
        ("uint8", np.array([300, -1, 7]), [255, 0, 7]),
        ("uint16", np.array([-5, 70000], np.int64), [0, 65535]),
        ("int8", np.array([255, 3], np.uint8), [127, 3]),
        ("int32", np.array([2**63], np.uint64), [2**31 - 1]),
        ("uint64", np.array([-1, 5], np.int64), [0, 5]),
        ("bool", np.array([2, 0]), [True, False]),
    ],
)
def test_integers_are_clamped(dtype, given, wanted):
    np.testing.assert_array_equal(
        np.asarray(ndd.tensor(given, dtype=dtype)), np.array(wanted, dtype)
    )


@pytest.mark.parametrize(("given", "wanted"), [([1.7, -1.7], [1, -1]), ([2.5], [2])])
def test_python_floats_are_truncated(given, wanted):
    np.testing.assert_array_equal(np.asarray(ndd.tensor(given, dtype=ndd.int32)), wanted)


@pytest.mark.parametrize(
    ("data", "arguments", "kind", "message"),
    [
        (None, {}, ValueError, "^tensor: got None"),
        ([[1], [2, 3]], {}, ValueError, "^tensor: a nested list must have one shape.*dynjax.batch"),
        ("abc", {}, RuntimeError, "^tensor: cannot make a tensor of 'abc'"),
        (b"abc", {}, RuntimeError, "^tensor: cannot make a tensor of b'abc'"),
        (["abc"], {}, RuntimeError, r"cannot make a tensor of \['abc'\]; expected numbers\.$"),
        ([b"abc"], {}, RuntimeError, r"expected numbers\. Use np\.frombuffer\(item, np\.uint8\)"),
        ({}, {}, TypeError, "^tensor: cannot make a tensor of dict"),
        (iter([1]), {}, TypeError, "^tensor: cannot make a tensor of list_iterator"),
        (ndd.uint8, {}, TypeError, "^tensor: cannot make a tensor of DType"),
        (np.array([1j]), {}, RuntimeError, "complex128 are not supported"),
        (np.array(["2020-01-01"], "M8[D]"), {}, ValueError, "datetime.*not supported"),
        ([2**32], {}, OverflowError, "4294967296 does not fit"),
        ([-1, 2**31], {}, OverflowError, "does not fit a 32-bit integer"),
        ([2**70, 1], {}, OverflowError, "does not fit a 32-bit integer"),
        ([np.int64(2**40)], {}, OverflowError, "1099511627776 does not fit a 32-bit integer"),
        ([300], {"dtype": ndd.uint8}, OverflowError, r"^tensor: \[300\] as uint8"),
        (300.5, {"dtype": ndd.uint8}, OverflowError, "^tensor: 300.5 as uint8"),
        ([np.nan], {"dtype": ndd.int32}, ValueError, r"^tensor: \[nan\] as int32: .*NaN"),
        ([1, None], {}, TypeError, r"^tensor: cannot make an array of list \[1, None\]"),
        ([1, None], {}, ValueError, "^tensor: cannot make an array"),
        ([1, None], {"dtype": ndd.int32}, TypeError, r"^tensor: \[1, None\] as int32"),
        ([object()], {}, TypeError, "^tensor: cannot make an array of list"),
        ([np.complex64(1)], {}, RuntimeError, "^tensor: cannot make a tensor"),
        ([np.datetime64("2020-01-01")], {}, ValueError, "^tensor: .*datetime.*not supported"),
        ([1], {"dtype": "foo"}, ValueError, "^dtype: no element type is called 'foo'"),
        ([1], {"dtype": int}, TypeError, "^dtype: .*int.* is no element type"),
        ([[1]], {"layout": "HWC"}, ValueError, "'HWC' has 3 letters; a sample has 2 axes"),
        ([1], {"layout": 3}, ValueError, "layout must be a string, got 3"),
    ],
)
def test_refusals_of_tensor(data, arguments, kind, message):
    with pytest.raises(kind, match=message):
        ndd.tensor(data, **arguments)


@pytest.mark.parametrize(
    ("data", "arguments", "kind", "message"),
    [
        (None, {}, ValueError, "^batch: got None"),
        (3, {}, TypeError, "^batch: expected a list of samples or an array, got 3"),
        ("ab", {}, TypeError, "^batch: expected a list of samples or an array, got 'ab'"),
        ([None], {}, TypeError, "^batch: a sample cannot be NoneType"),
        ([ndd.batch([1])], {}, TypeError, "^batch: a sample cannot be Batch"),
        ([], {}, ValueError, "^batch: no samples; pass dtype="),
        (np.array(3), {}, ValueError, "^batch: a scalar has no axis"),
        ([np.zeros(2), np.zeros((2, 2))], {}, TypeError, "sample 1 has 2 axes, sample 0 has 1"),
        (np.zeros((2, 4, 5, 3)), {"layout": "NHWC"}, ValueError, "'NHWC' has 4 letters; a sample"),
    ],
)
def test_refusals_of_batch(data, arguments, kind, message):
    with pytest.raises(kind, match=message):
        ndd.batch(data, **arguments)


@pytest.mark.parametrize(
    ("make", "shared"), [(ndd.tensor, False), (ndd.as_tensor, True)], ids=["tensor", "as_tensor"]
)
def test_who_owns_the_memory(make, shared):
    array = np.arange(4)
    tensor = make(array)
    array[0] = 9
    assert np.asarray(tensor)[0] == (9 if shared else 0)
    assert np.shares_memory(np.asarray(tensor), array) is shared


@pytest.mark.parametrize(
    ("make", "shared"), [(ndd.batch, False), (ndd.as_batch, True)], ids=["batch", "as_batch"]
)
def test_who_owns_the_memory_of_a_batch(make, shared):
    array = np.zeros((3, 2))
    batch = make(array)
    array[1] = 9
    assert np.asarray(batch.select(1)).tolist() == ([9, 9] if shared else [0, 0])


def test_a_read_only_array_is_copied():
    array = np.arange(4)
    array.flags.writeable = False
    assert not np.shares_memory(np.asarray(ndd.as_tensor(array)), array)


def test_a_list_is_copied():
    samples = [np.zeros(2), np.zeros(3)]
    batch = ndd.as_batch(samples)
    samples[0][:] = 9
    assert [a.tolist() for a in arrays(batch)] == [[0, 0], [0, 0, 0]]


def test_batches_take_dtype_and_layout_of_the_first_sample():
    assert ndd.batch([np.uint8(1), 2.5]).dtype == ndd.uint8
    assert ndd.batch([1, 2.5]).dtype == ndd.int32
    first = ndd.tensor(np.zeros((2, 3)), layout="HW")
    assert ndd.batch([first, np.zeros((4, 3))]).layout == "HW"


def test_a_list_of_arrays_is_one_tensor():
    tensor = ndd.tensor([np.zeros((2, 3)), np.ones((2, 3))])
    assert tensor.shape == (2, 2, 3)


@pytest.mark.parametrize("make", [ndd.tensor, ndd.as_tensor])
def test_a_batch_becomes_a_tensor(make):
    batch = ndd.batch(np.arange(12).reshape(2, 2, 3), layout="HW")
    tensor = make(batch)
    assert (tensor.shape, tensor.layout) == ((2, 2, 3), "NHW")
    assert make(batch, layout="ABC").layout == "ABC"
    assert make(ndd.batch(np.zeros((2, 3)))).layout is None


def test_a_ragged_batch_becomes_a_tensor_by_padding():
    batch = ndd.batch([np.ones((1, 3)), np.ones((2, 1))])
    tensor = ndd.tensor(batch, pad=True)
    np.testing.assert_array_equal(
        np.asarray(tensor), [[[1, 1, 1], [0, 0, 0]], [[1, 0, 0], [1, 0, 0]]]
    )
    with pytest.raises(ValueError, match=r"\(1, 3\), \(2, 1\)"):
        ndd.tensor(batch).evaluate()


def test_a_tensor_loses_its_leading_letter_in_a_batch():
    tensor = ndd.tensor(np.zeros((2, 4, 5, 3)), layout="NHWC")
    assert ndd.batch(tensor).layout == "HWC"


def test_a_batch_without_samples():
    batch = ndd.batch([], dtype=ndd.uint8)
    assert (batch.batch_size, batch.dtype, batch.shape) == (0, ndd.uint8, [])
    assert np.asarray(batch).shape == (0,)


def test_relabelling():
    batch = ndd.batch(np.zeros((2, 3, 3)), layout="HW")
    assert ndd.batch(batch, layout="WC").layout == "WC"
    assert ndd.as_batch(batch) is batch
    tensor = ndd.tensor(np.zeros((3, 3)))
    assert ndd.as_tensor(tensor, layout="HW").layout == "HW"
    assert ndd.tensor(tensor, layout="HW").layout == "HW"


def test_jax_arrays():
    assert ndd.tensor(jnp.arange(3, dtype=jnp.uint8)).dtype == ndd.uint8
    batch = ndd.batch(jnp.zeros((2, 3), jnp.bfloat16))
    assert (batch.dtype, batch.shape) == (ndd.bfloat16, [(3,), (3,)])


@pytest.mark.parametrize("copy", [True, False])
def test_item(copy):
    tensor = (ndd.tensor if copy else ndd.as_tensor)(np.array([[3]]))
    assert tensor.item() == 3
    assert type(tensor.item()) is int
    with pytest.raises(ValueError, match=r"^Tensor.item: the tensor has 2 elements; expected 1"):
        ndd.tensor([1, 2]).item()


def test_values_are_not_hashable():
    for value in (ndd.tensor(1), ndd.batch([1])):
        with pytest.raises(TypeError, match="unhashable"):
            hash(value)


@pytest.mark.parametrize("value", [2.0**52 + 1, -(2.0**52) - 1, 0.49999999999999994])
def test_casting_does_not_move_values_that_need_no_rounding(value):
    assert ndd.tensor(np.array(value), dtype="int64").item() == int(value)


def test_an_empty_layout_removes_that_of_a_batch():
    batch = ndd.batch([[1, 2]], layout="C")
    assert ndd.batch(batch).layout == ndd.batch(batch, dtype=ndd.uint8).layout == "C"
    for make in ndd.batch, ndd.as_batch:
        assert make(batch, layout="").layout is None
        assert make(batch, layout="", dtype=ndd.uint8).layout is None
        assert make(ndd.tensor([[1, 2]], layout="HW"), layout="").layout is None
    assert batch.layout == "C"


def test_a_batch_of_scalars_becomes_a_tensor_of_layout_n():
    """Recorded: as for other batches, N comes before the samples' layout, here an empty one."""
    batch = ndd.batch([1, 2])
    for make in ndd.tensor, ndd.as_tensor:
        assert make(batch).layout == make(batch, pad=True).layout == "N"
        assert make(batch, dtype=ndd.uint8).layout == "N"
        assert make(batch, layout="X").layout == "X"
        assert make(ndd.batch([[1], [2]])).layout is None
        assert ndd.batch(make(batch)).layout is None
    assert ndd.as_tensor(batch + 1).layout == "N"
    assert jax.jit(ndd.as_tensor)(batch).layout == "N"
