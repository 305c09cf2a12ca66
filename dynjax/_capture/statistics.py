"""Where a captured loop spends its time."""

import time
from typing import final


@final
class Statistics:
    """Seconds in the body and between bodies, summed over steps.

    Attributes:
        steps: bodies that were entered.
        waiting: time that the loop took to deliver its steps.
        body: time in the body.
    """

    __slots__ = ("_entered", "body", "steps", "waiting")

    def __init__(self):
        self.steps = 0
        self.waiting = 0.0
        self.body = 0.0
        self._entered: float | None = None

    def body_starts(self, since: float) -> None:
        """A step is handed to the body; `since` is when it was asked for."""
        self._entered = time.perf_counter()
        self.steps += 1
        self.waiting += self._entered - since

    def body_over(self, now: float) -> None:
        """The body asks for the next step."""
        if self._entered is not None:
            self.body += now - self._entered
            self._entered = None
