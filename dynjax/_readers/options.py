"""The constructor arguments that all readers share."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, final

from .._types.errors import ArgumentError, OperatorError
from .arguments import integer
from .sharding import Sharding
from .shuffling import Shuffling


@final
@dataclass(frozen=True)
class Options:
    """Order and sharding as the user asked for them.

    What needs no data to be wrong is checked when a reader is made; combinations that the original
    refuses at the first read are refused there.
    """

    operator: str
    shard_id: int | None = 0
    num_shards: int | None = 1
    stick_to_shard: bool | None = False
    pad_last_batch: bool | None = False
    random_shuffle: bool | None = False
    initial_fill: int | None = 1024
    seed: int | None = -1
    shuffle_after_epoch: bool | None = False
    shuffle_after_epoch_seed: int | None = 0

    def __post_init__(self):
        shards, shard = self.integer("num_shards", 1), self.integer("shard_id", 0)
        if shards < 1:
            raise ArgumentError(f"{self.operator}: num_shards={shards}; expected at least 1.")
        if not 0 <= shard < shards:
            raise ArgumentError(
                f"{self.operator}: shard_id={shard}; expected 0 to num_shards - 1 = {shards - 1}."
            )

    def integer(self, name: str, default: int) -> int:
        """An argument as an int; `default` for None."""
        value = getattr(self, name)
        return default if value is None else integer(self.operator, name, value)

    def sharding(self, size: int) -> Sharding:
        """The division of `size` samples.

        Raises:
            OperatorError: more shards than samples.
        """
        shards = self.integer("num_shards", 1)
        if shards > size:
            raise OperatorError(
                f"{self.operator}: num_shards={shards} for {size} samples; expected at least one "
                "sample for each shard. Use fewer shards."
            )
        return Sharding(
            size=size,
            num_shards=shards,
            shard_id=self.integer("shard_id", 0),
            stick=bool(self.stick_to_shard),
            pad=bool(self.pad_last_batch),
        )

    def shuffling(self) -> Shuffling:
        """The order.

        Raises:
            OperatorError: arguments that exclude each other, or `initial_fill` below 1.
        """
        for other in ("random_shuffle", "stick_to_shard"):
            if self.shuffle_after_epoch and getattr(self, other):
                raise OperatorError(
                    f"{self.operator}: shuffle_after_epoch=True with {other}=True; expected at "
                    "most one of them. For a new permutation of everything in each epoch use "
                    "shuffle_after_epoch, or random_shuffle with initial_fill=None."
                )
        fill = None if self.initial_fill is None else self.integer("initial_fill", 1024)
        if self.random_shuffle and fill is not None and fill < 1:
            raise OperatorError(
                f"{self.operator}: initial_fill={fill}; expected at least 1, or None to shuffle "
                "over the whole shard."
            )
        return Shuffling(
            random_shuffle=bool(self.random_shuffle),
            initial_fill=fill if self.random_shuffle else None,
            seed=self.integer("seed", -1),
            every_epoch=bool(self.shuffle_after_epoch),
            every_epoch_seed=self.integer("shuffle_after_epoch_seed", 0),
        )


_SHARED = (
    *("max_batch_size", "name", "device", "prefetch_queue_depth"),
    *("enable_checkpointing", "on_error"),
    *(field.name for field in fields(Options) if field.name != "operator"),
)


def shared(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What `Reader` takes of the arguments of a constructor, which are its `locals()`.

    Each reader spells them out for `help` and type checkers; those that it lacks have defaults.
    """
    return {name: arguments[name] for name in _SHARED if name in arguments}
