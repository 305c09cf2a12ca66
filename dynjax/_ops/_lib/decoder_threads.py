"""Threads for decoders of other libraries, which let the GIL go while they work."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ..._types.per_process import PerProcess


def thread_count() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


_pool = PerProcess(lambda: ThreadPoolExecutor(thread_count(), thread_name_prefix="dynjax-decoder"))


def submitted(function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
    """Starts a call in one of the threads."""
    return _pool().submit(function, *arguments)
