"""What a step draws from random generators, so that the draws of later steps can be foretold.

A draw is a function of the generator's seed and position alone. A step that draws as the one
before it did starts where that one ended; a wrong guess is noticed and costs a recomputation.
"""

from collections.abc import Container, Iterable
from typing import Any, final

import numpy as np

from .._random.rng import RNG, words_at
from .nodes import Draw

Position = tuple[int, int]


@final
class Tracked:
    """A generator that captured calls draw from.

    Attributes:
        begin: where it stood when the body started, or at its first draw.
        per_step: the number of words that a step draws; None until one has ended.
        calls: the random calls of this step so far.
    """

    __slots__ = ("begin", "calls", "per_step", "rng")

    def __init__(self, rng: RNG):
        self.rng = rng
        self.begin: Position = rng.position
        self.per_step: int | None = None
        self.calls = 0

    def start(self) -> None:
        """The body starts."""
        self.begin = self.rng.position
        self.calls = 0

    def next_draw(self) -> Draw:
        """The place of a random call that is about to draw."""
        self.calls += 1
        return Draw(self.rng, self.calls, self.rng.position[1] - self.begin[1])

    def end(self) -> None:
        """The body has ended."""
        key, index = self.rng.position
        if key == self.begin[0] and index >= self.begin[1]:
            self.per_step = index - self.begin[1]

    def expected(self, steps: int) -> Position:
        """Where the body will find it, `steps` steps from where it stands now."""
        key, index = self.rng.position
        return key, index + steps * (self.per_step or 0)


@final
class Generators:
    """The generators that the calls of a loop's body draw from."""

    def __init__(self):
        self._tracked: dict[RNG, Tracked] = {}

    def next_draw(self, rng: RNG) -> Draw:
        """The place of a random call that is about to draw."""
        tracked = self._tracked.get(rng)
        if tracked is None:
            tracked = self._tracked[rng] = Tracked(rng)
        return tracked.next_draw()

    def start(self) -> None:
        """The body starts."""
        for tracked in self._tracked.values():
            tracked.start()

    def end(self, needed: Container[RNG]) -> None:
        """The body has ended; generators that it did not use and nobody needs are forgotten."""
        for rng, tracked in list(self._tracked.items()):
            tracked.end()
            if not tracked.calls and rng not in needed:
                del self._tracked[rng]

    def expected(self, rngs: Iterable[RNG], steps: int) -> dict[RNG, Position]:
        """Where the body will find generators, `steps` steps from where they stand now."""
        return {r: self._tracked[r].expected(steps) for r in rngs if r in self._tracked}


def foretold(begin: Position, offset: int) -> np.ndarray:
    """The key of the call that is `offset` words into a step."""
    return np.array(words_at(begin[0], begin[1] + offset, 2), np.uint32)


def same(a: np.ndarray | None, b: Any) -> bool:
    """Whether two keys are equal."""
    return a is not None and a[0] == b[0] and a[1] == b[1]
