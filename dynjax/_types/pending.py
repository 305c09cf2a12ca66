"""A value that is being computed in the background, and how its failure is told."""

import threading
from typing import Any

from .errors import (
    ArgumentError,
    ArgumentTypeError,
    OperatorError,
    OutOfRangeError,
    RankError,
)

_FAILED = "Asynchronous execution failed: "

_KEPT = frozenset(
    {OperatorError, ArgumentError, ArgumentTypeError, OutOfRangeError, RankError}
    | {ValueError, TypeError, IndexError, OverflowError}
)


def asynchronous(error: BaseException) -> BaseException:
    """The exception raised where a value is used whose computation failed.

    It has the error's type, or the nearest of those above it, and the error itself as its cause.
    """
    # Other types may not be constructible from a message alone.
    kind = next((base for base in type(error).__mro__ if base in _KEPT), RuntimeError)
    # The failure of a failed input reads like one, not like a chain of them.
    wrapper = kind(f"{_FAILED}{str(error).removeprefix(_FAILED)}")
    wrapper.__cause__ = error
    return wrapper


class Pending:
    """One result of a background task: first unknown, then a value or an error, for ever."""

    __slots__ = ("_done", "_error", "_value")

    def __init__(self):
        self._done = threading.Lock()
        self._done.acquire()
        self._value: Any = None
        self._error: BaseException | None = None

    def set_value(self, value: Any) -> None:
        """Delivers the value."""
        self._value = value
        self._done.release()

    def set_error(self, error: BaseException) -> None:
        """Delivers the error."""
        self._error = error
        self._done.release()

    def abandon(self, error: BaseException) -> None:
        """Delivers an error if nothing was delivered yet."""
        if self._value is None and self._error is None:
            self.set_error(error)

    @classmethod
    def failed(cls, error: BaseException) -> "Pending":
        """A result that has failed already."""
        pending = cls()
        pending.set_error(error)
        return pending

    def result(self) -> Any:
        """Waits; returns the value or raises the wrapped error."""
        with self._done:
            pass
        if self._error is not None:
            raise asynchronous(self._error)
        return self._value

    def spec(self) -> Any:
        """The description of a value that was handed out without one, as after a failure."""
        self.result()
        raise AssertionError("a value without a description must have failed")

    @property
    def error(self) -> BaseException | None:
        """Waits; the error, unwrapped, or None."""
        with self._done:
            pass
        return self._error
