"""docs/data_parallel.py: processes that train together end with the parameters of one."""

import importlib.util
import os
import socket
import subprocess
import sys

import numpy as np
import pytest
from support.shared import ROOT

PROGRAM = ROOT / "docs/data_parallel.py"
# Four processes too, where somebody has the time (DYNJAX_NIGHTLY=1).
COUNTS = [2, 4] if os.environ.get("DYNJAX_NIGHTLY") else [2]


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "data").mkdir()
    for k in range(40):
        inputs = rng.normal(size=8)
        sample = np.append(inputs, inputs.sum()).astype(np.float32)
        np.save(tmp_path / "data" / f"{k:02}.npy", sample)
    return tmp_path / "data"


def example():
    spec = importlib.util.spec_from_file_location("data_parallel", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("count", COUNTS)
def test_processes_end_where_one_does(folder, tmp_path, count):
    pytest.importorskip("flax")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    results = [tmp_path / f"{rank}.npy" for rank in range(count)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "XLA_FLAGS": ""}
    jobs = [
        subprocess.Popen(
            [sys.executable, PROGRAM, folder, address, str(k), str(count), results[k]],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for k in range(count)
    ]  # fmt: skip
    try:
        module = example()
        readers = [module.reader(folder, k, count) for k in range(count)]
        expected = np.asarray(module.train(readers, module.BATCH // count))
        outputs = [job.communicate(timeout=240)[0] for job in jobs]
    finally:
        for job in jobs:
            job.kill()
    assert [job.returncode for job in jobs] == [0] * count, "\n".join(outputs)
    found = [np.load(path) for path in results]
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])
    # The sum over devices is taken in another order.
    np.testing.assert_allclose(found[0], expected, rtol=2e-5, atol=2e-6)
    assert np.abs(expected).max() > 0.1
