"""A reader that drives a captured loop."""

from typing import TYPE_CHECKING, Any, final

from .._capture.plan import Plan
from .._capture.root import Root
from .._capture.steps import Item
from .._types.errors import ArgumentError
from .epochs import EpochRule, LastBatch, Position

if TYPE_CHECKING:
    from .reader import Reader


@final
class ReaderRoot(Root):
    """One epoch of a reader, read ahead from a position of its own.

    The reader itself stands behind the last batch that was handed to the body, so its state may be
    saved in the loop, and leaving the loop loses nothing.
    """

    def __init__(self, reader: "Reader", plan: Plan, batch_size: int | None, last_batch: LastBatch):
        self.name = reader._label
        self.plan = plan
        self.polls_freely = not reader._skips  # its report tells what was skipped so far
        self._reader = reader
        self._batch_size = batch_size
        self._last_batch: LastBatch = last_batch
        self._rule: EpochRule | None = None
        self._position = Position()  # behind what was polled
        self._handed = Position()  # behind what was handed out
        self._length = self._left = 0  # of what was handed out
        self._unpolled = 0
        self._is_moved = False  # the reader, since something was handed out
        self._beyond: Position | None = None  # behind what was polled of the next epoch
        self._unpolled_beyond = 0

    def length(self) -> int:
        """The number of batches of the epoch."""
        if self._rule is not None:
            return self._length
        reader = self._reader
        return reader._batches_ahead(reader._rule(self._batch_size, self._last_batch))

    def poll(self) -> Item | None:
        """The next batch."""
        if self._rule is None:
            self._open()
        assert self._rule is not None
        while self._unpolled > 0:
            outputs, after = self._reader._read_at(self._rule, self._position, single=False)
            self._position = after
            self._unpolled -= 1
            if outputs is not None:
                return Item(outputs, after)
        return None

    def _open(self) -> None:
        reader = self._reader
        if reader._usage.mode(self._batch_size) == "samples":
            raise ArgumentError(f"{self.name}: capture=True and sharding need a batch_size.")
        reader._bind(self._batch_size)
        self._rule = reader._rule(self._batch_size, self._last_batch)
        self._position = self._handed = reader._position
        self._length = self._left = self._unpolled = reader._batches_ahead(self._rule)

    def deliver(self, item: Item) -> None:
        """The reader moves behind the batch."""
        # A batch of which nothing could be read counts, but is not handed out.
        self._left -= item.after.drawn - self._handed.drawn
        self._reader._report.enter(item.after.epoch)
        self._reader._position = self._handed = item.after
        self._is_moved = False

    def moved(self) -> bool:
        """Whether the reader was reset, restored, read elsewhere or closed."""
        if self._rule is None:
            return False
        return self._reader._position is not self._handed or self._reader._closed

    def rewind(self) -> None:
        """Polls again from where the reader stands."""
        if self._rule is not None:
            self._is_moved = self._is_moved or self.moved()
            self._position = self._handed = self._reader._position
            self._unpolled = self._left
            self._beyond = None

    def place(self) -> Any:
        """How the epoch is cut, and the reader's position."""
        if self._rule is None:
            self._open()
        return self._rule, self._reader._position

    def poll_beyond(self) -> Item | None:
        """The next batch of the epoch that follows."""
        assert self._rule is not None
        if self._reader._skips:
            return None  # the reader's report is of one epoch
        if self._beyond is None:
            self._beyond = self._rule.finish(self._position)
            self._unpolled_beyond = self._rule.batches(self._beyond)
        if not self._unpolled_beyond:
            return None
        outputs, self._beyond = self._reader._read_at(self._rule, self._beyond, single=False)
        self._unpolled_beyond -= 1
        return Item(outputs, self._beyond)

    def take_over(self, items: list[Item]) -> None:
        """Polls on behind them."""
        self._position = items[-1].after
        self._unpolled -= len(items)

    def finish(self) -> None:
        """Notes the end of the epoch."""
        if self._rule is None:
            return
        moved = self._is_moved or self.moved()
        if not moved:
            self._reader._report.enter(self._position.epoch)
            self._reader._position = self._position
        self._reader._finish_epoch(self._rule, moved=moved)
