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
from queue import SimpleQueue

MAX_BYTES_IN_FLIGHT = 2 << 30

Task = Callable[[], None]
Abandon = Callable[[str], None]
_Entry = tuple[Task, int, Abandon]

_SHUTTING_DOWN = "the interpreter is shutting down"


def _nothing(why: str) -> None:
    del why


class WorkQueue:
    """A bounded queue and its one thread, which starts with the first task.

    A task is handed over by `SimpleQueue`, which costs neither side Python code; only a caller that
    finds the bound reached, or somebody who waits for that, needs the condition.
    """

    def __init__(self, max_bytes: int = MAX_BYTES_IN_FLIGHT):
        self._max_bytes = max_bytes
        self._tasks: SimpleQueue[_Entry | None] = SimpleQueue()  # None: stop
        self._unfinished: deque[_Entry] = deque()  # with the one that runs
        self._lock = threading.RLock()
        self._fits = threading.Condition(self._lock)
        self._waiters = 0  # callers that wait until `_fits`
        self._bytes = 0
        self._thread: threading.Thread | None = None
        self._stopping = False

    def submit(self, task: Task, nbytes: int, abandon: Abandon = _nothing) -> None:
        """Queues a task that will hold `nbytes`; waits while too much is in flight.

        A task never raises: it delivers its own errors. After `stop` it runs in place. A task that
        will not be run is abandoned, with the reason.
        """
        with self._lock:
            while self._bytes and self._bytes + nbytes > self._max_bytes and not self._stopping:
                self._waiters += 1
                self._fits.wait()
                self._waiters -= 1
            stopping = self._stopping
            if not stopping:
                self._bytes += nbytes
                entry = (task, nbytes, abandon)
                self._unfinished.append(entry)
                self._tasks.put(entry)
                if self._thread is None:
                    self._start()
        if stopping:
            task()

    def _start(self) -> None:
        # A daemon, joined by `stop` in atexit: a plain thread would be joined before atexit
        # callbacks could stop it, an unjoined one may abort the process inside JAX.
        self._thread = threading.Thread(target=self._run, name="dynjax-dispatch", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        tasks, lock = self._tasks, self._lock
        while (entry := tasks.get()) is not None:
            task, nbytes, abandon = entry
            if self._stopping:
                abandon(_SHUTTING_DOWN)
            else:
                task()
            self._unfinished.popleft()
            del task, abandon, entry  # what it held may be recycled before the next one runs
            with lock:
                self._bytes -= nbytes
                if self._waiters:
                    self._fits.notify_all()

    def stop(self) -> None:
        """Ends the thread after the task it is in; queued ones are abandoned."""
        with self._lock:
            self._stopping = True
            self._fits.notify_all()
            thread = self._thread
            self._tasks.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def abandon_all(self, why: str) -> None:
        """Abandons every task, also the running one; for a queue whose thread does not exist."""
        for _, _, abandon in self._unfinished:
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
