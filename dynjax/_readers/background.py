"""Python work in background threads, for sources that native code cannot read."""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar, final

T = TypeVar("T")
S = TypeVar("S")

# Seconds after which a thread without work ends.
IDLE = 1.0


@final
class Threads:
    """Runs tasks in up to `most` threads, which start when needed and end when idle.

    They are daemons: a server that does not answer must not hold up the end of the program.
    """

    def __init__(self, most: int):
        self._most = most
        self._reset()

    def _reset(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._tasks: deque[Callable[[], None]] = deque()
        self._threads = self._idle = 0

    def submit(self, task: Callable[[], None]) -> None:
        """Has a task, which raises nothing, run soon; tasks start in the order given."""
        if os.getpid() != self._process:  # a forked child has none of its parent's threads
            self._reset()
        with self._changed:
            self._tasks.append(task)
            if self._idle < len(self._tasks) and self._threads < self._most:
                self._threads += 1
                threading.Thread(target=self._work, name="dynjax-read", daemon=True).start()
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                self._changed.wait_for(lambda: self._tasks, IDLE)
                self._idle -= 1
                if not self._tasks:
                    self._threads -= 1
                    return
                task = self._tasks.popleft()
            task()
            del task  # what it holds must not wait for the next one


class _Run:
    """What the waiting thread and the working ones share."""

    def __init__(self, count: int):
        self.dropped = threading.Event()
        self._changed = threading.Condition()
        self._left = count

    def do(self, action: Callable[[threading.Event], None]) -> None:
        if not self.dropped.is_set():
            action(self.dropped)
        with self._changed:
            self._left -= 1
            self._changed.notify_all()

    def wait(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._left == 0)


@final
class Tasks:
    """Actions under way. Dropping this cancels those that have not begun.

    Args:
        threads: where they run.
        actions: called once each (in a forked child again), with an event that is set once nobody
            wants the result any more. They raise nothing, and must not refer to this object.
    """

    def __init__(self, threads: Threads, actions: Sequence[Callable[[threading.Event], None]]):
        self._threads = threads
        self._actions = actions
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._run = run = _Run(len(self._actions))
        for action in self._actions:
            self._threads.submit(lambda action=action: run.do(action))

    def __del__(self) -> None:
        if run := getattr(self, "_run", None):
            run.dropped.set()

    def wait(self) -> None:
        """Waits for all of them."""
        if os.getpid() != self._process:
            self._start()
        self._run.wait()


def mapped(threads: Threads, function: Callable[[T], S], items: Sequence[T]) -> list[S]:
    """`[function(x) for x in items]`, many at a time. Raises the first error, in their order."""
    results: dict[int, S] = {}
    errors: dict[int, Exception] = {}

    def action(k: int) -> None:
        try:
            if not errors:
                results[k] = function(items[k])
        except Exception as error:
            errors[k] = error

    Tasks(threads, [lambda _, k=k: action(k) for k in range(len(items))]).wait()
    if errors:
        raise errors[min(errors)]
    return [results[k] for k in range(len(items))]
