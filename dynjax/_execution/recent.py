"""`Recent`: a cache of a bounded number of entries, for several threads."""

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar, final

T = TypeVar("T")


@final
class Recent(Generic[T]):
    """Keeps what was put in last.

    Attributes:
        get: of a key, the value, or None. Takes no lock.
    """

    __slots__ = ("_lock", "_most", "_values", "get")

    def __init__(self, most: int):
        self._most = most
        self._values: dict[Hashable, T] = {}
        self._lock = threading.Lock()  # for writers: two threads may evict at once
        self.get = self._values.get

    def __len__(self) -> int:
        return len(self._values)

    def put(self, key: Hashable, value: T) -> None:
        """Adds a value, in place of the oldest one if there are as many as there may be."""
        with self._lock:
            if len(self._values) >= self._most:
                del self._values[next(iter(self._values))]
            self._values[key] = value
