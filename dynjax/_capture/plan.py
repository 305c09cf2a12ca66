"""`Plan`: the calls of a loop's body, learnt from the steps that ran."""

from typing import Any, final

from .._execution.fusion import FusedCall, Program, Slot, joined
from .._execution.preparation import as_input
from .._random.rng import RNG
from .._schema import Operator
from .._types.data import Data
from .draws import Generators
from .nodes import Node, Site, Value
from .statistics import Statistics

# A call that was made in two steps within this many is computed ahead from then on; one that was
# not made for so many is not any more.
MEMORY = 4
# A call whose words were foretold wrongly so often in a row is left to the body.
MAX_FAILED_DRAWS = 2


@final
class Unit:
    """Calls that are computed together: one eagerly, or several as one compiled program.

    Attributes:
        nodes: the calls.
        over: calls whose results nobody needs after this unit.
        program: what computes them; None: each by itself.
        inputs: what the program reads: values of the step, and constants. XLA would work with
            numbers that it knows, and round otherwise.
        outputs: calls whose results it gives.
    """

    __slots__ = ("inputs", "nodes", "outputs", "over", "program")

    def __init__(self, nodes: list[Node]):
        self.nodes = nodes
        self.over: list[Node] = []
        self.program: Program | None = None
        self.inputs: list[Value | Data] = []
        self.outputs: list[Node] = []

    def compile(self, delivered: set[Node]) -> None:
        """Makes one program of the calls, which gives the results of `delivered`."""
        places = {v: Slot(k, i) for k, n in enumerate(self.nodes) for i, v in enumerate(n.values)}
        inputs: dict[Any, Slot] = {}
        self.inputs = []

        def slot(x: Any) -> Any:
            if type(x) is not Value:
                return x
            return places.get(x) or outside(x, x)

        def outside(key: Any, x: Value | Data) -> Slot:
            if key not in inputs:
                inputs[key] = Slot(-1, len(inputs))
                self.inputs.append(x)
            return inputs[key]

        def operand(record: Operator, x: Any) -> Slot:
            return slot(x) if type(x) is Value else outside((type(x), id(x)), as_input(record, x))

        drawn = [n for n in self.nodes if n.draw is not None]
        calls = [
            FusedCall(
                *(n.record, tuple(operand(n.record, x) for x in n.inputs), n.batch_size),
                {name: slot(v) for name, v in n.given.items()},
                n.dtypes,
                drawn.index(n) if n.draw is not None else -1,
            )
            for n in self.nodes
        ]
        self.outputs = [n for n in self.nodes if n in delivered]
        self.program = joined(calls, [places[v] for n in self.outputs for v in n.values])

    def give_up(self) -> None:
        """Computes the calls one by one from now on."""
        self.program = None
        for node in self.nodes:
            node.joins = False


