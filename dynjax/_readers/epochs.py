"""How many batches an epoch has, and what fills the last one."""

from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np

from .order import Cursor, SampleStream

LastBatch = Literal["wrap", "drop", "partial", "pad"]


@final
@dataclass(frozen=True, slots=True)
class Position:
    """Where a reader stands; with its configuration, all that a restart must know.

    Attributes:
        epoch: epochs that were iterated to their end.
        drawn: batches that were handed out since.
        cursor: the place in the stream of samples.
    """

    epoch: int = 0
    drawn: int = 0
    cursor: Cursor = field(default_factory=Cursor)

    def after_batch(self, cursor: Cursor) -> "Position":
        """The position when one more batch was handed out."""
        return Position(self.epoch, self.drawn + 1, cursor)

    def restart(self) -> "Position":
        """The start of a fresh epoch, as after abandoning an unfinished one.

        The pass follows from the number of epochs alone, not from how far batches reached beyond
        the end of a shard: readers of other shards that restart in the same epoch stay disjoint.
        """
        epoch = self.epoch + (self.drawn > 0)
        return Position(epoch, 0, Cursor(epoch))


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One batch: its samples, which of them count (None: all), and the place after it."""

    indices: np.ndarray
    valid: np.ndarray | None
    after: Cursor


@final
@dataclass(frozen=True, slots=True)
class EpochRule:
    """Cuts the stream into batches.

    `"wrap"` is DALI's rule: full batches until the epoch's shard has delivered its quota; what
    fills the last one is taken from the stream. The others end an epoch where a pass ends:
    `"drop"` leaves the rest out, `"partial"` makes the last batch short, `"pad"` repeats the last
    sample and marks the repetitions as not valid.

    An epoch that was left early goes on where it stopped: `"wrap"` counts a full epoch from there,
    the others count what is left of the pass.
    """

    stream: SampleStream
    batch_size: int
    last_batch: LastBatch = "wrap"

    def batches(self, position: Position) -> int:
        """The number of batches of an epoch that starts at `position`."""
        if self.last_batch == "wrap":
            sharding = self.stream.sharding
            return -(-sharding.quota(sharding.shard(position.epoch)) // self.batch_size)
        return self._batches_left(position.cursor)

    def step(self, cursor: Cursor) -> Step:
        """The batch at a place."""
        stream, size = self.stream, self.batch_size
        if self.last_batch == "wrap":
            return Step(stream.indices(cursor, size), None, stream.advance(cursor, size))
        count = min(size, stream.quota(cursor) - cursor.offset)
        samples = stream.indices(cursor, count)
        own = stream.length(cursor) - cursor.offset
        after = stream.advance(cursor, count)
        if self.last_batch == "pad":
            samples = np.concatenate([samples, np.full(size - count, samples[-1])])
        elif self.last_batch == "drop" and self._batches_left(after) == 0:
            after = after.next_pass()
        return Step(samples, None if own >= len(samples) else np.arange(len(samples)) < own, after)

    def finish(self, position: Position) -> Position:
        """The position when an epoch was iterated to its end."""
        cursor = position.cursor
        if self.last_batch != "wrap" and position.drawn == 0:
            # A shard smaller than a batch that is dropped: nothing was read, the shard is done.
            cursor = Cursor(cursor.passes + 1)
        return Position(position.epoch + 1, 0, cursor)

    def _batches_left(self, cursor: Cursor) -> int:
        left = self.stream.quota(cursor) - cursor.offset
        return left // self.batch_size if self.last_batch == "drop" else -(-left // self.batch_size)
