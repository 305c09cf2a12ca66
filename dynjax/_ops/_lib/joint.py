"""Several outputs of one host computation."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, final

from ..._types.storage import Storage

HostWay = Callable[[Sequence[Storage]], Storage]


@final
class Joint:
    """Computes all outputs of a call when the first is asked for, and hands them out one by one.

    An operator's outputs are computed one after another, on one thread, from one list of inputs.
    """

    def __init__(self, compute: Callable[[Sequence[Storage]], tuple[Storage, ...]]):
        self._compute = compute
        self._last = threading.local()

    def part(self, k: int) -> HostWay:
        """The host way of output `k`."""

        def host(storages: Sequence[Storage]) -> Storage:
            waiting: dict[int, Any] = getattr(self._last, "parts", {})
            if k not in waiting or self._last.inputs is not storages:
                self._last.inputs = storages
                waiting = self._last.parts = dict(enumerate(self._compute(storages)))
            result = waiting.pop(k)
            if not waiting:
                self._last.inputs = None
            return result

        return host
