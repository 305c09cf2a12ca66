"""`Step`: one run of a loop's body: what the source gave, and the results computed ahead."""

import weakref
from collections.abc import Mapping
from typing import Any, final

from .._execution import queue
from .._execution.chains import Chain, ChainedCall
from .._execution.context import limited
from .._execution.fusion import Program
from .._types.data import Data
from .draws import Position, foretold
from .nodes import Node, Value
from .plan import Plan
from .results import Result, Values
from .units import Unit


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
        for index, data in parts(item.outputs).items():
            value = plan.source_value(index)
            self.know(data, value)
            self._poll(value, data)
        for feeder, outputs in item.fed.items():
            for index, data in parts(outputs).items():
                self._poll(plan.source_value((feeder, index)), data)

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

    def launch(self, plan: Plan, begin: dict[Any, Position], nbytes: int, threads: int) -> None:
        """Starts to compute the plan's active calls."""
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
        if results:
            work = _Work(self, plan.units, threads)
            queue.submit(work.run, nbytes, work.abandon)

    def cancel(self) -> None:
        """Stops what is being computed."""
        self.cancelled = True


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
        nbytes = 0
        for result in results.values():
            if result.is_there:
                result.settle()
                nbytes += result.nbytes
        self._step.nbytes = nbytes

    def _compute(self, unit: Unit) -> None:
        results = [self._results[n] for n in unit.nodes if n in self._results]
        if len(results) == len(unit.nodes):
            if unit.chain is not None:
                self._run_chain(unit, unit.chain)
            elif unit.program is not None:
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
                d._source = self._step.samples.get(value.origin)
            self._results[node].deliver(data)
        for node in unit.nodes:
            if not self._results[node].is_done:
                self._results[node].postpone()

    def _run_chain(self, unit: Unit, chain: Chain) -> None:
        try:
            made = chain([self._chained(n) for n in unit.nodes])
        except Exception:
            return  # one of these pictures is broken: each call by itself says better what is wrong
        if made is None:
            unit.give_up()
            return
        data, specs = made
        *inner, last = unit.nodes
        data._source = self._step.samples.get(last.values[0].origin)
        self._results[last].deliver((data,))
        for node, spec in zip(inner, specs, strict=False):
            self._results[node].postpone((spec,))

    def _chained(self, node: Node) -> ChainedCall:
        continues = node.record.chain == "continues"
        data = [None if continues and k == 0 else v for k, v in enumerate(node.inputs)]
        given, words = node.given, self._results[node].words
        if words is not None or not node.is_fixed:
            given = {name: self._values.data(v) for name, v in given.items()}
        if words is not None:
            given["key"] = words
        return ChainedCall(node.record, list(map(self._values.data, data)), given)

    def abandon(self, why: str) -> None:
        """Ends the waiting for what will not be computed."""
        for result in self._results.values():
            result.abandon(why)
