"""Set-up of every test: the CPU with two virtual devices, and the fixtures of `support`."""

import os

# Read by JAX when it is imported, here and in the processes that tests start. The second device
# stands in for an accelerator in tests of placement.
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = " ".join(
    [os.environ.get("XLA_FLAGS", ""), "--xla_force_host_platform_device_count=2"]
).strip()

from pathlib import Path

import jax
import pytest
from support.compiles import CompileCounter
from support.photos import packaged_photos
from support.shared import shared_folder

from dynjax._execution import sampled, traced


@pytest.fixture
def compiles() -> CompileCounter:
    """`with compiles() as seen: ...`, then `seen.count`: the programs that were compiled."""
    return CompileCounter()


@pytest.fixture(scope="session")
def photos() -> list[bytes]:
    """Real photographs as JPEG files: grey and colour, three sizes each, 4:2:0 and 4:4:4."""
    return packaged_photos()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of larger data sets that lies beside the project; skips where it does not."""
    folder = shared_folder("data")
    if folder is None:
        pytest.skip("no ../shared/data here (or DYNJAX_SHARED)")
    return folder


@pytest.fixture
def in_jax(monkeypatch):
    """Makes `jit` take the JAX form of each kernel, as it does on devices without a native one."""

    def embed(kernel, static, arrays, extents, out_extent, tables, slot, dtype, count):
        assert kernel.sample is not None
        return sampled.map_samples(
            kernel, static, arrays, extents, out_extent, tables, slot, dtype, count
        )

    # A fresh function, so that a trace made with the native form is not taken.
    monkeypatch.setattr(traced, "embed", embed)
    return lambda call: jax.jit(lambda *args: call(*args))
