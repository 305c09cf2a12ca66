"""Calls without XLA: native kernels called directly, pointwise functions by NumPy."""

import operator

import jax
import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError
from dynjax._execution import in_jax, preparation
from dynjax._native import native
from dynjax._ops._lib.resample import resample
from dynjax._types.spec import Spec
from dynjax._types.storage import Packed

PHOTO = np.arange(6 * 5 * 3, dtype=np.uint8).reshape(6, 5, 3)


def host(data):
    return [np.asarray(t) for t in data.tensors]


def test_a_small_result_needs_no_program(compiles):
    batch = ndd.batch([PHOTO, PHOTO[:4]], layout="HWC")
    with compiles() as seen:
        small = ndd.crop_mirror_normalize(ndd.resize(batch, size=[3, 2]), mean=[1.5], std=[2.0])
        small.evaluate()
    assert seen.count == 0
    assert small.shape == [(3, 3, 2)] * 2


def test_large_and_small_results_are_the_same_bits():
    """The first of two samples is computed directly alone, and by a compiled program among many."""
    photo = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    alone = ndd.resize(ndd.batch([photo], layout="HWC"), size=[48, 48])
    many = ndd.resize(ndd.batch([photo] * 192, layout="HWC"), size=[48, 48])
    assert isinstance(many.storage.array, jax.Array)
    assert isinstance(alone.storage.array, np.ndarray)
    np.testing.assert_array_equal(host(many)[7], host(alone)[0])


def test_one_sample_beside_a_batch():
    one = ndd.tensor(np.float32([[1, 2], [3, 4]]))
    many = ndd.batch([np.float32([[1, 1], [1, 1]]), np.float32([[2, 2], [2, 2]])])
    np.testing.assert_array_equal(np.asarray(many * one), [[[1, 2], [3, 4]], [[2, 4], [6, 8]]])


def test_what_a_handler_refuses_is_raised():
    handlers = native.registrations()
    attributes = {
        "addressed": False, "source_dtype": 6, "axes": [0], "antialias": True, "border": 0,
    }  # fmt: skip
    call = native.DirectCall(handlers["resample"], attributes, [4, 6, 4, 4, 11, 4, 6])
    source, extent = np.zeros((1, 4), np.uint8), np.array([[5]], np.int32)
    roi, kind = np.zeros((1, 2), np.float32), np.zeros((1, 1), np.int32)
    operands = [np.zeros(1, np.int32), source, extent, extent, roi, kind]
    with pytest.raises(RuntimeError, match="extents do not fit"):
        call.run(operands, [np.zeros((1, 4), np.uint8)])
    with pytest.raises(ValueError, match="more arrays than types"):
        call.run([source] * 9, [source])


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float16", "float32", "bfloat16"])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "less", "absolute"])
def test_numpy_and_compiled_expressions_agree(name, dtype):
    functions = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
                 "divide": operator.truediv, "less": operator.lt,
                 "absolute": lambda a, b: abs(a)}  # fmt: skip
    a = ndd.batch([[0, 1, 200, 7], [3, 3, 90, 255]], dtype=dtype)
    b = ndd.batch([[1, 2, 100, 9], [3, 2, 30, 1]], dtype=dtype)
    eagerly = functions[name](a, b)
    compiled = jax.jit(lambda a, b: functions[name](a, b))(a, b)
    assert eagerly.dtype == compiled.dtype
    np.testing.assert_array_equal(
        np.asarray(eagerly).astype(np.float32), np.asarray(compiled).astype(np.float32)
    )


def test_keys_of_a_repeated_call_are_its_own():
    def draw(seed):
        return np.asarray(ndd.random.uniform(shape=[2], batch_size=3, key=jax.random.key(seed)))

    first, other, again = draw(1), draw(2), draw(1)
    assert not np.array_equal(first, other)
    np.testing.assert_array_equal(first, again)


def test_a_repeated_random_call_is_recalled():
    for _ in range(2):
        known = len(preparation._prepared)
        ndd.random.uniform(shape=[5], range=[2.0, 3.0], batch_size=3).evaluate()
    assert len(preparation._prepared) == known


def test_input_bytes_count_as_work():
    """A reduction of much data to little is left to the background."""
    spec = Spec(4, (1 << 20,), np.dtype(np.uint8), None, True, ndd.Device("cpu"))
    assert not preparation.Prepared([], [spec], 4, True, None, None).small
    assert preparation.Prepared([], [], 4, True, None, None).small


def test_offsets_beyond_int32_are_refused():
    extent = np.array([[1 << 16, 1 << 16], [1, 1]], np.int32)
    with pytest.raises(OperatorError, match="holds 4294967297 elements"):
        in_jax._small_offsets(resample, Packed(np.zeros(1, np.uint8), extent))


def test_memory_that_the_user_changes_is_read_anew():
    memory = np.full((2, 3), 7, np.float32)
    batch = ndd.as_batch(memory)
    before = np.asarray(ndd.math.sqrt(batch))
    memory[:] = 16
    np.testing.assert_array_equal(np.asarray(ndd.math.sqrt(batch)), np.full((2, 3), 4))
    assert before[0, 0] != 4


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ndd.gaussian_blur(x, sigma=1.0),
        lambda x: ndd.laplacian(x, dtype=ndd.float32),
        lambda x: ndd.multi_paste(x, output_size=[4, 5]),
        lambda x: ndd.coord_transform(x, T=[1.0, 2.0, 3.0]),
        lambda x: ndd.pad(x, align=[8], axes=[0]),
    ],
)
def test_no_samples(call):
    pictures = [np.zeros((2, 3, 3), np.uint8), np.zeros((4, 5, 3), np.uint8)]
    for batch in (ndd.batch(pictures, layout="HWC"), ndd.batch(pictures[:1] * 2, layout="HWC")):
        for run in (call, jax.jit(call)):
            out = run(batch.select([]))
            assert (out.evaluate().batch_size, out.shape) == (0, [])
