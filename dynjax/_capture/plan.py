"""`Plan`: the calls of a loop's body, learnt from the steps that ran."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, final
from weakref import WeakSet

from .._execution.fusion import FusedCall, Program, Slot, joined
from .._execution.preparation import as_input
from .._random.rng import RNG
from .._schema import Operator
from .._types.data import Data
from .draws import Generators
from .nodes import Node, Site, Value
from .statistics import Statistics

if TYPE_CHECKING:
    from .ahead import StepsAhead
    from .steps import Step

# A call that was made in two steps within this many is computed ahead from then on; one that was
# not made for so many is not any more.
MEMORY = 4
# A call whose words were foretold wrongly so often in a row is left to the body.
MAX_FAILED_DRAWS = 2


@final
class Unit:
    """Calls that are computed together: one eagerly, several as a compiled program or as a chain.

    Attributes:
        nodes: the calls.
        over: calls whose results nobody needs after this unit.
        is_chain: they are one native call that takes pictures from their files to the last result.
        program: what computes them otherwise; None: each by itself.
        inputs: what the program reads: values of the step, and constants. XLA would work with
            numbers that it knows, and round otherwise.
        outputs: calls whose results it gives.
    """

    __slots__ = ("inputs", "is_chain", "nodes", "outputs", "over", "program")

    def __init__(self, nodes: list[Node], is_chain: bool = False):
        self.nodes = nodes
        self.over: list[Node] = []
        self.is_chain = is_chain
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
        self.is_chain = False
        for node in self.nodes:
            node.joins = node.chains = False


@final
class Leftover:
    """What an epoch computed of the next one.

    Attributes:
        place: where the source stood at the end of the epoch.
        steps: the first steps from there.
    """

    __slots__ = ("place", "steps")

    def __init__(self, place: Any, steps: "list[Step]"):
        self.place = place
        self.steps = steps

    def cancel(self) -> None:
        """Nobody will ask for them."""
        for step in self.steps:
            step.cancel()


@final
class Plan:
    """What is known of a loop's body. Lives as long as its source, over many epochs.

    Attributes:
        nodes: calls by content, in an order in which they can be computed.
        sites: places in the source text, for the report.
        traced: whether a first step has ended.
        usual: the calls of the last step, in their order.
        steps: how many have.
        order: the calls that are computed ahead, and the values that each of them reads.
        units: those of them that somebody needs, as they are computed.
        read: the values of sources that it reads.
        rngs: the generators that it draws from.
        generators: those that the body draws from, and what a step draws.
        statistics: of all epochs.
        loops: the steps ahead of loops that exist, for the report.
        left: where the last epoch ended, and what it computed of the next one.
        repeats: whether the last epoch that was iterated to its end was followed by another.
    """

    __slots__ = (
        *("_sources", "_uses", "generators", "left", "loops", "nodes", "order", "read", "repeats"),
        *("rngs", "sites", "statistics", "steps", "traced", "units", "usual"),
    )

    def __init__(self):
        self.nodes: dict[Any, Node] = {}
        self.sites: dict[Any, Site] = {}
        self.order: list[tuple[Node, list[Value]]] = []
        self.units: list[Unit] = []
        self.read: set[Value] = set()
        self.rngs: set[RNG] = set()
        self.generators = Generators()
        self.statistics = Statistics()
        self._sources: dict[Any, Value] = {}
        self._uses: list[tuple[bool, bool]] = []
        self.traced = False
        self.steps = 0
        self.usual: list[Node] = []
        self.loops: WeakSet[StepsAhead] = WeakSet()
        self.left: Leftover | None = None
        self.repeats = False

    @property
    def in_flight(self) -> "list[Step]":
        """The steps that are being computed, or lie ready."""
        left = [] if self.left is None else self.left.steps
        return [*left, *(step for loop in self.loops for step in loop.steps)]

    @property
    def marks(self) -> bool:
        """Whether a call notes samples that could not be used in the reader's report."""
        return any(n.marks for n in self.nodes.values())

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

    def note_order(self, called: list[Node]) -> None:
        """Notes which calls a step made."""
        if called == self.usual:
            return
        for node in self.usual:
            node.follower = None
        for node, follower in pairwise(called):
            node.follower = follower
        self.usual = called

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
        waiting = [[n] for n in self.nodes.values() if n.active]
        while waiting:
            # A node that was seen first in a later step may stand before one that it needs.
            found, waiting = _ready(waiting, ready)
            if not found:
                break
            order += [n for block in found for n in block]
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
        self.read = {v for _, used in self.order for v in used if v.node is None}
        blocks = _blocks([n for n in order if n in needed], consumers, needed)
        self.units = _units(blocks, set(self._sources.values()))
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
            if len(unit.nodes) > 1 and not unit.is_chain:
                unit.compile(delivered)


def _ready(
    blocks: Sequence[list[Node]], ready: set[Value]
) -> tuple[list[list[Node]], list[list[Node]]]:
    """The blocks whose inputs are in `ready`, to which their results are added; and the others."""
    found, others = [], []
    for block in blocks:
        if all(v in ready or v.node in block for n in block for v in n.used()):
            found.append(block)
            ready.update(v for n in block for v in n.values)
        else:
            others.append(block)
    return found, others


def _blocks(
    nodes: list[Node], consumers: dict[Node, list[Node]], needed: set[Node]
) -> list[list[Node]]:
    """The nodes one by one, but chains together."""
    blocks: list[list[Node]] = []
    taken: set[Node] = set()
    for node in nodes:
        if node in taken:
            continue
        block = [node]
        if node.chains and node.record.chain == "begins":
            while (link := _next_link(block[-1], consumers, needed)) is not None:
                block.append(link)
        taken.update(block)
        blocks.append(block)
    return blocks


def _next_link(node: Node, consumers: dict[Node, list[Node]], needed: set[Node]) -> Node | None:
    """The call that continues a chain: nobody else reads the result before it."""
    users = [n for n in consumers[node] if n in needed]
    if len(users) != 1 or node.is_wanted or len(node.values) != 1:
        return None
    link = users[0]
    continues = link.chains and link.record.chain == "continues"
    return link if continues and link.inputs[0] is node.values[0] else None


def _units(blocks: list[list[Node]], ready: set[Value]) -> list[Unit]:
    """Joins calls that compile as far as their order allows."""
    units: list[Unit] = []
    waiting = blocks
    while waiting:
        alone, rest = _ready([b for b in waiting if not b[0].joins], ready)
        units += [Unit(b, is_chain=len(b) > 1) for b in alone]
        joined, _ = _ready([b for b in waiting if b[0].joins], ready)
        if joined:
            units.append(Unit([n for b in joined for n in b]))
        taken = [id(b) for b in (*alone, *joined)]
        waiting = [b for b in waiting if id(b) not in taken]
        assert taken, rest
    return units
