"""Inputs that a queued program still has to read.

A program of native calls runs within the call that starts it, unless another program, such as a
training step, is in flight on the CPU: then JAX queues it. JAX does not know of memory that a
kernel reads by address, so it is kept here until the program has run.
"""

import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from .._types.storage import Storage

_lock = threading.Lock()
_held: deque[tuple[Any, Sequence[Storage]]] = deque()


def hold(result: Any, inputs: Sequence[Storage]) -> None:
    """Keeps `inputs` alive until `result`, a JAX array, exists."""
    if result.is_ready():
        if _held:
            release()
        return
    with _lock:
        _held.append((result, inputs))


def release() -> None:
    """Lets go of inputs whose programs have run."""
    finished = []
    with _lock:
        while _held and _held[0][0].is_ready():
            finished.append(_held.popleft())
    # Their storages die outside the lock: they may offer buffers for recycling.
    finished.clear()
