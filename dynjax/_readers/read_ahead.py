"""Requests for batches that will probably be wanted next."""

from collections import deque
from dataclasses import dataclass
from typing import final

from .epochs import EpochRule, Step
from .joint_request import JointRequest
from .order import Cursor
from .source import Output, Request, Source

# Batches of at most so many bytes are read several at once, and so many of them.
SMALL_BYTES = 1 << 17
TOGETHER = 4
# However small they are, no more batches wait.
MOST_WAITING = 1024


@final
@dataclass
class Limit:
    """The bound of what is being read and lies ready, the wanted batch counted."""

    bytes: int = 256 << 20


@final
class ReadAhead:
    """Keeps the reads of the next batches under way.

    Nothing depends on what was read ahead: a batch that is asked for at another place in the
    stream, or in another size, is requested afresh and what lay ready is dropped.

    Args:
        source: the samples.
        depth: the number of batches beyond the wanted one, at least 1; more than `MOST_WAITING`
            count as so many.
        limit: the bound for all of them together, taken from the size of the last batch.
    """

    def __init__(self, source: Source, depth: int, limit: Limit | None = None):
        self._source = source
        self._depth = min(depth, MOST_WAITING)
        self._limit = limit or Limit()
        self._last_bytes = 0
        self._waiting: deque[tuple[tuple[EpochRule, Cursor], Step, Request]] = deque()

    def take(self, rule: EpochRule, cursor: Cursor) -> tuple[Step, tuple[Output, ...]]:
        """The batch at a place, waited for.

        Raises:
            ReadError: a sample could not be read. Asking again reads it again.
        """
        if not self._waiting or self._waiting[0][0] != (rule, cursor):
            self.drop()
            self._request(rule, cursor)
        _, step, request = self._waiting.popleft()
        # Before the wait: the storage works on what comes next while the caller waits and computes.
        depth, together = self._reach()
        while len(self._waiting) + together <= depth:
            cursor = self._waiting[-1][1].after if self._waiting else step.after
            self._request(rule, cursor, together)
        outputs = request.result()
        self._last_bytes = sum(output.nbytes for output in outputs)
        return step, outputs

    def drop(self) -> None:
        """Cancels what is under way."""
        self._waiting.clear()

    def _reach(self) -> tuple[int, int]:
        """How many batches may wait, and how many of them one request reads."""
        if not self._last_bytes:
            return self._depth, 1
        fitting = self._limit.bytes // self._last_bytes - 1
        if self._source.joins and self._last_bytes <= SMALL_BYTES and fitting >= 2 * TOGETHER:
            return min(max(self._depth, 2 * TOGETHER), fitting), TOGETHER
        return min(self._depth, fitting), 1

    def _request(self, rule: EpochRule, cursor: Cursor, count: int = 1) -> None:
        places, steps = [], []
        for _ in range(count):
            places.append((rule, cursor))
            steps.append(rule.step(cursor))
            cursor = steps[-1].after
        batches = [step.indices for step in steps]
        if count == 1:
            requests = [self._source.request(batches[0])]
        else:
            requests = JointRequest(self._source, batches).parts()
        self._waiting.extend(zip(places, steps, requests, strict=True))
