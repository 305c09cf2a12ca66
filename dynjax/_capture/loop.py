"""`CapturedLoop`: iterates over a source and computes the calls of its body ahead.

The body stays ordinary Python. Its first step runs eagerly; its calls are remembered by content
(`_execution/guards.py`). From then on they are computed in the background for steps that lie ahead,
and the body's calls find them; a call with other content is made eagerly, so the results are those
of an eager loop.
"""

import sys
import time
import warnings
from collections import deque
from collections.abc import Iterator
from typing import Any, final

from .._execution.context import chosen_num_threads
from .._types.errors import OperatorError
from . import active
from .body import Body
from .feeders import Feeder, FeederRules
from .root import Root
from .steps import Item, Step, parts

# Results that lie ready, of all steps ahead together.
MAX_BYTES_AHEAD = 1 << 30
PREFETCH = 2


@final
class CapturedLoop(Iterator[Any]):
    """One epoch of a source, whose body is computed ahead; its length is the number of steps.

    It may be left at any time: nothing that was computed ahead counts as consumed.
    """

    def __init__(self, root: Root, prefetch: int | None = None):
        self._root = root
        self._plan = root.plan
        self._prefetch = PREFETCH if prefetch is None else prefetch
        self._ahead: deque[Step] = deque()
        self.body = Body(root.plan)
        self._stack: Any = None
        self._over = False
        self._broken: str | None = None
        self._feeders = FeederRules(root.name, root.plan)
        self._nbytes = 0
        self.statistics = root.plan.statistics
        self._bodies = 0

    def __iter__(self) -> "CapturedLoop":
        return self

    def __len__(self) -> int:
        return self._root.length()

    def __next__(self) -> Any:
        entered = time.perf_counter()
        if self._broken is not None:
            raise OperatorError(f"{self._root.name}: the loop is over, after: {self._broken}")
        if self._over:
            raise StopIteration
        if self._stack is not None:
            active.leave(self._stack, self)
            self._stack = None
        self.statistics.body_over(entered)
        self._end_step()
        step = self._next_step()
        if step is None:
            self._over = True
            self._root.finish()
            raise StopIteration
        self.body.step = step
        self.body.generators.start()
        self._stack = active.enter(self)
        self._bodies += 1
        self.statistics.body_starts(entered)
        return step.item.outputs

    def close(self) -> None:
        """Leaves the loop; the source stands behind the last step that was handed out."""
        if self._over:
            return
        self._over = True
        if self._stack is not None:
            active.leave(self._stack, self)
            self._stack = None
        self.body.step = None
        self._drop_ahead()
        self._feeders.release()
        self._root.leave()

    def __del__(self):
        # Half-made objects, and interpreters that are going away, have nothing to close.
        if getattr(self, "_over", True) or sys.is_finalizing():
            return
        self.close()

    # Feeders -------------------------------------------------------------------------------

    def feed(self, feeder: Feeder, batch_size: Any) -> Any:
        """What a feeder gives in this step."""
        step = self.body.step
        assert step is not None
        try:
            known = self._feeders.knows(feeder)
            outputs = self._feeders.read(feeder, step.item, batch_size, self._bodies == 1)
            if not known:
                self._feed_ahead(feeder)
        except Exception as error:
            self._break(error)
            raise
        for index, data in parts(outputs).items():
            step.know(data, self._plan.source_value((feeder, index)))
        return outputs

    def _feed_ahead(self, feeder: Feeder) -> None:
        """A feeder that an earlier loop knew is new to this one: steps ahead need its data too."""
        for step in self._ahead:
            try:
                self._feeders.poll(step.item, feeder)
            except OperatorError as error:
                step.item.error = error
        self._launch_again()

    # Between the bodies ----------------------------------------------------------------------

    def _end_step(self) -> None:
        """Learns from the step that has ended."""
        step, self.body.step = self.body.step, None
        if step is None:
            return
        error = self._feeders.unread(step.item)
        if error is not None:
            self._break(error)
            raise error
        self.body.generators.end(self._plan.rngs)
        step.forget()
        for node, made in step.handed:
            alive = node.wanted or any(r() is not None for r in made)
            node.unused = 0 if alive else node.unused + 1
        first = not self._plan.traced
        self._plan.end_step()
        if first and not self._plan.nodes and not self._feeders.any:
            warnings.warn(
                f"{self._root.name}: no operators were captured; the loop runs eagerly.",
                UserWarning,
                stacklevel=3,
            )
        self._nbytes = max(step.nbytes(), 1)

    def _next_step(self) -> Step | None:
        """The next step, polled and launched, with more of them behind it."""
        if self._root.moved():
            self._drop_ahead()
            self._root.rewind()
        elif not self._is_foretold():
            self._launch_again()
        if not self._ahead and not self._poll(0):
            return None
        step = self._ahead.popleft()
        if step.item.error is not None:
            self._drop_ahead()
            self._root.rewind()
            if self._feeders.any:
                self._break(step.item.error)
            raise step.item.error
        self._root.deliver(step.item)
        if self._plan.traced:
            depth = min(self._prefetch, MAX_BYTES_AHEAD // max(self._nbytes, 1))
            while len(self._ahead) < depth and self._poll(1 + len(self._ahead)):
                pass
        return step

    def _poll(self, distance: int) -> bool:
        """Polls one more step, that many from now, and starts it; False at the end of the epoch."""
        if self._ahead and self._ahead[-1].item.error is not None:
            return False
        try:
            item = self._root.poll()
            if item is None:
                return False
        except Exception as error:
            item = Item((), error=error)
        else:
            try:
                self._feeders.poll(item)
            except OperatorError as error:
                self._root.give_back([item])
                item = Item((), error=error)
        step = Step(self._plan, item)
        self._ahead.append(step)
        if item.error is None and self._plan.order:
            self._launch(step, distance)
        return True

    def _launch(self, step: Step, distance: int) -> None:
        begin = self.body.generators.expected(self._plan.rngs, distance)
        step.launch(self._plan, begin, self._nbytes, chosen_num_threads())

    def _is_foretold(self) -> bool:
        """Whether the generators stand where the next step was computed for."""
        if not self._ahead:
            return True
        return all(rng.position == begin for rng, begin in self._ahead[0].begin.items())

    def _launch_again(self) -> None:
        """Computes the steps ahead anew, for where the generators stand now."""
        steps, self._ahead = self._ahead, deque()
        for step in steps:
            step.cancel()
            again = Step(self._plan, step.item)
            self._ahead.append(again)
            if step.item.error is None and self._plan.order:
                self._launch(again, len(self._ahead) - 1)

    def _drop_ahead(self) -> None:
        """Forgets the steps ahead; sources that cannot go back get their items back."""
        steps, self._ahead = self._ahead, deque()
        for step in steps:
            step.cancel()
        items = [step.item for step in steps if step.item.error is None]
        self._root.give_back(items)
        self._feeders.give_back(items)

    def _break(self, error: BaseException) -> None:
        self.close()
        self._broken = str(error)
