"""The endless stream of samples that a reader walks along, and the places on it."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .sharding import Sharding
from .shuffling import PassOrder, Shuffling


@final
@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the stream: passes (see `Sharding`) behind it, samples taken from the next one."""

    passes: int = 0
    offset: int = 0

    def next_pass(self) -> "Cursor":
        """The start of the next pass; the same place where one starts already."""
        return self if self.offset == 0 else Cursor(self.passes + 1)


@final
class SampleStream:
    """The samples of one pass after the other, as a pure function of the place.

    Without `pad` a request that passes the end of a pass goes on into the next one. With `pad` it
    gets the last sample again and again, and the next pass starts with the next request, once the
    quota of the shard was delivered.
    """

    def __init__(self, sharding: Sharding, shuffling: Shuffling):
        self.sharding = sharding
        self._shuffling = shuffling
        self._order = PassOrder(sharding, shuffling)

    def configuration(self) -> dict[str, Any]:
        """What the order follows from, beside the samples; named as the readers' arguments."""
        sharding, shuffling = self.sharding, self._shuffling
        random, anew = shuffling.random_shuffle, shuffling.every_epoch
        return {
            "num_shards": sharding.num_shards,
            "shard_id": sharding.shard_id,
            "stick_to_shard": sharding.stick,
            "pad_last_batch": sharding.pad,
            "random_shuffle": random,
            "initial_fill": shuffling.initial_fill if random else None,
            "seed": shuffling.seed if random else None,
            "shuffle_after_epoch": anew,
            "shuffle_after_epoch_seed": shuffling.every_epoch_seed if anew else None,
        }

    def indices(self, cursor: Cursor, count: int) -> np.ndarray:
        """The numbers of the next `count` samples, at least 1, as int64; not to be written to."""
        if self.sharding.pad:
            length = self.length(cursor)
            own = max(min(length - cursor.offset, count), 1)
            start = min(cursor.offset, length - 1)
            samples = self._order.indices(cursor.passes, start, start + own)
            return np.concatenate([samples, np.full(count - own, samples[-1])])
        parts = []
        while count > 0:
            own = min(self.length(cursor) - cursor.offset, count)
            stop = cursor.offset + own
            parts.append(self._order.indices(cursor.passes, cursor.offset, stop))
            cursor = self.advance(cursor, own)
            count -= own
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def advance(self, cursor: Cursor, count: int) -> Cursor:
        """The place after the next `count` samples."""
        passes, offset = cursor.passes, cursor.offset + count
        if self.sharding.pad:
            return Cursor(passes + 1) if offset >= self.quota(cursor) else Cursor(passes, offset)
        while offset >= (length := self.sharding.length(self.sharding.shard(passes))):
            passes, offset = passes + 1, offset - length
        return Cursor(passes, offset)

    def length(self, cursor: Cursor) -> int:
        """The number of samples of the current pass."""
        return self.sharding.length(self.sharding.shard(cursor.passes))

    def quota(self, cursor: Cursor) -> int:
        """The number of samples, padding counted, of the current pass."""
        return self.sharding.quota(self.sharding.shard(cursor.passes))
