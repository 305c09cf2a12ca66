"""`PerProcess`: objects that a forked child must not share with its parent."""

import os
from collections.abc import Callable
from typing import Generic, TypeVar, final

T = TypeVar("T")


@final
class PerProcess(Generic[T]):
    """An object for each process, made when it is first asked for.

    A forked child has none of its parent's threads, waits for ever for locks that these held, and
    shares the places in its parent's open files.

    Args:
        make: makes one. Two threads may do so at once; one of theirs is kept.
    """

    __slots__ = ("_make", "_of")

    def __init__(self, make: Callable[[], T]):
        self._make = make
        self._of: dict[int, T] = {}

    def __call__(self) -> T:
        """This process's."""
        own = self._of.get(os.getpid())
        return self._of.setdefault(os.getpid(), self._make()) if own is None else own
