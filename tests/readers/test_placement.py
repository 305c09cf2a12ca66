"""`next_epoch(sharding=...)`: on one device, on eight, and in a job of two processes."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError

PROGRAMS = Path(__file__).with_name("programs")


@pytest.fixture
def arrays(tmp_path):
    """A folder with 20 arrays of 4 values; the first value is the number."""
    folder = tmp_path / "arrays"
    folder.mkdir()
    for i in range(20):
        np.save(folder / f"{i:02}.npy", np.full(4, i, np.float32))
    return folder


def start(program, *args):
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "", "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, str(PROGRAMS / program), *map(str, args)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_eight_devices(arrays):
    process = start("eight_devices.py", arrays)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert "placed" in output


def test_two_processes(arrays, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    reports = [tmp_path / f"{rank}.json" for rank in range(2)]
    jobs = [start("one_of_two.py", address, k, arrays, reports[k]) for k in range(2)]
    try:
        outputs = [job.communicate(timeout=120)[0] for job in jobs]
    finally:
        for job in jobs:
            job.kill()
    assert [job.returncode for job in jobs] == [0, 0], "\n".join(outputs)
    first, second = (json.loads(path.read_text()) for path in reports)
    # Each reads its half; two devices in each process hold two rows each.
    assert first["local"] == [[0, 2], [4, 6], [8, 9]]
    assert second["local"] == [[10, 12], [14, 16], [18, 19]]
    assert first["valid"] == second["valid"] == [4, 4, 2]
    assert first["length"] == second["length"] == 3
    assert first["meta"]["shard_id"] == 0
    assert second["meta"] == first["meta"] | {"shard_id": 1}
    assert first["means"] == second["means"] == [6.5, 10.5, 13.75]
    assert first["resumed"] == second["resumed"] == first["means"][1:]
    assert "must read the same shard" in first["replicated"]
    assert "unequal" not in first


def test_outputs_that_stay_batches(tmp_path):
    paths = [tmp_path / f"{i}" for i in range(3)]
    for i, path in enumerate(paths):
        path.write_bytes(b"x" * (i + 1))
    device = jax.devices()[0]

    def read(sharding, **kw):
        return next(ndd.readers.File(files=paths).next_epoch(3, sharding=sharding, **kw))

    texts, labels = read((None, device))
    assert isinstance(texts, ndd.Batch)
    assert labels.committed
    assert labels.tolist() == [[0], [1], [2]]
    with pytest.raises(OperatorError, match="output 0 has samples of shapes"):
        read(device)
    with pytest.raises(ArgumentError, match="tuple of 2"):
        read((device,))
    with pytest.raises(ArgumentError, match="tuple of 2"):
        read({"a": device})
    with pytest.raises(TypeError, match="sharding=3"):
        read(3)
    with pytest.raises(ArgumentError, match="need a batch_size"):
        next(ndd.readers.File(files=paths).next_epoch(sharding=(None, device)))


@pytest.mark.parametrize("capture", [False, True])
def test_a_batch_that_cannot_be_placed(tmp_path, capture):
    paths = [tmp_path / f"{i:02}" for i in range(12)]
    for i, path in enumerate(paths):
        path.write_bytes(b"x" * (2 if i == 7 else 1))
    reader = ndd.readers.File(files=paths, enable_checkpointing=True)
    epoch = reader.next_epoch(2, sharding=jax.devices()[0], prefetch=3, capture=capture)
    # Something to compute ahead.
    read = [np.asarray(ndd.cast(next(epoch)[1], dtype=ndd.float32)).ravel() for _ in range(3)]
    np.testing.assert_array_equal(read, [[0, 1], [2, 3], [4, 5]])
    state = reader.get_state()
    for _ in range(2):  # the reader stays before the batch
        with pytest.raises(OperatorError, match="has samples of shapes"):
            next(epoch)
        assert reader.get_state() == state


def test_a_captured_body_gets_batches_for_its_calls(tmp_path):
    paths = [tmp_path / f"{i}" for i in range(8)]
    for i, path in enumerate(paths):
        path.write_bytes(bytes([i]))
    reader = ndd.readers.File(files=paths)
    device = jax.devices()[0]
    for epoch in range(2):
        loop = reader.next_epoch(2, sharding=(None, device), capture=True)
        found = [(np.asarray(ndd.cast(x, dtype=ndd.int32)).ravel(), y) for x, y in loop]
        assert len(found) == 4, epoch
        for values, labels in found:
            np.testing.assert_array_equal(values, labels.ravel())


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_leaving_and_going_on(memory_reader, depth):
    reader = memory_reader(12, enable_checkpointing=True)
    device = jax.devices()[0]
    epoch = reader.next_epoch(2, sharding=(None, device), prefetch=depth)
    numbers = [next(epoch)[1].ravel().tolist() for _ in range(2)]
    state = reader.get_state()
    numbers.append(next(reader.next_epoch(2))[1].jax().ravel().tolist())
    numbers.append(next(epoch)[1].ravel().tolist())
    assert numbers == [[0, 1], [2, 3], [4, 5], [6, 7]]
    reader.set_state(state)
    assert next(epoch)[1].ravel().tolist() == [4, 5]


def test_an_error_waits_for_its_batch(memory_reader):
    reader = memory_reader(6)
    reader.source.broken = {3}
    epoch = reader.next_epoch(2, sharding=(None, jax.devices()[0]), prefetch=3)
    assert next(epoch)[1].ravel().tolist() == [0, 1]
    for _ in range(2):
        with pytest.raises(OperatorError, match="broken"):
            next(epoch)
    reader.source.broken = set()
    assert [x.ravel().tolist() for _, x in epoch] == [[2, 3], [4, 5]]


def test_bytes_in_flight(memory_reader):
    reader = memory_reader(100, prefetch_queue_depth=3)
    epoch = reader.next_epoch(2, max_bytes_in_flight=1)
    for taken in range(1, 9):
        next(epoch)
        # Of the first batch nobody could know that it is too large.
        assert len(reader.source.requested) == max(taken, 4)
    with pytest.raises(TypeError, match="max_bytes_in_flight must be an int"):
        reader.next_epoch(2, max_bytes_in_flight="much")
