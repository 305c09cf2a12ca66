"""How many threads native kernels use."""

import os

from .._native import native

_ENVIRONMENT = ("DYNJAX_NUM_THREADS", "DALI_NUM_THREADS")
_chosen: int | None = None
_applied = False


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _default() -> int:
    for name in _ENVIRONMENT:
        if text := os.environ.get(name):
            try:
                return max(int(text), 1)
            except ValueError:
                raise ValueError(f"{name}={text!r}; expected a whole number of threads.") from None
    return _cpus()


def set_num_threads(n: int | None) -> None:
    """Sets how many threads the library's CPU kernels use. Call it once, at start-up.

    Args:
        n: the number; None restores the default: the environment variable
            `DYNJAX_NUM_THREADS` or `DALI_NUM_THREADS`, else the CPUs this process may use.

    Raises:
        TypeError: not an int.
        ValueError: less than 1, or more than 100 for each CPU.
    """
    global _chosen
    if n is not None:
        if not isinstance(n, int) or isinstance(n, bool):
            raise TypeError(f"set_num_threads: expected an int, got {n!r}.")
        if not 0 < n <= 100 * _cpus():
            raise ValueError(f"set_num_threads: {n} threads; expected 1 to {100 * _cpus()}.")
    _chosen = n
    apply_num_threads(again=True)


def get_num_threads() -> int:
    """The number of threads that the library's CPU kernels use."""
    return _chosen if _chosen is not None else _default()


def apply_num_threads(again: bool = False) -> None:
    """Tells the native pool; at the first native call, since the environment is read then."""
    global _applied
    if again or not _applied:
        native.set_num_threads(get_num_threads())
        _applied = True
