"""Other libraries read our data: NumPy, DLPack, PyTorch."""

import importlib.util

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax as ndd

TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not TORCH, reason="torch is not installed")


def test_dlpack():
    tensor = ndd.tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert tensor.__dlpack_device__() == (1, 0)
    for _ in range(2):
        np.testing.assert_array_equal(np.from_dlpack(tensor), np.asarray(tensor))
        np.testing.assert_array_equal(jax.dlpack.from_dlpack(tensor), np.asarray(tensor))


def test_dlpack_of_a_result_outlives_it():
    image = np.arange(1024 * 1024, dtype=np.uint8).reshape(1024, 1024, 1)
    result = ndd.resize(ndd.tensor(image, layout="HWC"), size=[1024, 1024], interp_type="nn")
    view = np.from_dlpack(result)
    before = view.copy()
    del result
    for k in range(3):
        ndd.resize(ndd.tensor(image + np.uint8(k + 1), layout="HWC"), size=[1024, 1024]).evaluate()
    np.testing.assert_array_equal(view, before)


def test_dlpack_input():
    np.testing.assert_array_equal(np.asarray(ndd.tensor(jnp.arange(3))), [0, 1, 2])


def test_jnp_asarray():
    tensor = ndd.tensor([[1, 2], [3, 4]])
    np.testing.assert_array_equal(jnp.asarray(tensor), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(jnp.asarray(ndd.batch([[1, 2], [3, 4]])), [[1, 2], [3, 4]])


def test_there_is_no_jax_array_protocol():
    # With it JAX would silently win arithmetic.
    assert not hasattr(ndd.tensor(1), "__jax_array__")
    assert not hasattr(ndd.batch([1]), "__jax_array__")


@pytest.mark.skipif(TORCH, reason="torch is installed")
@pytest.mark.parametrize("value", [ndd.tensor([1]), ndd.batch([1])], ids=["tensor", "batch"])
def test_without_torch_the_error_says_what_to_install(value):
    with pytest.raises(ImportError, match=r'pip install "dynjax\[torch\]"'):
        value.torch()


def test_without_torch_the_error_says_what_to_install_even_here(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    for value in (ndd.tensor([1]), ndd.batch([1])):
        with pytest.raises(ImportError, match=r'^torch\(\): .*pip install "dynjax\[torch\]"'):
            value.torch()


@needs_torch
@pytest.mark.parametrize(
    "dtype", ["uint8", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16"]
)
def test_torch_dtypes(dtype):
    import torch

    array = np.array([[0, 1, 2], [3, 4, 5]]).astype(ndd.dtype(dtype)._numpy)
    for value in (ndd.tensor(array), ndd.batch(array)):
        tensor = value.torch()
        assert tensor.dtype == getattr(torch, dtype)
        assert tensor.tolist() == array.tolist()


@needs_torch
def test_torch_shares_memory_unless_asked_to_copy():
    tensor = ndd.tensor(np.zeros(4, np.float32))
    shared, copy = tensor.torch(), tensor.torch(copy=True)
    shared[0] = 1
    assert np.asarray(tensor)[0] == 1
    assert copy[0] == 0


@needs_torch
def test_torch_of_ragged_samples():
    batch = ndd.batch([np.ones((2, 3), np.float32), np.ones((1, 3), np.float32)])
    dense = batch.torch(pad=True)
    assert tuple(dense.shape) == (2, 2, 3)
    assert dense.sum() == 9
    with pytest.raises(ValueError, match="cannot be padded without a copy"):
        batch.torch(pad=True, copy=False)
    with pytest.raises(ValueError, match=r"\(2, 3\), \(1, 3\)"):
        batch.torch()


@needs_torch
def test_torch_of_a_result_outlives_it():
    image = np.random.default_rng(0).integers(0, 255, (16, 256, 256, 3), np.uint8)
    result = ndd.crop_mirror_normalize(ndd.batch(image, layout="HWC"))
    tensor = result.torch()
    wanted = np.array(result)
    del result
    for _ in range(3):
        ndd.crop_mirror_normalize(ndd.batch(image, layout="HWC"), mean=[9.0]).evaluate()
    np.testing.assert_array_equal(tensor.numpy(), wanted)


@needs_torch
def test_torch_input():
    import torch

    assert ndd.tensor(torch.tensor([1, 2])).dtype == ndd.int64
    batch = ndd.batch([torch.ones(2), torch.ones(3)])
    assert batch.shape == [(2,), (3,)]
    assert ndd.device(torch.device("cpu")) == ndd.Device("cpu")


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int64"])
def test_labels_need_no_64_bit_mode(dtype):
    labels = ndd.batch(
        np.array([2**33, 7], "int64") if dtype == "int64" else np.array([3, 7], dtype)
    )
    assert labels.dtype == ndd.dtype(dtype)
    assert np.asarray(labels).dtype == dtype
    assert labels.select(0).item() == (2**33 if dtype == "int64" else 3)
    assert not jax.config.jax_enable_x64
    assert labels.jax().dtype == ("int32" if dtype == "int64" else dtype)


def test_64_bit_values_leave_whole_where_jax_is_in_64_bit_mode():
    labels = ndd.batch(np.array([2**33, 7]))
    with jax.enable_x64(True):
        assert labels.jax().dtype == jnp.int64
        assert labels.jax().tolist() == [2**33, 7]
        assert ndd.tensor(np.float64(0.1)).jax() == 0.1
