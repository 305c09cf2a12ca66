"""Which captured loops the body that a thread is in belongs to, and the calls that reach them."""

import threading
import weakref
from typing import TYPE_CHECKING, Any

from .. import _schema
from .._execution import eager
from .._schema import Operator

if TYPE_CHECKING:
    from .loop import CapturedLoop

_Stack = list["weakref.ref[CapturedLoop]"]


class _PerThread(threading.local):
    """The loops whose bodies a thread is in, the innermost last."""

    def __init__(self):
        self.stack: _Stack = []


_thread = _PerThread()
_lock = threading.RLock()  # a loop may be forgotten, and closed, while it is held
_count = 0  # of loops that are being iterated, in all threads


def enter(reference: "weakref.ref[CapturedLoop]") -> _Stack:
    """The thread enters a body of a loop; returns the list that `leave` needs."""
    stack = _thread.stack
    stack.append(reference)
    return stack


def leave(stack: _Stack, reference: "weakref.ref[CapturedLoop]") -> None:
    """The body has ended; another thread may say so, which collects a forgotten loop."""
    stack.remove(reference)  # in one go, for the stack's own thread may change it


def count(change: int) -> None:
    """A loop begins (1) or is over (-1): without any, operators are called without a detour."""
    global _count
    with _lock:
        _count += change
        _schema.set_caller(call if _count else eager.call)


def current() -> "CapturedLoop | None":
    """The innermost loop of this thread."""
    stack = _thread.stack
    return stack[-1]() if stack else None


def call(record: Operator, inputs: tuple, batch_size, device, given: dict[str, Any]) -> Any:
    """Calls an operator: by the loop that its inputs come from, or the innermost one."""
    stack = _thread.stack
    loop = stack[-1]() if stack else None
    if len(stack) > 1:
        loops = [found for r in reversed(stack) if (found := r()) is not None]
        values = (*inputs, *given.values())
        loop = next((k for k in loops if k.body.knows(values)), loop)
    if loop is None:
        return eager.call(record, inputs, batch_size, device, given)
    return loop.body.call(record, inputs, batch_size, device, given)
