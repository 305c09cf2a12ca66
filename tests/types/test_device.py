"""`Device` and `device`."""

import threading

import jax
import pytest

import dynjax as ndd
from dynjax._types import device as devices


@pytest.fixture
def gpu(monkeypatch):
    """A stand-in for GPUs: the second virtual CPU device, twice."""
    monkeypatch.setitem(devices._OVERRIDES, "gpu", [jax.devices()[1]] * 2)


def test_cpu():
    cpu = ndd.Device("cpu")
    assert (str(cpu), repr(cpu), cpu.device_id) == ("cpu", "Device(device_type='cpu')", None)
    assert cpu == ndd.Device.CPU
    assert hash(cpu) == hash(ndd.Device.CPU)
    assert cpu != "cpu"
    assert ndd.device(cpu) is cpu
    assert ndd.device(None) is None
    assert ndd.device(jax.devices("cpu")[0]) == cpu


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mixed", "'mixed' is no device.*device='gpu'"),
        ("foo", "'foo' is no device; expected 'cpu', 'gpu'"),
        ("CPU", "'CPU' is no device"),
        ("a:b:c", "'a:b:c' is no device"),
        ("cpu:0", "'cpu:0'"),
        ("gpu:x", "'gpu:x'"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(ValueError, match=message):
        ndd.device(name)


@pytest.mark.parametrize(
    ("name", "number"), [("gpu:0", 0), ("gpu", -1), ("gpu", 2), ("gpu:2", None)]
)
def test_unknown_numbers(gpu, name, number):
    with pytest.raises(ValueError, match="gpu"):
        ndd.device(name, number)


@pytest.mark.parametrize("name", ["gpu", "cuda", "gpu:0", "tpu"])
def test_a_device_that_jax_does_not_have(name):
    kind = "TPU" if name == "tpu" else "GPU"
    package = r"jax\[tpu\]" if name == "tpu" else r"dynjax\[cuda12\]"
    with pytest.raises(
        RuntimeError, match=rf'^device: JAX sees no {kind}.*pip install "{package}".*device=\'cpu\''
    ):
        ndd.device(name)


@pytest.mark.parametrize(
    ("name", "shown"), [("gpu", "gpu:0"), ("cuda:1", "gpu:1"), ("gpu:1", "gpu:1")]
)
def test_gpus(gpu, name, shown):
    assert str(ndd.device(name)) == shown


def test_refusals_of_device():
    with pytest.raises(ValueError, match="id=1 given beside"):
        ndd.device(ndd.Device.CPU, 1)
    with pytest.raises(TypeError, match="cannot make a device of 3"):
        ndd.device(3)
    assert ndd.Device.default_device_id("cpu") is None
    with pytest.raises(ValueError, match="'foo' is no device type"):
        ndd.Device.default_device_id("foo")


def test_current_device_is_per_thread(gpu):
    assert str(ndd.Device.current()) == "gpu:0"
    seen = []
    with ndd.Device("cpu") as entered:
        assert entered is None
        assert ndd.Device.current() == ndd.Device.CPU
        with ndd.Device("gpu:1"):
            assert str(ndd.Device.current()) == "gpu:1"
            thread = threading.Thread(target=lambda: seen.append(str(ndd.Device.current())))
            thread.start()
            thread.join()
        assert ndd.Device.current() == ndd.Device.CPU
    assert seen == ["gpu:0"]


def test_without_a_gpu_the_cpu_is_current():
    assert ndd.Device.current() == ndd.Device.CPU
