"""Which samples each process of a JAX job reads."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jax

from .._types.errors import OperatorError
from .options import Options
from .sharding import Sharding


def shard_of_process(options: Options) -> Options:
    """The options of this process: those given if they name shards, else its own shard.

    Shards are padded to one length: processes that made different numbers of steps would wait for
    each other for ever.
    """
    if options.integer("num_shards", 1) > 1:
        return options
    return replace(
        options,
        num_shards=jax.process_count(),
        shard_id=jax.process_index(),
        pad_last_batch=True,
    )


def was_divided(options: Options, saved: Mapping[str, Any]) -> bool:
    """Whether a state is that of this process's shard, and the reader may become it."""
    count = saved.get("num_shards")
    if options.integer("num_shards", 1) > 1 or not isinstance(count, int) or count <= 1:
        return False
    # Asking for the processes of a job of one starts JAX's backends, which a state must not do.
    if not jax.distributed.is_initialized():
        return False
    return (count, saved.get("shard_id")) == (jax.process_count(), jax.process_index())


def check_equal_steps(label: str, sharding: Sharding, batch_size: int) -> None:
    """Raises OperatorError if the shards give different numbers of batches."""
    steps = {-(-sharding.quota(k) // batch_size) for k in range(sharding.num_shards)}
    if len(steps) > 1:
        raise OperatorError(
            f"{label}: the shards of {sharding.size} samples give {min(steps)} to {max(steps)} "
            f"batches of {batch_size}; processes with fewer would let the others wait. Pass "
            "pad_last_batch=True."
        )
