"""Trains a small Flax model on all processes of a job, each with its shard of the data.

On each machine, with the address of the first one and its own number:

    python docs/data_parallel.py FOLDER 10.0.0.1:1234 0 2 parameters.npy

FOLDER has arrays `.npy` of 8 inputs and the wanted output. The processes read without talking to
each other, agree on the number of steps, and end with the same parameters: those of one process
that takes the same global batches (`train` with more than one reader).
"""

import sys

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import dynjax as ndd

BATCH, EPOCHS = 16, 3  # samples in a global batch


class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.relu(nn.Dense(16)(x)))[:, 0]


def train(readers, size):
    """The parameters after EPOCHS passes.

    Args:
        readers: those of this process; the parts of a global batch that it holds.
        size: samples that each gives to a batch.
    """
    mesh = Mesh(np.array(jax.devices()), ("data",))
    rows, whole = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in (("data",), ()))
    model, optimiser = Model(), optax.sgd(0.05, momentum=0.9)

    @jax.jit
    def start():
        parameters = model.init(jax.random.key(0), jnp.zeros((1, 8)))
        return parameters, optimiser.init(parameters)

    @jax.jit
    def step(parameters, state, batch):
        def loss(parameters):
            return ((model.apply(parameters, batch[:, :8]) - batch[:, 8]) ** 2).mean()

        updates, state = optimiser.update(jax.grad(loss)(parameters), state)
        return optax.apply_updates(parameters, updates), state

    # The same on all devices: XLA adds the sum of the gradients over them.
    parameters, state = jax.jit(start, out_shardings=whole)()
    for _ in range(EPOCHS):
        for parts in zip(*(reader.next_epoch(size) for reader in readers), strict=True):
            local = np.concatenate([np.asarray(array) for (array,) in parts])
            batch = jax.make_array_from_process_local_data(rows, local)
            parameters, state = step(parameters, state, batch)
    return jax.flatten_util.ravel_pytree(parameters)[0]


def reader(folder, shard, shards):
    """The reader of one shard; all have equally many steps."""
    return ndd.readers.Numpy(
        file_root=folder, num_shards=shards, shard_id=shard, pad_last_batch=True,
        random_shuffle=True, initial_fill=None,
    )  # fmt: skip


def main():
    folder, address, rank, count, path = sys.argv[1:]
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, num_processes=int(count), process_id=int(rank))
    own = reader(folder, jax.process_index(), jax.process_count())
    np.save(path, np.asarray(train([own], BATCH // jax.process_count())))


if __name__ == "__main__":
    main()
