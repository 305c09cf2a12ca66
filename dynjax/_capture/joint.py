"""`JointUnit`: a unit computed for several steps at once, their batches one behind another.

To prepare a call takes longer than to compute it where a batch has a few kilobytes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

from .._execution.chains import Chain
from .._execution.joining import joined, parts, specs_of_parts
from .._execution.keys import CallKey, JoinedKeys
from .._execution.repetition import Repetition
from .._types.batch import Batch
from .._types.data import Data
from .._types.spec import Spec
from .nodes import Node, Value

if TYPE_CHECKING:
    from .work import StepWork

# What failed so often in a row is not tried again: some of the files may be broken in every step.
MAX_FAILURES = 4


class _NotJoinedError(Exception):
    """The steps do not fit together, or the calls do not fit several steps."""


@final
class JointUnit:
    """One call that can be repeated, or a chain of calls."""

    __slots__ = ("_chains", "_failures", "_is_chain", "_nodes", "_repetitions", "_specs")

    def __init__(self, nodes: Sequence[Node], is_chain: bool):
        self._nodes = nodes
        self._is_chain = is_chain
        # By the number of steps.
        self._chains: dict[int, Chain] = {}
        self._repetitions: dict[int, Repetition] = {}
        self._specs: dict[Value, tuple[Spec, list[Spec]]] = {}  # of the last results, and parts
        self._failures = 0

    @classmethod
    def of(cls, nodes: Sequence[Node], is_chain: bool) -> "JointUnit | None":
        """One for these calls; None if what they give in one step may depend on the others."""
        if not all(map(_is_alone, nodes)):
            return None
        if is_chain:
            fits = all(n.draw is None for n in nodes)
        else:
            fits = len(nodes) == 1 and nodes[0].repetition is not None and not nodes[0].joins
        return cls(nodes, is_chain) if fits else None

    def __call__(self, steps: "Sequence[StepWork]", known: dict[Value, Batch]) -> bool:
        """Computes the calls for all steps, or says that they do not fit together.

        Args:
            steps: two or more.
            known: values of all steps as one batch, to which the results are added.
        """
        if self._failures >= MAX_FAILURES:
            return False
        self._failures += 1
        if any(n not in s.results for s in steps for n in self._nodes):
            return False
        try:
            if self._is_chain:
                self._run_chain(steps, known)
            else:
                self._repeat(steps, known)
        except Exception:
            return False  # the calls of each step say better what is wrong, if anything is
        self._failures = 0
        return True

    def _repeat(self, steps: "Sequence[StepWork]", known: dict[Value, Batch]) -> None:
        (node,) = self._nodes
        count = len(steps)
        repetition = self._repetitions.get(count)
        if repetition is None:
            size = None if node.batch_size is None else count * int(node.batch_size)
            repetition = Repetition.of(node.record, size, node.given)
            assert repetition is not None
            self._repetitions[count] = repetition
        key = None
        if node.draw is not None:
            words = [s.results[node].words for s in steps]
            key = JoinedKeys([CallKey(node.record.name, w, False) for w in words])
        outputs = repetition([_joined(v, steps, known) for v in node.inputs], key)
        if repetition.compiles:
            raise _NotJoinedError
        batches = [o for o in outputs if isinstance(o, Batch)]
        pairs = zip(node.values, batches, strict=True)
        pieces = [self._parts(value, batch, count) for value, batch in pairs]
        for step, *data in zip(steps, *pieces, strict=True):
            step.deliver(node, data)
        known.update(zip(node.values, batches, strict=True))

    def _run_chain(self, steps: "Sequence[StepWork]", known: dict[Value, Batch]) -> None:
        count = len(steps)
        chain = self._chains.setdefault(count, Chain())
        made = chain([n.chained(lambda v: _joined(v, steps, known)) for n in self._nodes])
        if made is None:
            raise _NotJoinedError
        data, specs = made
        assert isinstance(data, Batch)  # as the files are
        *inner, last = self._nodes
        for step, part in zip(steps, self._parts(last.values[0], data, count), strict=True):
            step.deliver(last, [part])
        for node, spec in zip(inner, specs, strict=False):
            described = self._described(node.values[0], spec, count)
            for step, own in zip(steps, described, strict=True):
                step.results[node].postpone((own,))
        known[last.values[0]] = data

    def _parts(self, value: Value, batch: Batch, count: int) -> list[Batch]:
        return parts(batch, self._described(value, batch.spec, count))

    def _described(self, value: Value, spec: Spec, count: int) -> list[Spec]:
        """The descriptions of the parts: the same objects while those of the whole are."""
        seen = self._specs.get(value)
        if seen is None or seen[0] is not spec or len(seen[1]) != count:
            seen = self._specs[value] = spec, specs_of_parts(spec, count)
        return seen[1]


def _is_alone(node: Node) -> bool:
    """Whether a call gives for each sample what it would give for that alone, in a batch."""
    constants = (*node.inputs, *node.given.values())
    return (
        node.record.alone
        and node.device is None
        and not node.marks
        and all(issubclass(kind, Batch) for kind in node.kinds)
        and not any(isinstance(c, Data) for c in constants)
    )


def _joined(value: Any, steps: "Sequence[StepWork]", known: dict[Value, Batch]) -> Any:
    """The batch of a value in all steps; anything else as it is."""
    if type(value) is not Value:
        return value
    if value not in known:
        own = [step.values.data(value) for step in steps]
        whole = joined(own) if all(isinstance(d, Batch) for d in own) else None
        if whole is None:
            raise _NotJoinedError
        known[value] = whole
    return known[value]
