"""`EvalMode`: when an operator runs, and where its error appears."""

import enum
import threading


class EvalMode(enum.Enum):
    """When operators run. As a context manager, sets the mode of the current thread.

    * `deferred`: on first use of the data. Not built yet: the same as `eager`.
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
        stack = getattr(_STACK, "modes", None)
        return stack[-1] if stack else cls.eager

    def __enter__(self) -> None:
        if not hasattr(_STACK, "modes"):
            _STACK.modes = []
        _STACK.modes.append(self)

    def __exit__(self, *_) -> None:
        _STACK.modes.pop()

    def __lt__(self, other: "EvalMode") -> bool:
        return self.value < other.value

    def __le__(self, other: "EvalMode") -> bool:
        return self.value <= other.value

    def __gt__(self, other: "EvalMode") -> bool:
        return self.value > other.value

    def __ge__(self, other: "EvalMode") -> bool:
        return self.value >= other.value


_STACK = threading.local()
