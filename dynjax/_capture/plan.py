"""`Plan`: the calls of a loop's body, learnt from the steps that ran."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any, final
from weakref import WeakSet

from .._random.rng import RNG
from .draws import Generators
from .nodes import MAX_UNUSED, Node, Site, Value
from .statistics import Statistics
from .units import Unit, arranged, split_ready

if TYPE_CHECKING:
    from .ahead import StepsAhead
    from .steps import Step

# A call that was made in two steps within this many is computed ahead from then on; one that was
# not made for so many is not any more.
MEMORY = 4
# A call whose words were foretold wrongly so often in a row is left to the body.
MAX_FAILED_DRAWS = 2


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
        marks: whether a call that is computed ahead notes samples that could not be used in the
            reader's report.
        repeats: whether the last epoch that was iterated to its end was followed by another.
    """

    __slots__ = (
        *("_is_settled", "_is_usual", "_sources", "_uses", "generators", "left", "loops", "marks"),
        *("nodes", "order", "read", "repeats", "rngs", "sites", "statistics", "steps", "traced"),
        *("units", "usual"),
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
        self._is_settled = False  # all calls that are known are computed ahead
        self._is_usual = False  # the step made the calls of the step before
        self.traced = False
        self.marks = False
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
        self._is_usual = called == self.usual
        if self._is_usual:
            return
        for node in self.usual:
            node.follower = None
        for node, follower in pairwise(called):
            node.follower = follower
        self.usual = called

    def end_step(self) -> None:
        """Decides what the next steps compute ahead."""
        if self._is_usual and self._stays():
            self.steps += 1
            return
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
        self._is_settled = all(n.active for n in self.nodes.values())
        if changed or uses != self._uses:
            self._uses = uses
            self._arrange()

    def _stays(self) -> bool:
        """Whether a step that made the usual calls, and no others, changes nothing."""
        nodes = self.nodes
        if not self._is_settled or len(nodes) != len(self.usual):
            return False
        uses = []
        for node in nodes.values():
            if node.failed_draws:
                return False
            kept = node.unused < MAX_UNUSED
            uses.append((node.wanted and kept, kept))
        return uses == self._uses

    def _arrange(self) -> None:
        """Puts the active nodes whose inputs can be had in order, and joins what compiles."""
        ready: set[Value] = set(self._sources.values())
        order: list[Node] = []
        waiting = [[n] for n in self.nodes.values() if n.active]
        while waiting:
            # A node that was seen first in a later step may stand before one that it needs.
            found, waiting = split_ready(waiting, ready)
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
        self.marks = any(n.marks for n in order)
        self.order = [(n, n.used()) for n in order]
        self.read = {v for _, used in self.order for v in used if v.node is None}
        self.units = arranged([n for n in order if n in needed], consumers, self._sources.values())
        self.rngs = {n.draw.rng for n in order if n.draw is not None}
