"""Sources that are called in the body of a captured loop: read once in each step, polled ahead."""

from typing import Any, Protocol

from .._types.errors import OperatorError
from .attempt import Failure, attempt
from .steps import Item


class Feeder(Protocol):
    """What a feeder offers to the loop that it belongs to."""

    name: str

    def claim(self, owner: object) -> None:
        """Binds it to a loop. Raises OperatorError if it is used otherwise."""
        ...

    def release(self) -> None:
        """It may be used otherwise again."""
        ...

    def poll(self, batch_size: int | None) -> tuple[Any, Any]:
        """The next outputs, and the item to give back. Raises StopIteration when there are none."""
        ...

    def give_back(self, items: list[Any]) -> None:
        """Takes back items that were polled and not read, the earliest first, and failures."""
        ...


class FeederRules:
    """The feeders of one loop, and whether the body keeps to their rules.

    Args:
        name: of the loop, for messages.
        owner: what feeders belong to until they are released.
    """

    def __init__(self, name: str, owner: object):
        self._name = name
        self._owner = owner
        self._sizes: dict[Feeder, int | None] = {}
        self._read: set[Any] = set()

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self._sizes)

    def knows(self, feeder: Feeder) -> bool:
        """Whether it was read in this loop."""
        return feeder in self._sizes

    def read(self, feeder: Feeder, item: Item, batch_size: int | None, first: bool) -> Any:
        """What the feeder gives in this step, or its Failure.

        Raises:
            OperatorError: it is read twice in a step, was not read in the first one, or belongs to
                another loop.
        """
        if feeder not in self._sizes:
            if not first:
                raise OperatorError(
                    f"{feeder.name}: first read after the first step of {self._name}. Read it in "
                    "each step."
                )
            feeder.claim(self._owner)
            self._sizes[feeder] = batch_size
            try:
                self._poll(item, feeder)
            except BaseException:  # an interrupt: the next read is the first one again
                del self._sizes[feeder]
                feeder.release()
                raise
            if _has_ended(item.fed[feeder]):
                raise OperatorError(f"{feeder.name}: has no data for {self._name}.")
        elif feeder in self._read:
            raise OperatorError(
                f"{feeder.name}: read twice in a step of {self._name}. Read it once, and use the "
                "result again. If you left that loop: close it, with its `close`."
            )
        elif batch_size != self._sizes[feeder]:
            raise OperatorError(
                f"{feeder.name}: batch_size={batch_size}; the first step of {self._name} read it "
                f"with {self._sizes[feeder]}."
            )
        elif feeder not in item.fed:
            self._poll(item, feeder)
            if _has_ended(item.fed[feeder]):
                raise self._ran_out(feeder)
        self._read.add(feeder)
        return item.fed[feeder]

    def unread(self, item: Item) -> OperatorError | None:
        """The step has ended: the error if a feeder was not read."""
        missing = [f for f in self._sizes if f not in self._read]
        if not missing:
            self._read.clear()
            return None
        return OperatorError(
            f"{missing[0].name}: not read in a step of {self._name}. Read it once in each step."
        )

    def poll(self, item: Item, only: Feeder | None = None) -> bool:
        """Polls all feeders, or one, for a step ahead; what one raises is met where it is read.

        Returns:
            Whether none of them ran out. Else the step has failed.
        """
        for feeder in self._sizes if only is None else [only]:
            self._poll(item, feeder)
            if _has_ended(item.fed[feeder]):
                item.failure = Failure(self._ran_out(feeder))
                return False
        return True

    def forget_ends(self, item: Item) -> None:
        """That a feeder ran out was told."""
        item.fed = {feeder: made for feeder, made in item.fed.items() if not _has_ended(made)}

    def _poll(self, item: Item, feeder: Feeder) -> None:
        made = attempt(feeder.poll, self._sizes[feeder])
        if isinstance(made, Failure):
            item.fed[feeder] = made
        else:
            item.fed[feeder], item.taken[feeder] = made

    def _ran_out(self, feeder: Feeder) -> OperatorError:
        return OperatorError(
            f"{feeder.name}: ran out before {self._name}, which it feeds. Give it as many items as "
            "the loop has steps."
        )

    def give_back(self, items: list[Item]) -> None:
        """Items that were polled and not handed out go back to their feeders."""
        for feeder in self._sizes:
            feeder.give_back([_polled(item, feeder) for item in items if feeder in item.fed])

    def give_back_unread(self, item: Item) -> None:
        """The body of a step is left: feeders that it did not read get their item back."""
        for feeder in self._sizes:
            if feeder in item.fed and feeder not in self._read:
                feeder.give_back([_polled(item, feeder)])
                del item.fed[feeder]

    def release(self) -> None:
        """The loop has ended early: its feeders may be used otherwise."""
        for feeder in self._sizes:
            feeder.release()
        self._sizes.clear()
        self._read.clear()


def _has_ended(made: Any) -> bool:
    return isinstance(made, Failure) and isinstance(made.error, StopIteration)


def _polled(item: Item, feeder: Feeder) -> Any:
    """What a feeder takes back: its item, or its failure."""
    made = item.fed[feeder]
    return made if isinstance(made, Failure) else item.taken[feeder]
