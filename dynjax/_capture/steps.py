"""`Step`: one run of a loop's body: what the source gave, and the results computed ahead."""

import weakref
from collections.abc import Mapping
from typing import Any, final

from .._execution import queue
from .._execution.context import limited
from .._execution.fusion import Program
from .._types.data import Data
from .draws import Position, foretold
from .nodes import Node, Value
from .plan import Plan, Unit
from .results import Result, Values


def parts(outputs: Any) -> dict[Any, Data]:
    """The values in what a source gives: by number, or by name."""
    if isinstance(outputs, Mapping):
        return dict(outputs)
    if isinstance(outputs, tuple):
        return dict(enumerate(outputs))
    return {0: outputs}


@final
class Item:
    """What was polled for one step.

    Attributes:
        outputs: what the loop hands to the body.
        after: the position of the source behind it.
        fed, taken: what the feeders gave, and what to give back to them.
        error: what went wrong instead.
    """

    __slots__ = ("after", "error", "fed", "outputs", "taken")

    def __init__(self, outputs: Any, after: Any = None, error: BaseException | None = None):
        self.outputs = outputs
        self.after = after
        self.error = error
        self.fed: dict[Any, Any] = {}
        self.taken: dict[Any, Any] = {}


@final
class Step:
    """A step that was polled; `launch` computes its part of the plan in the background.

    Attributes:
        known: values of this step that the body holds, by their objects' identity.
        made: what the body was handed, by content; asked twice, it gets the same.
        values: what was polled and what is computed ahead.
        begin: where generators were expected to stand.
    """

    def __init__(self, plan: Plan, item: Item):
        self.item = item
        self.known: dict[int, tuple[Data, Value]] = {}
        self.made: dict[Any, Any] = {}
        self.handed: list[tuple[Node, list[weakref.ref[Data]]]] = []
        self.values = Values()
        self.begin: dict[Any, Position] = {}
        self.cancelled = False
        for index, data in parts(item.outputs).items():
            self.know(data, plan.source_value(index))
            self.values.polled[plan.source_value(index)] = data
        for feeder, outputs in item.fed.items():
            for index, data in parts(outputs).items():
                self.values.polled[plan.source_value((feeder, index))] = data

    def know(self, data: Any, value: Value) -> None:
        """Notes that an object the body holds is a value of this step."""
        if isinstance(data, Data):
            self.known[id(data)] = data, value

    def forget(self) -> None:
        """The body has ended: what it was handed is only its own now."""
        self.known.clear()
        self.made.clear()

    def identity(self, value: Value | None) -> Any:
        """Which samples a value holds, if its source says so."""
        data = None if value is None else self.values.polled.get(value)
        return None if data is None else data.source

    def launch(self, plan: Plan, begin: dict[Any, Position], nbytes: int, threads: int) -> None:
        """Starts to compute the plan's active calls."""
        self.begin = begin
        values, results = self.values, self.values.results
        for node, used in plan.order:
            words = None
            if node.draw is not None:
                where = begin.get(node.draw.rng)
                if where is None:
                    continue
                words = foretold(where, node.draw.offset)
            if all(map(values.has, used)):  # else an input is not computed ahead in this step
                results[node] = Result(node, values, words)
        if results:
            work = _Work(self, plan.units, threads)
            queue.submit(work.run, nbytes, work.abandon)

    def cancel(self) -> None:
        """Stops what is being computed."""
        self.cancelled = True

    def nbytes(self) -> int:
        """Memory of the results that are there."""
        return sum(r.nbytes for r in self.values.results.values())


@final
class _Work:
    """The background part of a step."""

    def __init__(self, step: Step, units: list[Unit], threads: int):
        self._step = step
        self._values = step.values
        self._results = step.values.results
        self._units = units
        self._threads = threads

    def run(self) -> None:
        results = self._results
        needed = {n for unit in self._units for n in unit.nodes}
        for node, result in results.items():
            if node not in needed:
                result.postpone()
        with limited(self._threads):
            for unit in self._units:
                if self._step.cancelled:
                    self.abandon("the loop was left")
                    return
                self._compute(unit)
                for node in unit.over:
                    if node in results and not node.wanted:
                        results[node].drop()
        for result in results.values():
            if result.is_there:
                result.settle()

    def _compute(self, unit: Unit) -> None:
        results = [self._results[n] for n in unit.nodes if n in self._results]
        if unit.program is not None and len(results) == len(unit.nodes):
            try:
                self._run_program(unit, unit.program)
            except Exception:
                # Each call by itself says better what is wrong, if it is.
                unit.give_up()
        for result in results:
            if not result.is_done:
                result.run()

    def _run_program(self, unit: Unit, program: Program) -> None:
        inputs = list(map(self._values.data, unit.inputs))
        keys = [k for n in unit.nodes if (k := self._results[n].words) is not None]
        made = iter(program(inputs, keys))
        for node in unit.outputs:
            data = tuple(next(made) for _ in node.values)
            for d, value in zip(data, node.values, strict=True):
                d._source = self._step.identity(value.origin)
            self._results[node].deliver(data)
        for node in unit.nodes:
            if not self._results[node].is_done:
                self._results[node].postpone()

    def abandon(self, why: str) -> None:
        """Ends the waiting for what will not be computed."""
        for result in self._results.values():
            result.abandon(why)
