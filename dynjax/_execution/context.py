"""`EvalContext`: which threads and device the operators of a thread use."""

import contextlib
import threading
from collections.abc import Generator
from typing import Any, final

from .._native import native
from .checkpoint import Checkpoint
from .thread_pool import ThreadPool, checked_count, checked_gpu
from .threads import get_num_threads


class _PerThread(threading.local):
    """The contexts that a thread has entered, innermost last, and its default one."""

    def __init__(self):
        self.active: list[EvalContext] = []
        self.default: EvalContext | None = None


_thread = _PerThread()


@final
class EvalContext:
    """Where operators run. As a context manager, applies to the calls of the current thread.

    It can be entered again in the same thread, but not in a second one at the same time.

    Args:
        num_threads: for CPU kernels; 0 or None: the process's number, `get_num_threads()`.
        device_id: number of the GPU; None without one.
        cuda_stream: accepted for compatibility; JAX orders the work by itself.
        thread_pool: instead of `num_threads`.

    Raises:
        ValueError: both `num_threads` and `thread_pool`, a negative number, a pool of another
            device, or no such GPU.

    Example:
        >>> with dynjax.EvalContext(num_threads=1) as context:
        ...     dynjax.EvalContext.current() is context
        True
    """

    __slots__ = (
        *(
            "__weakref__",
            "_checkpoint",
            "_cuda_stream",
            "_depth",
            "_device_id",
            "_lock",
            "_num_threads",
        ),
        *("_owner", "_thread_pool"),
    )

    def __init__(
        self,
        *,
        num_threads: int | None = None,
        device_id: int | None = None,
        cuda_stream: Any = None,
        thread_pool: ThreadPool | None = None,
    ):
        if num_threads is not None and thread_pool is not None:
            raise ValueError("EvalContext: num_threads and thread_pool are given; pass one.")
        if thread_pool is not None and not isinstance(thread_pool, ThreadPool):
            raise TypeError(f"EvalContext: thread_pool={thread_pool!r}; expected a ThreadPool.")
        self._device_id = checked_gpu("EvalContext", device_id)
        if thread_pool is not None and thread_pool.device_id != self._device_id:
            raise ValueError(
                f"EvalContext: the thread pool belongs to GPU {thread_pool.device_id}, the context "
                f"to {self._device_id}."
            )
        self._num_threads = (
            None if num_threads is None else checked_count("EvalContext", num_threads)
        )
        self._cuda_stream = cuda_stream
        self._thread_pool = thread_pool
        self._checkpoint: Checkpoint | None = None
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._depth = 0

    @staticmethod
    def current() -> "EvalContext":
        """The innermost context that this thread has entered, else its default one."""
        return _thread.active[-1] if _thread.active else EvalContext.default()

    @staticmethod
    def default() -> "EvalContext":
        """This thread's default context."""
        if _thread.default is None:
            _thread.default = EvalContext()
        return _thread.default

    @property
    def num_threads(self) -> int:
        """How many threads CPU kernels may use."""
        return self.own_num_threads or get_num_threads()

    @property
    def own_num_threads(self) -> int:
        """The number that was asked for; 0 if the process's number applies."""
        if self._thread_pool is not None:
            return self._thread_pool.num_threads
        return self._num_threads or 0

    @property
    def thread_pool(self) -> ThreadPool:
        """The pool of the context."""
        if self._thread_pool is None:
            return ThreadPool(self.num_threads, device_id=self._device_id)
        return self._thread_pool

    @property
    def device_id(self) -> int | None:
        """Number of the GPU, or None."""
        return self._device_id

    @property
    def cuda_stream(self) -> Any:
        """The stream that was given, or None."""
        return self._cuda_stream

    @property
    def checkpoint(self) -> Checkpoint:
        """The context's checkpoint. That of the default context lives as long as its thread."""
        if self._checkpoint is None:
            self._checkpoint = Checkpoint()
        return self._checkpoint

    def evaluate_all(self) -> None:
        """Without effect, as in the original."""

    def __enter__(self) -> "EvalContext":
        me = threading.get_ident()
        with self._lock:
            if self._depth and self._owner != me:
                raise RuntimeError(
                    "EvalContext: it is active in another thread. Use a context for each thread."
                )
            self._owner = me
            self._depth += 1
        _thread.active.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        _thread.active.pop()
        with self._lock:
            self._depth -= 1


def current_checkpoint() -> Checkpoint:
    """The checkpoint of the current context: `EvalContext.current().checkpoint`."""
    return EvalContext.current().checkpoint


def chosen_num_threads() -> int:
    """The number of threads that this thread's context asks for; 0 for the process's number."""
    return _thread.active[-1].own_num_threads if _thread.active else 0


@contextlib.contextmanager
def limited(num_threads: int) -> Generator[None]:
    """Native kernels that this thread starts use so many threads; 0 leaves the number alone."""
    if not num_threads:
        yield
        return
    native.set_thread_local_num_threads(num_threads)
    try:
        yield
    finally:
        native.set_thread_local_num_threads(0)
