"""One process of a job of two; run by test_placement.py."""

import json
import sys

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import dynjax as ndd

address, rank, folder, path = sys.argv[1:]
jax.config.update("jax_num_cpu_devices", 2)
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(address, num_processes=2, process_id=int(rank))
mesh = Mesh(np.array(jax.devices()), ("data",))
rows = NamedSharding(mesh, PartitionSpec("data"))
whole = NamedSharding(mesh, PartitionSpec())


def reader(**kw):
    return ndd.readers.Numpy(file_root=folder, file_filter="*.npy", **kw)


mean = jax.jit(lambda x: x.mean(), out_shardings=whole)
own = reader(enable_checkpointing=True)
report = {"local": [], "means": [], "meta": None, "valid": []}
epoch = own.next_epoch(4, sharding=rows, last_batch="pad")
report["length"] = len(epoch)
state = None
for (array,) in epoch:
    assert array.shape == (8, 4), array.shape
    assert not array.is_fully_addressable
    report["local"].append([int(s.data[0, 0]) for s in array.addressable_shards])
    report["means"].append(float(mean(array)))
    report["valid"].append(int(epoch.valid.sum()))
    state = state or own.get_state()
report["meta"] = own.get_metadata()

again = reader()
again.set_state(state)
report["resumed"] = [
    float(mean(a)) for (a,) in again.next_epoch(4, sharding=rows, last_batch="pad")
]

try:
    next(iter(reader().next_epoch(4, sharding=whole)))
except ndd.OperatorError as error:
    report["replicated"] = str(error)
try:
    reader(num_shards=2, shard_id=int(rank)).next_epoch(1, sharding=rows)
except ndd.OperatorError as error:
    report["unequal"] = str(error)
with open(path, "w") as out:
    json.dump(report, out)
