"""Placement on eight virtual devices; run by test_placement.py."""

import sys

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import dynjax as ndd

(folder,) = sys.argv[1:]
jax.config.update("jax_num_cpu_devices", 8)
devices = jax.devices()
assert len(devices) == 8
mesh = Mesh(np.array(devices).reshape(4, 2), ("data", "model"))
rows = NamedSharding(mesh, PartitionSpec("data"))
both = NamedSharding(mesh, PartitionSpec("data", "model"))
whole = NamedSharding(mesh, PartitionSpec())


def reader(**kw):
    return ndd.readers.Numpy(file_root=folder, file_filter="*.npy", **kw)


def read(**kw):
    return list(reader().next_epoch(8, **kw))


plain = [np.asarray(batch) for (batch,) in read()]
for target in (rows, both, whole, devices[3]):
    placed = [array for (array,) in read(sharding=target)]
    assert all(isinstance(a, jax.Array) and a.committed for a in placed)
    for array, expected in zip(placed, plain, strict=True):
        np.testing.assert_array_equal(np.asarray(array), expected)
        if target is devices[3]:
            assert array.devices() == {target}
        else:
            assert array.sharding.is_equivalent_to(target, array.ndim)

# One for each output, a jitted step, a captured loop, and the mask.
assert [a[0].sharding for a in read(sharding=(both,))] == [both] * len(plain)
step = jax.jit(lambda x: x.sum(axis=1), in_shardings=both, out_shardings=rows)
for (array,), expected in zip(reader().next_epoch(8, sharding=both), plain, strict=True):
    np.testing.assert_allclose(np.asarray(step(array)), expected.sum(axis=1))
for prefetch in (0, 3):
    epoch = reader().next_epoch(8, sharding=both, prefetch=prefetch, last_batch="pad")
    assert len(epoch) == 3
    assert [epoch.valid.sum() for _ in epoch] == [8, 8, 4]
    for capture in (False, True):
        got = reader().next_epoch(8, sharding=rows, prefetch=prefetch, capture=capture)
        for (array,), expected in zip(got, plain, strict=True):
            np.testing.assert_array_equal(np.asarray(array), expected)

# A target that cannot divide the batch.
with pytest.raises(ndd.OperatorError, match="cannot be placed"):
    list(reader().next_epoch(7, sharding=rows))
print("placed")