@final
class Plan:
    """What is known of a loop's body. Lives as long as its source, over many epochs.

    Attributes:
        nodes: calls by content, in an order in which they can be computed.
        sites: places in the source text, for the report.
        traced: whether a first step has ended.
        steps: how many have.
        order: the calls that are computed ahead, and the values that each of them reads.
        units: those of them that somebody needs, as they are computed.
        rngs: the generators that it draws from.
        generators: those that the body draws from, and what a step draws.
        statistics: of all epochs.
    """

    __slots__ = (
        *("_sources", "_uses", "generators", "nodes", "order", "rngs", "sites", "statistics"),
        *("steps", "traced", "units"),
    )

    def __init__(self):
        self.nodes: dict[Any, Node] = {}
        self.sites: dict[Any, Site] = {}
        self.order: list[tuple[Node, list[Value]]] = []
        self.units: list[Unit] = []
        self.rngs: set[RNG] = set()
        self.generators = Generators()
        self.statistics = Statistics()
        self._sources: dict[Any, Value] = {}
        self._uses: list[tuple[bool, bool]] = []
        self.traced = False
        self.steps = 0

    def source_value(self, origin: Any) -> Value:
        """The value of one output of the source (its index) or of a feeder (and its index)."""
        value = self._sources.get(origin)
        if value is None:
            value = self._sources[origin] = Value(None, origin, None)
        return value

    def site(self, operator: str, filename: str, line: int) -> Site:
        """The record of a place in the source text."""
        key = (operator, filename, line)
        site = self.sites.get(key)
        if site is None:
            site = self.sites[key] = Site(operator, filename, line)
        return site

    def end_step(self) -> None:
        """Decides what the next steps compute ahead."""
        step = self.steps
        first = not self.traced
        changed = False
        uses: list[tuple[bool, bool]] = []
        for key, node in list(self.nodes.items()):
            active = node.active
            if node.last == step:
                node.seen += 1
                active = active or first or node.seen > 1
            elif step - node.last >= MEMORY:
                active = False
                node.seen = 0
            if node.failed_draws > MAX_FAILED_DRAWS:
                active = False
            changed |= active != node.active
            node.active = active
            uses.append((node.is_wanted, node.is_kept))
            if not active and step - node.last >= (1 if node.held is not None else MEMORY):
                del self.nodes[key]
        self.traced = True
        self.steps += 1
        if changed or uses != self._uses:
            self._uses = uses
            self._arrange()

    def _arrange(self) -> None:
        """Puts the active nodes whose inputs can be had in order, and joins what compiles."""
        ready: set[Value] = set(self._sources.values())
        order: list[Node] = []
        waiting = [n for n in self.nodes.values() if n.active]
        while waiting:
            # A node that was seen first in a later step may stand before one that it needs.
            found, waiting = _ready(waiting, ready)
            if not found:
                break
            order += found
        consumers: dict[Node, list[Node]] = {n: [] for n in order}
        for node in order:
            for value in node.used():
                if value.node is not None:
                    consumers[value.node].append(node)
        needed: set[Node] = set()
        for node in reversed(order):
            used = consumers[node]
            if node.is_wanted or (node.is_kept if not used else any(n in needed for n in used)):
                needed.add(node)
        self.order = [(n, n.used()) for n in order]
        self.units = _units([n for n in order if n in needed], set(self._sources.values()))
        self._finish_units(consumers, needed)
        self.rngs = {n.draw.rng for n in order if n.draw is not None}

    def _finish_units(self, consumers: dict[Node, list[Node]], needed: set[Node]) -> None:
        place = {n: k for k, unit in enumerate(self.units) for n in unit.nodes}
        for k, unit in enumerate(self.units):
            delivered = set()
            for node in unit.nodes:
                used = [place[n] for n in consumers[node] if n in needed]
                outside = [p for p in used if p != k]
                if outside:
                    self.units[max(outside)].over.append(node)
                if outside or not used or node.is_wanted:
                    delivered.add(node)
            if len(unit.nodes) > 1:
                unit.compile(delivered)


def _ready(nodes: list[Node], ready: set[Value]) -> tuple[list[Node], list[Node]]:
    """The nodes whose inputs are in `ready`, to which theirs are added; and the others."""
    found, others = [], []
    for node in nodes:
        if all(v in ready for v in node.used()):
            found.append(node)
            ready.update(node.values)
        else:
            others.append(node)
    return found, others


def _units(nodes: list[Node], ready: set[Value]) -> list[Unit]:
    """Joins calls that compile as far as their order allows."""
    units: list[Unit] = []
    waiting = nodes
    while waiting:
        alone, rest = _ready([n for n in waiting if not n.joins], ready)
        units += [Unit([n]) for n in alone]
        joined, _ = _ready([n for n in waiting if n.joins], ready)
        if joined:
            units.append(Unit(joined))
        taken = {*alone, *joined}
        waiting = [n for n in waiting if n not in taken]
        assert taken, rest
    return units
