"""`Root`: what drives a captured loop."""

from abc import ABC, abstractmethod
from typing import Any

from .plan import Plan
from .steps import Item


class Root(ABC):
    """A source of steps. Polled ahead of the body, always in the loop's own thread.

    Attributes:
        name: for messages.
        plan: what is known of the body; kept by the source over its epochs.
        polls_freely: whether to poll many steps ahead of the body has no effect that anybody sees.
    """

    name: str
    plan: Plan
    polls_freely = False

    @abstractmethod
    def poll(self) -> Item | None:
        """The next item behind those that were polled; None at the end of the epoch.

        Raises:
            Exception: what the source raises; the next call tries the same item again.
        """

    @abstractmethod
    def deliver(self, item: Item) -> None:
        """An item is handed to the body: the source now stands behind it."""

    def moved(self) -> bool:
        """Whether somebody moved the source, so that what was polled is void."""
        return False

    def rewind(self) -> None:  # noqa: B027 sources that cannot go back keep their items
        """Polls again from where the source stands."""

    def give_back(self, items: list[Any]) -> None:  # noqa: B027 most sources lose nothing
        """Takes back what was polled and not handed out."""

    def place(self) -> Any:
        """Where the source stands; items that come after equal places are equal. None: unknown."""
        return None

    def poll_beyond(self) -> Item | None:
        """An item of the epoch that follows the current one, all of whose items were polled."""
        return None

    def take_over(self, items: list[Item]) -> None:
        """These items, polled beyond the epoch before, are the first of this one."""
        raise NotImplementedError

    def finish(self) -> None:  # noqa: B027
        """The epoch was iterated to its end."""

    def leave(self) -> None:  # noqa: B027
        """The loop ends early."""

    def length(self) -> int:
        """The number of steps of an epoch."""
        raise TypeError(f"{self.name}: the number of steps is not known.")
