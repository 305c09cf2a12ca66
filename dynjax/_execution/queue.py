"""The background thread that dispatches large work, so that an operator call returns at once.

One thread, first in first out: what a task needs was queued before it. The thread holds the GIL
only to dispatch; a kernel spreads over the native pool. The work in flight is bounded in bytes, so
that a fast producer cannot fill the memory.
"""

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable

MAX_BYTES_IN_FLIGHT = 2 << 30

Task = Callable[[], None]
Abandon = Callable[[str], None]


def _nothing(why: str) -> None:
    del why


class WorkQueue:
    """A bounded queue and its one thread, which starts with the first task."""

    def __init__(self, max_bytes: int = MAX_BYTES_IN_FLIGHT):
        self._max_bytes = max_bytes
        self._changed = threading.Condition()
        self._tasks: deque[tuple[Task, int, Abandon]] = deque()
        self._abandon_running: Abandon = _nothing
        self._bytes = 0
        self._thread: threading.Thread | None = None
        self._stopping = False

    def submit(self, task: Task, nbytes: int, abandon: Abandon = _nothing) -> None:
        """Queues a task that will hold `nbytes`; waits while too much is in flight.

        A task never raises: it delivers its own errors. After `stop` it runs in place. A task that
        will not be run is abandoned, with the reason.
        """
        with self._changed:
            while self._bytes and self._bytes + nbytes > self._max_bytes and not self._stopping:
                self._changed.wait()
            if not self._stopping:
                self._tasks.append((task, nbytes, abandon))
                self._bytes += nbytes
                self._start()
                self._changed.notify_all()
                return
        task()

    def _start(self) -> None:
        if self._thread is None:
            # A daemon, joined by `stop` in atexit: a plain thread would be joined before atexit
            # callbacks could stop it, an unjoined one may abort the process inside JAX.
            self._thread = threading.Thread(target=self._run, name="dynjax-dispatch", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._tasks and not self._stopping:
                    self._changed.wait()
                if not self._tasks:
                    return
                task, nbytes, self._abandon_running = self._tasks.popleft()
            task()
            self._abandon_running = _nothing
            del task  # what it held may be recycled before the next one runs
            with self._changed:
                self._bytes -= nbytes
                self._changed.notify_all()

    def stop(self) -> None:
        """Ends the thread after the task it is in; queued ones are abandoned."""
        with self._changed:
            self._stopping = True
            dropped = list(self._tasks)
            self._tasks.clear()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        for _, _, abandon in dropped:
            abandon("the interpreter is shutting down")

    def abandon_all(self, why: str) -> None:
        """Abandons every task, also the running one; for a queue whose thread does not exist."""
        for abandon in (self._abandon_running, *(abandon for _, _, abandon in self._tasks)):
            abandon(why)


_queue = WorkQueue()


def submit(task: Task, nbytes: int, abandon: Abandon) -> None:
    """Queues a task on the process's queue."""
    _queue.submit(task, nbytes, abandon)


def _after_fork() -> None:
    # The parent's thread does not exist here and its condition may be locked for ever.
    global _queue
    parents, _queue = _queue, WorkQueue()
    parents.abandon_all("the process was forked before it was done")


def _at_exit() -> None:
    _queue.stop()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
