"""`Step`: one run of a loop's body: what the source gave, and the results computed ahead."""

import weakref
from collections.abc import Iterator, Mapping
from typing import Any, final

from .._types.data import Data
from .attempt import Failure
from .draws import Position, foretold
from .nodes import Node, Value
from .plan import Plan
from .results import Result, Values
from .work import StepWork


def parts(outputs: Any) -> dict[Any, Data]:
    """The values in what a source gives: by number, or by name."""
    if isinstance(outputs, Mapping):
        return dict(outputs)
    if isinstance(outputs, tuple):
        return dict(enumerate(outputs))
    return {0: outputs}


def fed_parts(feeder: Any, outputs: Any) -> Iterator[tuple[Any, Data]]:
    """The values in what a feeder gives, each with what tells it from others; none of a Failure.

    That includes the kind: a feeder may give a Tensor now and a Batch then.
    """
    if not isinstance(outputs, Failure):
        for index, data in parts(outputs).items():
            yield (feeder, index, type(data)), data


@final
class Item:
    """What was polled for one step.

    Attributes:
        outputs: what the loop hands to the body.
        after: the position of the source behind it, or what it takes back; None: nothing came.
        fed, taken: what the feeders gave, or the Failure, and what to give back to them.
        failure: what went wrong instead.
    """

    __slots__ = ("after", "failure", "fed", "outputs", "taken")

    def __init__(self, outputs: Any, after: Any = None):
        self.outputs = outputs
        self.after = after
        self.failure: Failure | None = None
        self.fed: dict[Any, Any] = {}
        self.taken: dict[Any, Any] = {}

    @classmethod
    def failed(cls, failure: Failure) -> "Item":
        """What polling raised."""
        item = cls(())
        item.failure = failure
        return item

    @property
    def back(self) -> Any:
        """What a source takes back: the item, or the failure of polling it."""
        return self.failure if self.after is None else self.after


@final
class Step:
    """A step that was polled; what `launch` gives computes its part of the plan.

    Attributes:
        known: values of this step that the body holds, by their objects' identity.
        made: what the body was handed, by call; asked twice, it gets the same.
        called: these calls in their order.
        handed: what it was handed that it has not asked the values of.
        values: what was polled and what is computed ahead.
        samples: which samples the polled values hold, where the source says so.
        begin: where generators were expected to stand.
    """

    def __init__(self, plan: Plan, item: Item):
        self.item = item
        self.known: dict[int, tuple[Data, Value]] = {}
        self.made: dict[Node, tuple[Data, ...]] = {}
        self.called: list[Node] = []
        self.handed: list[tuple[Node, weakref.ref[Data]]] = []
        self.values = Values()
        self.samples: dict[Value | None, Any] = {}
        self.begin: dict[Any, Position] = {}
        self.cancelled = False
        self.nbytes = 0  # memory of the results that are there
        self.weight = 0  # bytes that were read and computed for it, as far as known
        for index, data in parts(item.outputs).items():
            value = plan.source_value(index)
            self.know(data, value)
            self._poll(value, data)
        for feeder, outputs in item.fed.items():
            for origin, data in fed_parts(feeder, outputs):
                self._poll(plan.source_value(origin), data)

    def _poll(self, value: Value, data: Any) -> None:
        self.values.polled[value] = data
        self.samples[value] = data.source if isinstance(data, Data) else None

    def know(self, data: Any, value: Value) -> None:
        """Notes that an object the body holds is a value of this step."""
        if isinstance(data, Data):
            self.known[id(data)] = data, value

    def forget(self) -> None:
        """The body has ended: what it was handed is only its own now."""
        self.known.clear()
        self.made.clear()

    def count_unused(self) -> None:
        """Notes which results the body neither asked for nor kept."""
        kept: dict[Node, bool] = {}
        for node, data in self.handed:
            kept[node] = kept.get(node, False) or node.wanted or data() is not None
        for node, is_kept in kept.items():
            node.unused = 0 if is_kept else node.unused + 1

    def launch(
        self, plan: Plan, begin: dict[Any, Position], nbytes: int, threads: int
    ) -> StepWork | None:
        """What computes the plan's active calls, or None if there are none.

        Args:
            plan: the calls.
            begin: where generators are expected to stand.
            nbytes: what the results will probably take.
            threads: how many work on it.
        """
        self.begin = begin
        values, results = self.values, self.values.results
        complete = plan.read <= values.polled.keys() and plan.rngs <= begin.keys()
        for node, used in plan.order:
            words = None
            if node.draw is not None:
                where = begin.get(node.draw.rng)
                if where is None:
                    continue
                words = foretold(where, node.draw.offset)
            # Else an input is not computed ahead in this step.
            if complete or all(map(values.has, used)):
                results[node] = Result(node, used, values, words)
        return StepWork(self, plan.units, nbytes, threads) if results else None

    def cancel(self) -> None:
        """Stops what is being computed."""
        self.cancelled = True
