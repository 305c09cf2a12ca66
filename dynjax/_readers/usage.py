"""A reader is used in one way, and with one batch size, for its whole life."""

from typing import Literal, final

from .._types.errors import ArgumentError, OperatorError
from .arguments import integer

Mode = Literal["samples", "batches", "calls"]
_WAYS: dict[Mode, str] = {
    "samples": "sample by sample (next_epoch without a batch size)",
    "batches": "in batches (next_epoch with a batch size)",
    "calls": "by direct calls",
}


@final
class Usage:
    """What the first use of a reader fixed.

    Args:
        operator: the reader's name, for messages.
        max_batch_size: the constructor's argument; like all of them, checked at the first use.
    """

    def __init__(self, operator: str, max_batch_size: int | None):
        self._operator = operator
        self._max = max_batch_size
        self._mode: Mode | None = None
        self._fixed: int | None = None

    @property
    def used(self) -> bool:
        """Whether the reader was bound to a way of reading."""
        return self._mode is not None

    def mode(self, batch_size: int | None) -> Mode:
        """How `next_epoch(batch_size)` uses the reader."""
        return "samples" if batch_size is None and self._max is None else "batches"

    def size(self, batch_size: int | None) -> int:
        """The size of a batch: `batch_size`, or `max_batch_size`, or 1.

        Raises:
            TypeError: not an integer.
            OperatorError: not positive.
            ArgumentError: larger than `max_batch_size`, or not the size that was fixed.
        """
        limit = None if self._max is None else self._positive("max_batch_size", self._max)
        size = limit or 1 if batch_size is None else self._positive("batch_size", batch_size)
        if self._fixed is not None and size != self._fixed:
            raise ArgumentError(
                f"{self._operator}: batch_size={size}, but the first use of this reader fixed it "
                f"to {self._fixed}. Use that size, or another reader."
            )
        if limit is not None and size > limit:
            raise ArgumentError(
                f"{self._operator}: batch_size={size} is larger than max_batch_size={limit}. Pass "
                "at most that, or a larger max_batch_size to the constructor."
            )
        return size

    def fix_mode(self, mode: Mode) -> None:
        """Binds the reader to one way of use.

        Raises:
            OperatorError: it is bound to another one.
        """
        if self._mode is not None and self._mode != mode:
            raise OperatorError(
                f"{self._operator}: read {_WAYS[mode]}, after it was read {_WAYS[self._mode]}. "
                "Use a reader of its own for each way of reading."
            )
        self._mode = mode

    def fix_size(self, batch_size: int | None) -> int:
        """Binds the reader to a batch size, checked as `size` does."""
        self._fixed = self.size(batch_size)
        return self._fixed

    def metadata_size(self, batch_size: int | None) -> None:
        """Binds the reader to a batch size, unless it is bound already."""
        if self._fixed is None:
            self.fix_size(batch_size)

    def call_size(self, batch_size: int | None) -> int:
        """The size of a direct read.

        Raises:
            OperatorError: `batch_size` is not the one that was fixed.
        """
        self.fix_mode("calls")
        self.metadata_size(None)
        if batch_size is not None and self._positive("batch_size", batch_size) != self._fixed:
            raise OperatorError(
                f"{self._operator}: batch_size={batch_size} in a direct call; expected "
                f"{self._fixed}, as fixed before. Pass max_batch_size to the constructor."
            )
        return self._fixed or 1

    def _positive(self, name: str, value: int) -> int:
        size = integer(self._operator, name, value)
        if size < 1:
            raise OperatorError(
                f"{self._operator}: {name} is {size}; expected at least 1. Leave it out to read "
                "single samples."
            )
        return size
