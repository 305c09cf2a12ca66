"""`on_error="skip"`: going on without samples that cannot be read."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from .epochs import Step
from .source import Output, ReadError, Source


@final
@dataclass(frozen=True)
class Skipped:
    """A sample that could not be read or decoded.

    Attributes:
        epoch: in which epoch.
        index: its number in the data source.
        name: its path, or what else names it.
        reason: why.
    """

    epoch: int
    index: int
    name: str
    reason: str


@final
class SkipReport:
    """The samples of an epoch that could not be used, each once however often it was tried.

    Batches of the next epoch may be read before the last ones of this are handed out.
    """

    def __init__(self, label: str):
        self._label = label
        self._epoch = 0
        self._found: dict[int, dict[int, Skipped]] = {}  # by epoch and sample

    @property
    def found(self) -> list[Skipped]:
        """Those of the epoch of which a batch was handed out last."""
        return list(self._found.get(self._epoch, {}).values())

    def enter(self, epoch: int) -> None:
        """A batch of an epoch is handed out."""
        if epoch != self._epoch:
            ahead = {k: found for k, found in self._found.items() if k >= epoch > self._epoch}
            self._epoch, self._found = epoch, ahead

    def note_unread(self, source: Source, epoch: int, error: ReadError) -> None:
        """Notes a sample that could not be read."""
        self._note(source, epoch, error.index, error.reason)

    def note_undecoded(self, source: Source, epoch: int, index: int, reason: str) -> None:
        """Notes a sample that was read and could not be decoded."""
        self._note(source, epoch, index, f"{reason}.")

    def _note(self, source: Source, epoch: int, index: int, reason: str) -> None:
        if epoch >= self._epoch:
            name = source.name(index).decode(errors="replace")
            found = self._found.setdefault(epoch, {})
            found[index] = Skipped(epoch, index, name, reason)

    def finish(self) -> None:
        """Warns, once for the whole epoch."""
        if found := self.found:
            first = found[0]
            warnings.warn(
                f"{self._label}: {len(found)} samples of epoch {self._epoch} could not be "
                f"read or decoded; the first: {first.name!r}: {first.reason} All are in "
                "`skipped`.",
                RuntimeWarning,
                stacklevel=4,
            )


def read_rest(
    source: Source, step: Step, first: ReadError, note: Callable[[ReadError], None], *, refill: bool
) -> tuple[Step, tuple[Output, ...] | None]:
    """The samples of a batch that can be read.

    Args:
        source: where they are.
        step: the batch, of which a sample failed.
        first: its error.
        note: is told of each sample that fails.
        refill: keep the batch size: the last good sample takes the place of those that failed, not
            valid.

    Returns:
        The batch without them, and its outputs: None if nothing is left.
    """
    error: ReadError | None = first
    outputs: tuple[Output, ...] | None = None
    size = len(step.indices)
    while error is not None:
        note(error)
        good = step.indices != error.index
        step = replace(
            step,
            indices=step.indices[good],
            valid=None if step.valid is None else step.valid[good],
        )
        if not len(step.indices) or (step.valid is not None and not step.valid.any()):
            return step, None
        try:
            outputs, error = source.request(step.indices).result(), None
        except ReadError as next_error:
            error = next_error
    if refill:
        missing = size - len(step.indices)
        valid = np.ones(len(step.indices), bool) if step.valid is None else step.valid
        indices = np.concatenate([step.indices, np.full(missing, step.indices[-1])])
        step = replace(step, indices=indices, valid=np.append(valid, np.zeros(missing, bool)))
        outputs = source.request(indices).result()
    return step, outputs
