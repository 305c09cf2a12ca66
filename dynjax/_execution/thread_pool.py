"""`ThreadPool`: how many threads the native kernels of a context may use."""

import operator
from typing import Any, final

from .._types.device import Device
from .threads import get_num_threads


def checked_count(where: str, num_threads: Any) -> int:
    """A number of threads that a user gave; 0 stands for the process's number.

    Raises:
        TypeError: not an int.
        ValueError: negative.
    """
    try:
        count = operator.index(num_threads)
    except TypeError:
        raise TypeError(f"{where}: num_threads={num_threads!r}; expected an int.") from None
    if count < 0:
        raise ValueError(f"{where}: num_threads={count}; expected 0 or more.")
    return count


@final
class ThreadPool:
    """A share of the library's worker threads, to be given to `EvalContext`.

    The process has one set of workers; a pool says how many of them a call may use at once.

    Args:
        num_threads: Default: `get_num_threads()`.
        device_id: number of the GPU that it belongs to; None without one.

    Raises:
        TypeError: `num_threads` is no int.
        ValueError: it is negative, or there is no such GPU.

    Example:
        >>> dynjax.ThreadPool(2).num_threads
        2
    """

    __slots__ = ("_device_id", "_num_threads")

    def __init__(self, num_threads: int | None = None, *, device_id: int | None = None):
        count = get_num_threads() if num_threads is None else num_threads
        self._num_threads = checked_count("ThreadPool", count)
        self._device_id = checked_gpu("ThreadPool", device_id)

    @property
    def num_threads(self) -> int:
        """How many threads it may use; 0 stands for the process's number."""
        return self._num_threads

    @property
    def device_id(self) -> int | None:
        """Number of its GPU, or None."""
        return self._device_id

    def __repr__(self) -> str:
        return f"ThreadPool({self._num_threads}, device_id={self._device_id})"


def checked_gpu(where: str, device_id: int | None) -> int | None:
    """The number of an existing GPU, or None.

    Raises:
        ValueError: there is no such GPU.
    """
    if device_id is None:
        return None
    try:
        return Device("gpu", device_id).device_id
    except RuntimeError as error:
        raise ValueError(f"{where}: device_id={device_id!r}; {error}") from error
