"""Threads for decoders of other libraries, which let the GIL go while they work."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

# By process: a forked child has none of its parent's threads.
_pools: dict[int, ThreadPoolExecutor] = {}


def thread_count() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def submitted(function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
    """Starts a call in one of the threads."""
    pool = _pools.get(os.getpid())
    if pool is None:
        pool = ThreadPoolExecutor(thread_count(), thread_name_prefix="dynjax-decoder")
        pool = _pools.setdefault(os.getpid(), pool)
    return pool.submit(function, *arguments)
