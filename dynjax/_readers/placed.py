"""Epochs whose batches are handed out as placed arrays."""

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, final

import numpy as np

from .._capture.attempt import Failure, attempt
from .._capture.loop import CapturedLoop
from .captured import ReaderRoot
from .placement import Placement

if TYPE_CHECKING:
    from .reader import Reader


def _valid(outputs: Any) -> np.ndarray:
    first = next(iter(outputs.values() if isinstance(outputs, dict) else outputs))
    return first.valid


@final
class PlacedEpoch(Iterator[Any]):
    """One epoch as `Epoch` gives it, with arrays on their devices; some are on their way ahead.

    Attributes:
        valid: bool `[N]`, which samples that this process read of the batch handed out last count.
    """

    def __init__(self, reader: "Reader", root: ReaderRoot, placement: Placement, depth: int):
        self.valid = np.zeros(0, bool)
        self._reader = reader
        self._root = root
        self._placement = placement
        self._depth = depth
        self._ahead: deque[tuple[Any, Any, np.ndarray]] = deque()
        self._over = False

    def __len__(self) -> int:
        """The number of batches of the whole epoch."""
        return self._root.length()

    def __next__(self) -> Any:
        if self._over:
            raise StopIteration
        if self._root.moved():
            self._ahead.clear()
            self._root.rewind()
        self._fill()
        if not self._ahead:
            self._over = True
            self._root.finish()
            raise StopIteration
        item, placed, valid = self._ahead.popleft()
        if isinstance(placed, Failure):
            # The reader still stands before this batch, which is tried again.
            self._ahead.clear()
            self._root.rewind()
            placed.throw()
        self.valid = valid
        self._root.deliver(item)
        return placed

    def _fill(self) -> None:
        while len(self._ahead) <= self._depth:
            try:
                item = self._root.poll()
            except Exception:
                # It is met again, and raised, when its batch is due.
                if self._ahead:
                    return
                raise
            if item is None:
                return
            placed = attempt(self._placement.place, item.outputs, self._reader._shards)
            self._ahead.append((item, placed, _valid(item.outputs)))
            if isinstance(placed, Failure):
                return

    def close(self) -> None:
        """Leaves the epoch, which gives nothing more; the reader may be used on."""
        self._over = True
        self._ahead.clear()


@final
class PlacedLoop(Iterator[Any]):
    """A captured loop whose body is handed placed arrays; outputs without a target stay Batches.

    Attributes:
        valid: as in `PlacedEpoch`.
    """

    def __init__(
        self, reader: "Reader", root: ReaderRoot, placement: Placement, prefetch: int | None
    ):
        self.valid = np.zeros(0, bool)
        self._loop = CapturedLoop(
            root, prefetch, lambda outputs: placement.place(outputs, reader._shards)
        )

    def __len__(self) -> int:
        """The number of steps of the whole epoch."""
        return len(self._loop)

    def __next__(self) -> Any:
        placed = next(self._loop)
        step = self._loop.body.step
        assert step is not None
        self.valid = _valid(step.item.outputs)
        return placed

    def close(self) -> None:
        """Leaves the loop."""
        self._loop.close()
