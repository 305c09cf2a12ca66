"""The endless stream of samples that a reader walks along, and the positions on it."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from .sharding import Sharding
from .shuffling import PassOrder, Shuffling


@final
@dataclass(frozen=True)
class Position:
    """A place in the stream; with the configuration it says all that a restart must know.

    Attributes:
        epoch: epochs that were iterated to their end.
        passes: passes (see `Sharding`) that were read to their end.
        offset: samples that were taken from the current pass.
        drawn: samples that were taken since the last finished epoch.
    """

    epoch: int = 0
    passes: int = 0
    offset: int = 0
    drawn: int = 0


@final
class SampleStream:
    """The samples of one pass after the other, as a pure function of the position.

    Without `pad` a request that passes the end of a pass goes on into the next one. With `pad` it
    gets the last sample again and again, and the next pass starts with the next request, once the
    quota of the shard was delivered.
    """

    def __init__(self, sharding: Sharding, shuffling: Shuffling):
        self.sharding = sharding
        self._order = PassOrder(sharding, shuffling)

    def indices(self, position: Position, count: int) -> np.ndarray:
        """The numbers of the next `count` samples, at least 1, as int64."""
        if self.sharding.pad:
            length = self.length(position)
            own = max(min(length - position.offset, count), 1)
            start = min(position.offset, length - 1)
            samples = self._order.indices(position.passes, start, start + own)
            return np.concatenate([samples, np.full(count - own, samples[-1])])
        parts = []
        while count > 0:
            own = min(self.length(position) - position.offset, count)
            start = position.offset
            parts.append(self._order.indices(position.passes, start, start + own))
            position = self.advance(position, own)
            count -= own
        return np.concatenate(parts)

    def advance(self, position: Position, count: int) -> Position:
        """The position after the next `count` samples."""
        passes, offset = position.passes, position.offset + count
        if self.sharding.pad:
            if offset >= self.quota(position):
                passes, offset = passes + 1, 0
        else:
            while offset >= (length := self.sharding.length(self.sharding.shard(passes))):
                passes, offset = passes + 1, offset - length
        return replace(position, passes=passes, offset=offset, drawn=position.drawn + count)

    def length(self, position: Position) -> int:
        """The number of samples of the current pass."""
        return self.sharding.length(self.sharding.shard(position.passes))

    def quota(self, position: Position) -> int:
        """The number of samples, padding counted, of the current pass."""
        return self.sharding.quota(self.sharding.shard(position.passes))

    def finish_epoch(self, position: Position) -> Position:
        """The position when an epoch was iterated to its end."""
        return replace(position, epoch=position.epoch + 1, drawn=0)

    def next_pass(self, position: Position) -> Position:
        """The start of the next pass; the same position where one starts already."""
        if position.offset == 0:
            return position
        return replace(position, passes=position.passes + 1, offset=0)

    def restart(self, position: Position) -> Position:
        """The start of a fresh epoch, as after abandoning an unfinished one.

        The pass follows from the number of epochs alone, not from how far batches reached beyond
        the end of a shard: readers of other shards that restart in the same epoch stay disjoint.
        """
        epoch = position.epoch + (position.drawn > 0)
        return Position(epoch=epoch, passes=epoch)
