"""`Body`: the operator calls of a loop's body, found among what was computed ahead, or made."""

import contextlib
from collections.abc import Sequence
from typing import Any, final
from weakref import ref

from .._execution import eager
from .._execution.guards import NotGuardedError, guard
from .._execution.keys import drawn
from .._execution.modes import EvalMode, is_synchronous
from .._execution.preparation import joins
from .._execution.traced import is_tracer
from .._random.rng import RNG, get_default_rng
from .._schema import Operator
from .._types.call_sites import where
from .._types.data import LateSource
from .contents import content, inner, is_held, kept, plain_arguments
from .draws import same
from .forms import form, same_place
from .nodes import Node, Site, Value
from .plan import Plan
from .reasons import Account
from .results import Ahead, Watched
from .steps import Step

# Calls that so many steps in a row made with other inputs are joined with those that need them.
MISSES_BEFORE_JOINING = 3
# A step remembers calls on data from outside the loop, as of another reader, until it ends. Those
# that hold more than this together are only made.
MAX_BYTES_OUTSIDE = 64 << 20


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
        self._due: Node | None = None  # the call that the step before made next
        self._outside = 0  # bytes of the new calls of this step on data from outside

    def start(self, step: Step) -> None:
        """The body of a step begins."""
        self.step = step
        self.generators.start()
        self._outside = 0
        self._due = self._plan.usual[0] if self._plan.usual else None

    def end(self) -> Step | None:
        """The body has ended; gives its step, if there was one."""
        step, self.step = self.step, None
        if step is not None:
            self.generators.end(self._plan.rngs)
            self._plan.note_order(step.called)
        return step

    def knows(self, values: tuple) -> bool:
        """Whether one of the values belongs to the current step."""
        return self.step is not None and any(id(v) in self.step.known for v in values)

    def call(
        self, record: Operator, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]
    ) -> Any:
        """Makes a call of the body, or finds what was computed ahead for it."""
        step = self.step
        if step is None:
            return eager.call(record, *plain_arguments(inputs, batch_size, device, given))
        draw, words = None, None
        if record.random and given.get("key") is None and not is_tracer(inputs, given):
            rng = given.get("rng")
            rng = get_default_rng() if rng is None else rng
            if not isinstance(rng, RNG):
                return eager.call(record, inputs, batch_size, device, given)
            given = {name: v for name, v in given.items() if name not in ("key", "rng")}
            draw = self.generators.next_draw(rng)
            words = drawn(rng)
        node = self._due
        key = None
        if (
            node is None
            or node.record is not record
            or node not in step.values.results
            or not same_place(node.draw, draw)
            or node.form is None
            or not node.form.matches(step.known, inputs, batch_size, device, given)
        ):
            try:
                key = content(step, record, inputs, batch_size, device, given)
            except NotGuardedError as error:
                return self._unguarded(record, inputs, batch_size, device, given, words, str(error))
            if draw is not None:
                key = (*key, draw.rng, draw.ordinal)
            node = self._plan.nodes.get(key)
        if node is not None:
            node.last = self._plan.steps
            node.draw = draw
            result = step.values.results.get(node)
            if result is not None and (words is None or same(result.words, words)):
                return self._hit(step, node, result)
            node.failed_draws += result is not None
            made = step.made.get(node)
            if made is not None:
                return _one_or_all(made)
        return self._miss(step, key, node, record, inputs, batch_size, device, given, words, draw)

    def _hit(self, step: Step, node: Node, result: Any) -> Any:
        made: Any = step.made.get(node)
        if made is None:
            site = node.site
            site.calls += 1
            site.captured += 1
            node.failed_draws = 0
            # Which samples these are may be known only when the pictures were decoded.
            source = (
                LateSource(result.source) if node.marks else step.samples.get(node.values[0].origin)
            )
            made = tuple(
                [
                    kind._make(None, None, Ahead(result, i), source)  # type: ignore[attr-defined]
                    for i, kind in enumerate(node.kinds)
                ]
            )
            self._hand(step, node, made)
        if is_synchronous():
            result.data()
        return made if len(made) > 1 else made[0]

    def _miss(self, step, key, node, record, inputs, batch_size, device, given, words, draw) -> Any:
        if is_tracer(inputs, given):
            return eager.call(record, inputs, batch_size, device, given)
        inputs, batch_size, device, given = plain_arguments(inputs, batch_size, device, given)
        read = [inner(x) for x in inputs]
        keyed = {name: inner(v) for name, v in given.items()}
        if words is not None:
            keyed["key"] = words
        site = self._plan.site(record.name, *where())
        site.calls += 1
        with self._mode(site, batch_size, device, given):
            outputs = eager.call(record, tuple(read), batch_size, device, dict(keyed))
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        if node is not None and step.values.results.get(node) is not None:
            site.reason = "the random generator was not where the step before left it"
            return _one_or_all(outputs)
        if node is None and self._is_too_much(step, (*inputs, *given.values()), outputs):
            site.reason = "the step holds much data from outside the loop already"
            return _one_or_all(outputs)
        if node is None:
            account = Account(key, len(inputs))
            first = not self._plan.traced
            site.reason = "first step" if first else account.difference(site.account)
            site.account = account
            node = self._new_node(step, record, inputs, batch_size, device, given, site)
            node.draw = draw
            origins = [v.origin for v in node.used() if v.origin is not None]
            origin = origins[0] if origins else None
            node.values = tuple(Value(node, i, origin) for i in range(len(outputs)))
            node.kinds = tuple(type(o) for o in outputs)
            node.dtypes = tuple(o.spec.dtype for o in outputs if o.has_spec)
            node.last = self._plan.steps
            self._plan.nodes[key] = node
        if node.seen or not self._plan.traced:  # the plan may take it up after this step
            node.joins = (
                device is None and not node.marks and joins(record, read, batch_size, keyed)
            )
        made = tuple(
            type(o)._make(o._spec, None, Watched(o, node), o.source)  # type: ignore[attr-defined]
            for o in outputs
        )
        self._hand(step, node, made)
        return _one_or_all(made)

    def _is_too_much(self, step: Step, arguments: tuple, outputs: tuple) -> bool:
        """Whether a new call is not worth remembering, for what it holds until the step ends."""
        outside = [x for x in arguments if is_held(x) and id(x) not in step.known]
        if not outside:
            return False
        self._outside += sum(x.spec.nbytes for x in (*outside, *outputs) if x.has_spec)
        return self._outside > MAX_BYTES_OUTSIDE

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
            return kept(x) if entry is None else entry[1]

        node = Node(
            *(record, tuple(map(reference, inputs)), batch_size, device),
            *({name: reference(v) for name, v in given.items()}, None, site),
        )
        outside = [x for x in (*inputs, *given.values()) if id(x) not in step.known]
        node.held = list(filter(is_held, outside)) or None
        node.form = form(step.known, inputs, batch_size, device, given)
        return node

    def _hand(self, step: Step, node: Node, made: tuple) -> None:
        step.made[node] = made
        step.called.append(node)
        self._due = node.follower
        for data, value in zip(made, node.values, strict=True):
            step.known[id(data)] = data, value
            if not node.wanted:
                step.handed.append((node, ref(data)))

    def _unguarded(self, record, inputs, batch_size, device, given, words, reason: str) -> Any:
        inputs, batch_size, device, given = plain_arguments(inputs, batch_size, device, given)
        if words is not None:
            given = {**given, "key": words}
        site = self._plan.site(record.name, *where())
        site.calls += 1
        site.reason = reason
        return eager.call(record, inputs, batch_size, device, given)


def _one_or_all(outputs: Sequence[Any]) -> Any:
    return outputs if len(outputs) > 1 else outputs[0]
