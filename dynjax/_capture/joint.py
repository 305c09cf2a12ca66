"""`JointUnit`: a unit computed for several steps at once, their batches one behind another.

To prepare a call takes longer than to compute it where a batch has a few kilobytes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

from .._execution.chains import Chain
from .._execution.joining import joined, parts, specs_of_parts
from .._execution.keys import JoinedKeys
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
class _Form:
    """What is kept for a number of steps.

    Attributes:
        chain, repetition: makes the calls; one of them.
        specs: of results, the last description and those of its parts.
    """

    __slots__ = ("chain", "count", "repetition", "specs")

    def __init__(self, nodes: Sequence[Node], is_chain: bool, count: int):
        self.count = count
        self.chain = Chain() if is_chain else None
        self.repetition: Repetition | None = None
        if not is_chain:
            (node,) = nodes
            size = None if node.batch_size is None else count * int(node.batch_size)
            self.repetition = Repetition.of(node.record, size, node.given)
        self.specs: dict[Value, tuple[Spec, list[Spec]]] = {}

    def described(self, value: Value, spec: Spec) -> list[Spec]:
        """The descriptions of the parts: the same objects while those of the whole are."""
        seen = self.specs.get(value)
        if seen is None or seen[0] is not spec:
            seen = self.specs[value] = spec, specs_of_parts(spec, self.count)
        return seen[1]


@final
class JointUnit:
    """One call that can be repeated, or a chain of calls."""

    __slots__ = ("_failures", "_forms", "_is_chain", "_nodes")

    def __init__(self, nodes: Sequence[Node], is_chain: bool):
        self._nodes = nodes
        self._is_chain = is_chain
        self._forms: dict[int, _Form] = {}  # by the number of steps
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
        count = len(steps)
        form = self._forms.get(count)
        if form is None:
            form = self._forms[count] = _Form(self._nodes, self._is_chain, count)
        *inner, last = self._nodes
        try:
            if form.chain is not None:
                outputs, specs = self._run_chain(form.chain, steps, known)
            else:
                outputs, specs = self._repeat(form, steps, known), []
            batches = [o for o in outputs if isinstance(o, Batch)]
            whole = list(zip(last.values, batches, strict=True))
            pieces = [parts(batch, form.described(value, batch.spec)) for value, batch in whole]
        except Exception:
            return False  # the calls of each step say better what is wrong, if anything is
        for step, *data in zip(steps, *pieces, strict=True):
            step.deliver(last, data)
        for node, spec in zip(inner, specs, strict=False):
            for step, own in zip(steps, form.described(node.values[0], spec), strict=True):
                step.results[node].postpone((own,))
        known.update(whole)
        self._failures = 0
        return True

    def _repeat(
        self, form: _Form, steps: "Sequence[StepWork]", known: dict[Value, Batch]
    ) -> Sequence[Data]:
        (node,) = self._nodes
        keys = [key for s in steps if (key := s.results[node].key) is not None]
        key = JoinedKeys(keys) if keys else None
        repetition = form.repetition
        assert repetition is not None
        outputs = repetition([_joined(v, steps, known) for v in node.inputs], key)
        if repetition.compiles:
            raise _NotJoinedError
        return outputs

    def _run_chain(
        self, chain: Chain, steps: "Sequence[StepWork]", known: dict[Value, Batch]
    ) -> tuple[Sequence[Data], Sequence[Spec]]:
        made = chain([n.chained(lambda v: _joined(v, steps, known)) for n in self._nodes])
        if made is None:
            raise _NotJoinedError
        return made[:1], made[1]


def _is_alone(node: Node) -> bool:
    """Whether a call gives for each sample what it would give for that alone, in a batch.

    With a key for all samples, a sample's own follows from its place in the batch.
    """
    constants = (*node.inputs, *node.given.values())
    return (
        node.record.alone
        and node.given.get("key") is None
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
