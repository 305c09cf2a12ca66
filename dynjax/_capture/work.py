"""`Work`: what is computed ahead, in the background, of one step or of several small ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from .._execution import queue
from .._execution.chains import Chain
from .._execution.context import limited
from .._execution.fusion import Program
from .._types.batch import Batch
from .._types.data import Data
from .nodes import Node, Value
from .results import Result, Values
from .units import Unit

if TYPE_CHECKING:
    from .steps import Step


@final
class StepWork:
    """The results of one step, and how they are computed.

    Attributes:
        step: the step.
        values, results: of the step.
        units: what is computed together, in order.
        nbytes: what the results will probably take.
        threads: how many work on it.
    """

    __slots__ = ("_computed", "nbytes", "results", "step", "threads", "units", "values")

    def __init__(self, step: "Step", units: list[Unit], nbytes: int, threads: int):
        self.step = step
        self.values: Values = step.values
        self.results: dict[Node, Result] = step.values.results
        self.units = units
        self.nbytes = nbytes
        self.threads = threads
        self._computed = 0  # bytes of all results, also of those that were let go

    @property
    def cancelled(self) -> bool:
        """Whether nobody will ask for the results."""
        return self.step.cancelled

    def begin(self, needed: set[Node]) -> None:
        """Puts off what only serves calls that are not computed; `needed` are those that are."""
        for node, result in self.results.items():
            if node not in needed:
                result.postpone()

    def compute(self, unit: Unit) -> None:
        """Computes a unit."""
        results = [self.results[n] for n in unit.nodes if n in self.results]
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
                self._computed += result.nbytes
        self.release(unit)

    def release(self, unit: Unit) -> None:
        """Lets go of what served only a unit that was computed."""
        for node in unit.over:
            if node in self.results and not node.wanted:
                self.results[node].drop()

    def finish(self) -> None:
        """All units were computed."""
        nbytes = 0
        for result in self.results.values():
            if result.is_there:
                result.settle()
                nbytes += result.nbytes
        self.step.nbytes = nbytes
        polled = self.values.polled.values()
        read = sum(d.storage.nbytes for d in polled if isinstance(d, Data) and d.pending is None)
        self.step.weight = self._computed + read

    def deliver(self, node: Node, data: Sequence[Data]) -> None:
        """Takes what was computed for a call."""
        for d, value in zip(data, node.values, strict=True):
            d._source = self.step.samples.get(value.origin)
            self._computed += d.storage.nbytes
        self.results[node].deliver(tuple(data))

    def _run_program(self, unit: Unit, program: Program) -> None:
        inputs = list(map(self.values.data, unit.inputs))
        keys = [k for n in unit.nodes if (k := self.results[n].words) is not None]
        made = iter(program(inputs, keys))
        for node in unit.outputs:
            self.deliver(node, [next(made) for _ in node.values])
        for node in unit.nodes:
            if not self.results[node].is_done:
                self.results[node].postpone()

    def _run_chain(self, unit: Unit, chain: Chain) -> None:
        try:
            made = chain([n.chained(self.values.data, self.results[n].words) for n in unit.nodes])
        except Exception:
            return  # one of these pictures is broken: each call by itself says better what is wrong
        if made is None:
            unit.give_up()
            return
        data, specs = made
        *inner, last = unit.nodes
        self.deliver(last, [data])
        for node, spec in zip(inner, specs, strict=False):
            self.results[node].postpone((spec,))

    def abandon(self, why: str) -> None:
        """Ends the waiting for what will not be computed."""
        for result in self.results.values():
            result.abandon(why)


@final
class Work:
    """A task of the background thread: one step, or several steps at once."""

    __slots__ = ("_steps",)

    def __init__(self, steps: Sequence[StepWork]):
        self._steps = steps

    def run(self) -> None:
        """Computes all units."""
        steps = self._steps
        known: dict[Value, Batch] = {}  # values of all steps as one batch
        needed = {n for unit in steps[0].units for n in unit.nodes}
        for step in steps:
            step.begin(needed)
        with limited(steps[0].threads):
            for unit in steps[0].units:
                if any(step.cancelled for step in steps):
                    steps = [step for step in steps if not step.cancelled]
                    known.clear()
                joint = unit.joint if len(steps) > 1 else None
                done = joint is not None and joint(steps, known)
                for step in steps:
                    step.release(unit) if done else step.compute(unit)
        for step in self._steps:
            if step.cancelled:
                step.abandon("the loop was left")
            step.finish()

    def abandon(self, why: str) -> None:
        """Ends the waiting for what will not be computed."""
        for step in self._steps:
            step.abandon(why)


@final
class Bundle:
    """Steps that were launched, and wait until there are enough to compute them together.

    Attributes:
        size: how many that is.
    """

    __slots__ = ("_waiting", "size")

    def __init__(self) -> None:
        self.size = 1
        self._waiting: list[StepWork] = []

    def add(self, work: StepWork) -> None:
        """Takes a step."""
        if self._waiting:
            first = self._waiting[0]
            if first.units is not work.units or first.threads != work.threads:
                self.submit()
        self._waiting.append(work)
        if len(self._waiting) >= self.size:
            self.submit()

    def expect(self, step: "Step") -> None:
        """Somebody will ask for the results of a step, which are computed now if they wait."""
        if any(work.step is step for work in self._waiting):
            self.submit()

    def submit(self) -> None:
        """Hands what waits to the background thread."""
        steps, self._waiting = self._waiting, []
        if steps:
            work = Work(steps)
            queue.submit(work.run, sum(step.nbytes for step in steps), work.abandon)

    def drop(self) -> None:
        """Forgets the steps, which were cancelled."""
        for work in self._waiting:
            work.abandon("the loop was left")
        self._waiting = []
