"""`EvalMode`: when an operator runs, and where its error appears."""

import enum
import threading


class EvalMode(enum.Enum):
    """When operators run. As a context manager, sets the mode of the current thread.

    * `deferred`: on first use of the data; what is pending by then is compiled as one function.
      Native kernels, which a compiler cannot look into, run as in `eager`.
    * `eager` (default): at once; large work in the background, so that the call returns at once.
      Errors appear at the first use of the data.
    * `sync_cpu`: before the call returns; errors are raised by the call.
    * `sync_full`: the same, and devices have finished too.

    Example:
        >>> with dynjax.EvalMode.sync_full:
        ...     dynjax.EvalMode.current().name
        'sync_full'
    """

    deferred = 1
    eager = 2
    sync_cpu = 3
    sync_full = 4
    default = 2

    @classmethod
    def current(cls) -> "EvalMode":
        """The mode of this thread."""
        return _entered.modes[-1] if _entered.modes else cls.eager

    def __enter__(self) -> None:
        _entered.modes.append(self)

    def __exit__(self, *_) -> None:
        _entered.modes.pop()

    def __lt__(self, other: "EvalMode") -> bool:
        return self.value < other.value

    def __le__(self, other: "EvalMode") -> bool:
        return self.value <= other.value

    def __gt__(self, other: "EvalMode") -> bool:
        return self.value > other.value

    def __ge__(self, other: "EvalMode") -> bool:
        return self.value >= other.value


class _Entered(threading.local):
    """The modes that a thread has entered, innermost last."""

    def __init__(self):
        self.modes: list[EvalMode] = []


_entered = _Entered()


def is_deferred() -> bool:
    """Whether operators of this thread wait until their results are used."""
    return bool(_entered.modes) and _entered.modes[-1] is EvalMode.deferred


def is_synchronous() -> bool:
    """Whether operators of this thread are done when their call returns."""
    return bool(_entered.modes) and _entered.modes[-1] >= EvalMode.sync_cpu
