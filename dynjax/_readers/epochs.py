"""How many batches an epoch has, and what fills the last one."""

from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from .order import Position, SampleStream

LastBatch = Literal["wrap", "drop", "partial", "pad"]


@final
@dataclass(frozen=True)
class Step:
    """One batch: its samples, which of them count (None: all), and the position after it."""

    indices: np.ndarray
    valid: np.ndarray | None
    after: Position


@final
@dataclass(frozen=True)
class EpochRule:
    """Cuts the stream into batches.

    `"wrap"` is DALI's rule: full batches until the epoch's shard has delivered its quota, what
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
        left = self.stream.quota(position) - position.offset
        return left // self.batch_size if self.last_batch == "drop" else -(-left // self.batch_size)

    def step(self, position: Position) -> Step:
        """The batch at `position`."""
        if self.last_batch == "wrap":
            count = self.batch_size
            samples = self.stream.indices(position, count)
            return Step(samples, None, self.stream.advance(position, count))
        count = min(self.batch_size, self.stream.quota(position) - position.offset)
        samples = self.stream.indices(position, count)
        own = self.stream.length(position) - position.offset
        if self.last_batch == "pad":
            samples = np.concatenate([samples, np.full(self.batch_size - count, samples[-1])])
        valid = None if own >= len(samples) else np.arange(len(samples)) < own
        return Step(samples, valid, self.stream.advance(position, count))

    def finish(self, position: Position) -> Position:
        """The position after the last batch of an epoch."""
        if self.last_batch != "wrap":
            position = self.stream.next_pass(position)
        return self.stream.finish_epoch(position)
