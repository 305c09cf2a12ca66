"""Where a captured loop spends its time."""

import time
from typing import final

from .._execution.compiles import compiles


@final
class Statistics:
    """Seconds in the body and between bodies, summed over steps.

    Attributes:
        steps: bodies that were entered.
        waiting: time that the loop took to deliver its steps.
        body: time in the body.
        compiles, compiling: programs that were compiled, and the seconds that this took.
        peak: the most bytes of results that lay ready, as far as known.
    """

    __slots__ = (
        *("_entered", "_compiles", "_compiling", "body", "compiles", "compiling", "peak", "steps"),
        "waiting",
    )

    def __init__(self):
        self.steps = 0
        self.waiting = 0.0
        self.body = 0.0
        self.compiles = 0
        self.compiling = 0.0
        self.peak = 0
        self._compiles = 0
        self._compiling = 0.0
        self._entered: float | None = None

    def body_starts(self, since: float) -> None:
        """A step is handed to the body; `since` is when it was asked for."""
        self._entered = time.perf_counter()
        self.steps += 1
        self.waiting += self._entered - since
        self._compiles = compiles.count
        self._compiling = compiles.seconds

    def body_over(self, now: float) -> None:
        """The body asks for the next step."""
        if self._entered is not None:
            self.body += now - self._entered
            self._entered = None
            self.compiles += compiles.count - self._compiles
            self.compiling += compiles.seconds - self._compiling
