"""`Unit`: calls of a body that are computed together, and which those are."""

from collections.abc import Iterable, Sequence
from typing import Any, final

from .._execution.chains import Chain
from .._execution.fusion import FusedCall, Program, Slot, joined
from .._execution.preparation import as_input
from .._schema import Operator
from .._types.data import Data
from .joint import JointUnit
from .nodes import Node, Value


@final
class Unit:
    """Calls that are computed together: one eagerly, several as a compiled program or as a chain.

    Attributes:
        nodes: the calls.
        over: calls whose results nobody needs after this unit.
        chain: makes them as one native call that takes pictures from their files to the last
            result, or None.
        joint: computes them for several steps at once, or None.
        program: what computes them otherwise; None: each by itself.
        inputs: what the program reads: values of the step, and constants. XLA would work with
            numbers that it knows, and round otherwise.
        outputs: calls whose results it gives.
    """

    __slots__ = ("chain", "inputs", "joint", "nodes", "outputs", "over", "program")

    def __init__(self, nodes: list[Node], is_chain: bool = False):
        self.nodes = nodes
        self.over: list[Node] = []
        self.chain = Chain() if is_chain else None
        self.joint = JointUnit.of(nodes, is_chain)
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
        self.chain = None
        self.joint = None
        for node in self.nodes:
            node.joins = node.chains = False


def arranged(
    nodes: list[Node], consumers: dict[Node, list[Node]], sources: Iterable[Value]
) -> list[Unit]:
    """The units of a step, in an order in which they can be computed.

    Args:
        nodes: calls that somebody needs, in such an order.
        consumers: of each call, those that read its results.
        sources: the values that are there at first.
    """
    needed = set(nodes)
    units = _joined(_blocks(nodes, consumers, needed), set(sources))
    place = {n: k for k, unit in enumerate(units) for n in unit.nodes}
    for k, unit in enumerate(units):
        delivered: set[Node] = set()
        for node in unit.nodes:
            used = [place[n] for n in consumers[node] if n in needed]
            outside = [p for p in used if p != k]
            if outside:
                units[max(outside)].over.append(node)
            if outside or not used or node.is_wanted:
                delivered.add(node)
        if len(unit.nodes) > 1 and unit.chain is None:
            unit.compile(delivered)
    return units


def split_ready(
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


def _joined(blocks: list[list[Node]], ready: set[Value]) -> list[Unit]:
    """Joins calls that compile as far as their order allows."""
    units: list[Unit] = []
    waiting = blocks
    while waiting:
        alone, _ = split_ready([b for b in waiting if not b[0].joins], ready)
        units += [Unit(b, is_chain=len(b) > 1) for b in alone]
        together, _ = split_ready([b for b in waiting if b[0].joins], ready)
        if together:
            units.append(Unit([n for b in together for n in b]))
        taken = [id(b) for b in (*alone, *together)]
        assert taken, waiting
        waiting = [b for b in waiting if id(b) not in taken]
    return units
