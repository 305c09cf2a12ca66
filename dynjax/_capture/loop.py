"""`CapturedLoop`: iterates over a source and computes the calls of its body ahead.

The body stays ordinary Python. Its first step runs eagerly; its calls are remembered by content
(`_execution/guards.py`). From then on they are computed in the background for steps that lie ahead,
and the body's calls find them; a call with other content is made eagerly, so the results are those
of an eager loop.
"""

import sys
import time
import warnings
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any, final

from .._execution import eager
from .._execution.context import chosen_num_threads
from .._execution.guards import NotGuardedError, guard, snapshot
from .._execution.keys import drawn
from .._execution.modes import is_synchronous
from .._execution.traced import is_tracer
from .._random.rng import RNG, get_default_rng
from .._schema import Operator
from .._types.data import Data
from .._types.errors import OperatorError
from .._types.invariant import Invariant, plain
from . import active
from .draws import Tracked, same
from .feeders import Feeder, FeederRules
from .nodes import Node, Site, Value
from .results import Ahead, Watched
from .root import Root
from .steps import Item, Step, parts

# Results that lie ready, of all steps ahead together.
MAX_BYTES_AHEAD = 1 << 30
PREFETCH = 2


@final
class CapturedLoop(Iterator[Any]):
    """One epoch of a source, whose body is computed ahead; its length is the number of steps.

    It may be left at any time: nothing that was computed ahead counts as consumed.
    """

    def __init__(self, root: Root, prefetch: int | None = None):
        self._root = root
        self._plan = root.plan
        self._prefetch = PREFETCH if prefetch is None else prefetch
        self._ahead: deque[Step] = deque()
        self._step: Step | None = None
        self._stack: Any = None
        self._rngs: dict[RNG, Tracked] = {}
        self._over = False
        self._broken: str | None = None
        self._feeders = FeederRules(root.name, root.plan)
        self._nbytes = 0
        self.statistics = root.plan.statistics
        self._bodies = 0

    def __iter__(self) -> "CapturedLoop":
        return self

    def __len__(self) -> int:
        return self._root.length()

    def __next__(self) -> Any:
        entered = time.perf_counter()
        if self._broken is not None:
            raise OperatorError(f"{self._root.name}: the loop is over, after: {self._broken}")
        if self._over:
            raise StopIteration
        if self._stack is not None:
            active.leave(self._stack, self)
            self._stack = None
        self.statistics.body_over(entered)
        self._end_step()
        step = self._next_step()
        if step is None:
            self._over = True
            self._root.finish()
            raise StopIteration
        self._step = step
        for tracked in self._rngs.values():
            tracked.start()
        self._stack = active.enter(self)
        self._bodies += 1
        self.statistics.body_starts(entered)
        return step.item.outputs

    def close(self) -> None:
        """Leaves the loop; the source stands behind the last step that was handed out."""
        if self._over:
            return
        self._over = True
        if self._stack is not None:
            active.leave(self._stack, self)
            self._stack = None
        self._step = None
        self._drop_ahead()
        self._feeders.release()
        self._root.leave()

    def __del__(self):
        # Half-made objects, and interpreters that are going away, have nothing to close.
        if getattr(self, "_over", True) or sys.is_finalizing():
            return
        self.close()

    # The body's calls ------------------------------------------------------------------------

    def knows(self, values: tuple) -> bool:
        """Whether one of the values belongs to the current step."""
        return self._step is not None and any(id(v) in self._step.known for v in values)

    def call(
        self, record: Operator, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]
    ) -> Any:
        """Makes a call of the body, or finds what was computed ahead for it."""
        step = self._step
        if step is None:
            return eager.call(record, *_plain(inputs, batch_size, device, given))
        draw, words = None, None
        if record.random and given.get("key") is None and not is_tracer(inputs, given):
            rng = given.get("rng")
            rng = get_default_rng() if rng is None else rng
            if not isinstance(rng, RNG):
                return eager.call(record, inputs, batch_size, device, given)
            given = {name: v for name, v in given.items() if name not in ("key", "rng")}
            tracked = self._rngs.get(rng)
            if tracked is None:
                tracked = self._rngs[rng] = Tracked(rng)
            draw = tracked.next_draw()
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

    def feed(self, feeder: Feeder, batch_size: Any) -> Any:
        """What a feeder gives in this step."""
        step = self._step
        assert step is not None
        try:
            known = self._feeders.knows(feeder)
            outputs = self._feeders.read(feeder, step.item, batch_size, self._bodies == 1)
            if not known:
                self._feed_ahead(feeder)
        except Exception as error:
            self._break(error)
            raise
        for index, data in parts(outputs).items():
            step.know(data, self._plan.source_value((feeder, index)))
        return outputs

    def _feed_ahead(self, feeder: Feeder) -> None:
        """A feeder that an earlier loop knew is new to this one: steps ahead need its data too."""
        for step in self._ahead:
            try:
                self._feeders.poll(step.item, feeder)
            except OperatorError as error:
                step.item.error = error
        self._launch_again()

    def _hit(self, step: Step, node: Node, result: Any, content: Any) -> Any:
        made = step.made.get(content)
        if made is None:
            node.site.calls += 1
            node.site.captured += 1
            node.failed_draws = 0
            source = step.identity(node.values[0].origin)
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
        outputs = eager.call(record, tuple(inner), batch_size, device, keyed)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        site = self._site(record)
        site.calls += 1
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
            node.joins = device is None and eager.joins(record, inner, batch_size, keyed)
            self._plan.nodes[content] = node
        made = tuple(
            type(o)._make(o._spec, None, Watched(o, node), o.source)  # type: ignore[attr-defined]
            for o in outputs
        )
        self._hand(step, content, node, made)
        return _one_or_all(made)

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
        site = self._site(record)
        site.calls += 1
        site.reason = reason
        return eager.call(record, inputs, batch_size, device, given)

    def _site(self, record: Operator) -> Site:
        frame: Any = sys._getframe(1)
        while frame is not None and frame.f_globals.get("__name__", "").startswith("dynjax."):
            frame = frame.f_back
        if frame is None:
            return self._plan.site(record.name, "?", 0)
        return self._plan.site(record.name, frame.f_code.co_filename, frame.f_lineno)

    # Between the bodies ----------------------------------------------------------------------

    def _end_step(self) -> None:
        """Learns from the step that has ended."""
        step = self._step
        if step is None:
            return
        self._step = None
        error = self._feeders.unread(step.item)
        if error is not None:
            self._break(error)
            raise error
        for tracked in self._rngs.values():
            tracked.end()
        step.forget()
        for node, made in step.handed:
            alive = node.wanted or any(r() is not None for r in made)
            node.unused = 0 if alive else node.unused + 1
        first = not self._plan.traced
        self._plan.end_step()
        if first and not self._plan.nodes and not self._feeders.any:
            warnings.warn(
                f"{self._root.name}: no operators were captured; the loop runs eagerly.",
                UserWarning,
                stacklevel=3,
            )
        self._nbytes = max(step.nbytes(), 1)

    def _next_step(self) -> Step | None:
        """The next step, polled and launched, with more of them behind it."""
        if self._root.moved():
            self._drop_ahead()
            self._root.rewind()
        elif not self._is_foretold():
            self._launch_again()
        if not self._ahead and not self._poll(0):
            return None
        step = self._ahead.popleft()
        if step.item.error is not None:
            self._drop_ahead()
            self._root.rewind()
            if self._feeders.any:
                self._break(step.item.error)
            raise step.item.error
        self._root.deliver(step.item)
        if self._plan.traced:
            depth = min(self._prefetch, MAX_BYTES_AHEAD // max(self._nbytes, 1))
            while len(self._ahead) < depth and self._poll(1 + len(self._ahead)):
                pass
        return step

    def _poll(self, distance: int) -> bool:
        """Polls one more step, that many from now, and starts it; False at the end of the epoch."""
        if self._ahead and self._ahead[-1].item.error is not None:
            return False
        try:
            item = self._root.poll()
            if item is None:
                return False
        except Exception as error:
            item = Item((), error=error)
        else:
            try:
                self._feeders.poll(item)
            except OperatorError as error:
                self._root.give_back([item])
                item = Item((), error=error)
        step = Step(self._plan, item)
        self._ahead.append(step)
        if item.error is None and self._plan.order:
            self._launch(step, distance)
        return True

    def _launch(self, step: Step, distance: int) -> None:
        begin = {r: self._rngs[r].expected(distance) for r in self._plan.rngs if r in self._rngs}
        step.launch(self._plan, begin, self._nbytes, chosen_num_threads())

    def _is_foretold(self) -> bool:
        """Whether the generators stand where the next step was computed for."""
        if not self._ahead:
            return True
        return all(rng.position == begin for rng, begin in self._ahead[0].begin.items())

    def _launch_again(self) -> None:
        """Computes the steps ahead anew, for where the generators stand now."""
        steps, self._ahead = self._ahead, deque()
        for step in steps:
            step.cancel()
            again = Step(self._plan, step.item)
            self._ahead.append(again)
            if step.item.error is None and self._plan.order:
                self._launch(again, len(self._ahead) - 1)

    def _drop_ahead(self) -> None:
        """Forgets the steps ahead; sources that cannot go back get their items back."""
        steps, self._ahead = self._ahead, deque()
        for step in steps:
            step.cancel()
        items = [step.item for step in steps if step.item.error is None]
        self._root.give_back(items)
        self._feeders.give_back(items)

    def _break(self, error: BaseException) -> None:
        self.close()
        self._broken = str(error)


def _one_or_all(outputs: tuple[Any, ...]) -> Any:
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
