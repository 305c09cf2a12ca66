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


def set_num_threads(num_threads: int | None) -> None:
    """Sets how many threads the library's CPU kernels use. Call it once, at start-up.

    Args:
        num_threads: the number; None restores the default: the environment variable
            `DYNJAX_NUM_THREADS` or `DALI_NUM_THREADS`, else the CPUs this process may use.

    Raises:
        TypeError: not an int.
        ValueError: less than 1, or more than 100 for each CPU.
    """
    global _chosen
    if num_threads is not None:
        if not isinstance(num_threads, int) or isinstance(num_threads, bool):
            raise TypeError(f"set_num_threads: expected an int, got {num_threads!r}.")
        if not 0 < num_threads <= 100 * _cpus():
            raise ValueError(
                f"set_num_threads: {num_threads} threads; expected 1 to {100 * _cpus()}."
            )
    _chosen = num_threads
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
