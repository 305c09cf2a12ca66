"""Deferred calls: a pending expression is compiled as one function when it is used.

Only calls that run as compiled programs wait; the others run as in eager mode, since nothing is
gained by joining them.
"""

import threading
import weakref
from collections.abc import Callable
from typing import Any, final

from .._schema import Operator
from .._types.call_sites import where
from .._types.data import Data
from .._types.pending import Pending, asynchronous
from .._types.spec import Spec
from .._types.storage import Storage
from .fusion import FusedCall, Slot, joined
from .keys import CallKey

# While a program is compiled or run; inputs that others compute are waited for before.
_lock = threading.Lock()


@final
class DeferredCall:
    """A call that waits for its first use.

    Args:
        record, inputs, batch_size, given, key: the call.
        specs: of its outputs.
        alone: computes the outputs by themselves, from the inputs.
    """

    __slots__ = (
        *("__weakref__", "_alone", "_error", "_handles", "_site", "_storages", "batch_size"),
        *("given", "inputs", "key", "record", "specs"),
    )

    def __init__(
        self,
        record: Operator,
        inputs: list[Data],
        batch_size: Any,
        given: dict[str, Any],
        key: CallKey | None,
        specs: list[Spec],
        alone: Callable[[list[Data]], list[Storage]],
    ):
        self.record = record
        self.inputs = list(map(_own, inputs))
        self.batch_size = batch_size
        self.given = {name: _own(v) for name, v in given.items()}
        self.key = key
        self.specs = specs
        self._alone = alone
        self._storages: list[Storage] | None = None
        self._error: BaseException | None = None
        self._handles: list[weakref.ref[Data]] = []
        self._site = where()

    def hand_out(self, make: Callable[[list[Pending]], list[Data]]) -> list[Data]:
        """What the call returns."""
        handles = make([_Delayed(self, i) for i in range(len(self.specs))])
        self._handles = [weakref.ref(h) for h in handles]
        return handles

    @property
    def is_over(self) -> bool:
        """Whether it was computed, or failed."""
        return self._storages is not None or self._error is not None

    @property
    def is_held(self) -> bool:
        """Whether the user can still ask for its outputs."""
        return any(r() is not None for r in self._handles)

    def storage(self, index: int) -> Storage:
        """An output; computes what is pending."""
        if not self.is_over:
            _evaluate(self)
        if self._error is not None:
            raise asynchronous(self._error)
        assert self._storages is not None
        return self._storages[index]

    def deliver(self, storages: list[Storage]) -> None:
        """Takes the outputs and lets go of the inputs."""
        self._storages = storages
        self.inputs, self.given = [], {}

    def run_alone(self) -> None:
        """Computes it by itself."""
        try:
            self.deliver(self._alone(self.inputs))
        except Exception as error:
            error.add_note(f"{self.record.name} was called at {self._site[0]}:{self._site[1]}")
            self._error = error


@final
class _Delayed(Pending):
    """One output of a deferred call."""

    __slots__ = ("call", "index")

    def __init__(self, call: DeferredCall, index: int):
        self.call = call
        self.index = index

    def result(self) -> Storage:
        """The storage; computes the expression."""
        return self.call.storage(self.index)

    def spec(self) -> Spec:
        """The description."""
        return self.call.specs[self.index]


def _delayed(value: Any) -> _Delayed | None:
    pending = value._pending if isinstance(value, Data) else None
    if type(pending) is _Delayed and not pending.call.is_over:
        return pending
    return None


def _own(value: Any) -> Any:
    """A handle of our own on a deferred value, so that the user's handles can be told apart."""
    pending = _delayed(value)
    return value if pending is None else value._make(value.spec, None, pending, value.source)


def _evaluate(call: DeferredCall) -> None:
    order: list[DeferredCall] = []
    _collect(call, order, set())
    for each in order:
        for value in (*each.inputs, *each.given.values()):
            if isinstance(value, Data) and _delayed(value) is None:
                try:
                    _ = value.storage
                except Exception:
                    # The calls that need it fail with this error; the others do not.
                    _one_by_one(order)
                    return
    with _lock:
        order = [c for c in order if not c.is_over]
        if not order:
            return
        if len(order) == 1 or not _run_joined(order, call):
            _one_by_one(order)


def _one_by_one(order: list[DeferredCall]) -> None:
    for call in order:
        if not call.is_over:
            call.run_alone()


def _collect(call: DeferredCall, order: list[DeferredCall], seen: set[int]) -> None:
    """Appends a call behind those that it needs."""
    stack: list[tuple[DeferredCall, bool]] = [(call, False)]
    while stack:
        top, expanded = stack.pop()
        if expanded:
            order.append(top)
            continue
        if id(top) in seen:
            continue
        seen.add(id(top))
        stack.append((top, True))
        for value in (*top.inputs, *top.given.values()):
            if (pending := _delayed(value)) is not None:
                stack.append((pending.call, False))


def _run_joined(order: list[DeferredCall], wanted: DeferredCall) -> bool:
    """Runs the calls as one program; False if they cannot be joined."""
    places = {id(c): k for k, c in enumerate(order)}
    inputs: dict[int, tuple[Data, Slot]] = {}

    def slot(x: Any) -> Any:
        if not isinstance(x, Data):
            return x
        pending = _delayed(x)
        if pending is not None:
            return Slot(places[id(pending.call)], pending.index)
        return inputs.setdefault(id(x), (x, Slot(-1, len(inputs))))[1]

    calls, keys = [], []
    for call in order:
        fused = FusedCall(
            *(call.record, tuple(map(slot, call.inputs)), call.batch_size),
            {name: slot(v) for name, v in call.given.items()},
            [spec.dtype for spec in call.specs],
            len(keys) if call.key is not None else -1,
        )
        if call.key is not None:
            keys.append(call.key.words)
        calls.append(fused)
    delivered = [c for c in order if c is wanted or c.is_held]
    outputs = [Slot(places[id(c)], i) for c in delivered for i in range(len(c.specs))]
    try:
        made = iter(joined(calls, outputs)([d for d, _ in inputs.values()], keys))
    except (RuntimeError, ValueError, TypeError):
        return False
    for call in delivered:
        call.deliver([next(made).storage for _ in call.specs])
    return True
