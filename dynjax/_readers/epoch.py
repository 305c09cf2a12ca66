"""What `next_epoch` returns: an iterator over the batches or samples of one epoch."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, final

from .epochs import EpochRule, LastBatch, Position

if TYPE_CHECKING:
    from .reader import Reader


@final
class Epoch(Iterator[Any]):
    """One epoch of a reader; its length is the number of its batches, or samples.

    It may be left at any time: the reader stands behind the last batch that was handed out, and the
    next epoch goes on there. After an error the reader still stands before the batch that failed,
    and `next` tries that one again. A reader that was reset or restored in the last step stands
    there when the epoch is over.
    """

    def __init__(self, reader: "Reader", batch_size: int | None, last_batch: LastBatch):
        self._reader = reader
        self._batch_size = batch_size
        self._single = reader._usage.mode(batch_size) == "samples"
        self._last_batch: LastBatch = last_batch
        self._rule: EpochRule | None = None  # until the first `next`, which binds the reader
        self._length = self._left = 0
        self._position = Position()  # behind what was read
        self._over = False

    def __iter__(self) -> "Epoch":
        return self

    def __len__(self) -> int:
        """The number of batches of the whole epoch.

        Raises:
            OperatorError: the data cannot be opened.
        """
        if self._rule is not None:
            return self._length
        return self._reader._batches_ahead(self._reader._rule(self._batch_size, self._last_batch))

    def __next__(self) -> Any:
        if self._over:
            raise StopIteration
        if self._rule is None:
            self._reader._bind(self._batch_size)
            self._rule = self._reader._rule(self._batch_size, self._last_batch)
            self._length = self._left = self._reader._batches_ahead(self._rule)
            self._position = self._reader._position
        while self._left > 0:
            outputs = self._reader._read(self._rule, single=self._single)
            self._position = self._reader._position
            self._left -= 1
            if outputs is not None:
                return outputs
        self._over = True
        moved = self._reader._position is not self._position
        self._reader._finish_epoch(self._rule, moved=moved)
        raise StopIteration

    def close(self) -> None:
        """Leaves the epoch, which gives nothing more; the reader may be used on."""
        self._over = True
