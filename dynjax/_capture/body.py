"""`Body`: the operator calls of a loop's body, found among what was computed ahead, or made."""

import contextlib
import weakref
from collections.abc import Sequence
from typing import Any, final

from .._execution import eager
from .._execution.guards import NotGuardedError, guard, snapshot
from .._execution.keys import drawn
from .._execution.modes import EvalMode, is_synchronous
from .._execution.preparation import joins
from .._execution.traced import is_tracer
from .._random.rng import RNG, get_default_rng
from .._schema import Operator
from .._types.call_sites import where
from .._types.data import Data, LateSource
from .._types.invariant import Invariant, plain
from .draws import same
from .nodes import Node, Site, Value
from .plan import Plan
from .results import Ahead, Watched
from .steps import Step

# Calls that so many steps in a row made with other inputs are joined with those that need them.
MISSES_BEFORE_JOINING = 3


@final
class Body:
    """What the body of a loop calls, in the current step.

    Attributes:
        step: the step that the body is in; None between bodies.
        generators: those that its calls draw from.
    """

    def __init__(self, plan: Plan):
        self._plan = plan
        self.step: Step | None = None
        self.generators = plan.generators

    def knows(self, values: tuple) -> bool:
        """Whether one of the values belongs to the current step."""
        return self.step is not None and any(id(v) in self.step.known for v in values)

    def call(
        self, record: Operator, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]
    ) -> Any:
        """Makes a call of the body, or finds what was computed ahead for it."""
        step = self.step
        if step is None:
            return eager.call(record, *_plain(inputs, batch_size, device, given))
        draw, words = None, None
        if record.random and given.get("key") is None and not is_tracer(inputs, given):
            rng = given.get("rng")
            rng = get_default_rng() if rng is None else rng
            if not isinstance(rng, RNG):
                return eager.call(record, inputs, batch_size, device, given)
            given = {name: v for name, v in given.items() if name not in ("key", "rng")}
            draw = self.generators.next_draw(rng)
            words = drawn(rng)
        try:
            content = _content(step, record, inputs, batch_size, device, given)
        except NotGuardedError as error:
            return self._unguarded(record, inputs, batch_size, device, given, words, str(error))
        if draw is not None:
            content = (*content, draw.rng, draw.ordinal)
        node = self._plan.nodes.get(content)
        if node is not None:
            node.last = self._plan.steps
            node.draw = draw
            result = step.values.results.get(node)
            if result is not None and (words is None or same(result.words, words)):
                return self._hit(step, node, result, content)
            node.failed_draws += result is not None
        made = step.made.get(content)
        if made is not None:
            return _one_or_all(made)
        return self._miss(
            step, content, node, record, inputs, batch_size, device, given, words, draw
        )

    def _hit(self, step: Step, node: Node, result: Any, content: Any) -> Any:
        made = step.made.get(content)
        if made is None:
            node.site.calls += 1
            node.site.captured += 1
            node.failed_draws = 0
            source = step.identity(node.values[0].origin)
            if node.marks:
                # Which samples these are is known only when the pictures were decoded.
                source = LateSource(lambda: result.data()[0].source)
            made = tuple(
                kind._make(None, None, Ahead(result, i), source)  # type: ignore[attr-defined]
                for i, kind in enumerate(node.kinds)
            )
            self._hand(step, content, node, made)
        if is_synchronous():
            result.data()
        return _one_or_all(made)

    def _miss(
        self, step, content, node, record, inputs, batch_size, device, given, words, draw
    ) -> Any:
        if is_tracer(inputs, given):
            return eager.call(record, inputs, batch_size, device, given)
        inputs, batch_size, device, given = _plain(inputs, batch_size, device, given)
        inner = [_inner(x) for x in inputs]
        keyed = {name: _inner(v) for name, v in given.items()}
        if words is not None:
            keyed["key"] = words
        site = self._plan.site(record.name, *where())
        site.calls += 1
        with self._mode(site, batch_size, device, given):
            outputs = eager.call(record, tuple(inner), batch_size, device, keyed)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        if node is not None and step.values.results.get(node) is not None:
            site.reason = "the random generator was not where the step before left it"
            return _one_or_all(outputs)
        if node is None:
            site.reason = "first step" if not self._plan.traced else "other inputs or arguments"
            node = self._new_node(step, record, inputs, batch_size, device, given, site)
            node.draw = draw
            origins = [v.origin for v in node.used() if v.origin is not None]
            origin = origins[0] if origins else None
            node.values = tuple(Value(node, i, origin) for i in range(len(outputs)))
            node.kinds = tuple(type(o) for o in outputs)
            node.dtypes = tuple(o.spec.dtype for o in outputs if o.has_spec)
            node.last = self._plan.steps
            self._plan.nodes[content] = node
        if node.seen or not self._plan.traced:  # the plan may take it up after this step
            node.joins = (
                device is None and not node.marks and joins(record, inner, batch_size, keyed)
            )
        made = tuple(
            type(o)._make(o._spec, None, Watched(o, node), o.source)  # type: ignore[attr-defined]
            for o in outputs
        )
        self._hand(step, content, node, made)
        return _one_or_all(made)

    def _mode(self, site: Site, *arguments: Any) -> Any:
        """How a call that was not computed ahead is made.

        A value that changes at each step makes its call, and those that need it, a second part of
        the step. Once that is plain, this part is compiled as one function when it is used. A
        changed argument would compile a function of its own; a changed input does not.
        """
        try:
            same = guard(list(arguments))
        except NotGuardedError:
            same = None
        settled = same is not None and site.arguments == same
        site.missed = site.missed + 1 if settled else 0
        site.arguments = same
        late = self._plan.traced and site.missed >= MISSES_BEFORE_JOINING
        return EvalMode.deferred if late and not is_synchronous() else contextlib.nullcontext()

    def _new_node(self, step, record, inputs, batch_size, device, given, site: Site) -> Node:
        def reference(x: Any) -> Any:
            entry = step.known.get(id(x))
            return snapshot(x) if entry is None else entry[1]

        node = Node(
            *(record, tuple(map(reference, inputs)), batch_size, device),
            *({name: reference(v) for name, v in given.items()}, None, site),
        )
        foreign = [x for x in (*node.inputs, *node.given.values()) if isinstance(x, Data)]
        node.held = foreign or None
        return node

    def _hand(self, step: Step, content: Any, node: Node, made: tuple) -> None:
        step.made[content] = made
        for data, value in zip(made, node.values, strict=True):
            step.know(data, value)
        if not node.wanted:
            step.handed.append((node, [weakref.ref(d) for d in made]))

    def _unguarded(self, record, inputs, batch_size, device, given, words, reason: str) -> Any:
        inputs, batch_size, device, given = _plain(inputs, batch_size, device, given)
        if words is not None:
            given = {**given, "key": words}
        site = self._plan.site(record.name, *where())
        site.calls += 1
        site.reason = reason
        return eager.call(record, inputs, batch_size, device, given)


def _one_or_all(outputs: Sequence[Any]) -> Any:
    return outputs if len(outputs) > 1 else outputs[0]


def _content(step: Step, record: Operator, inputs: tuple, batch_size, device, given) -> tuple:
    known = step.known
    parts: list[Any] = [record]
    for x in inputs:
        entry = known.get(id(x))
        parts.append(_guard(x) if entry is None else entry[1])
    if batch_size is not None:
        parts.append(("batch_size", _guard(batch_size)))
    if device is not None:
        parts.append(("device", _guard(device)))
    for name, x in given.items():
        entry = known.get(id(x))
        parts.append(name)
        parts.append(_guard(x) if entry is None else entry[1])
    return tuple(parts)


def _guard(x: Any) -> Any:
    return (Invariant, id(plain(x))) if type(x) is Invariant else guard(x)


def _plain(inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]) -> tuple:
    return (
        tuple(map(plain, inputs)),
        plain(batch_size),
        plain(device),
        {name: plain(v) for name, v in given.items()},
    )


def _inner(x: Any) -> Any:
    """What an operator reads in place of a watched value, so that its use does not count."""
    if isinstance(x, Data) and type(x._pending) is Watched:
        return x._pending.inner
    return x
