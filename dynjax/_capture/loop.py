"""`CapturedLoop`: iterates over a source and computes the calls of its body ahead.

The body stays ordinary Python. Its first step runs eagerly; its calls are remembered by content
(`_execution/guards.py`). From then on they are computed in the background for steps that lie ahead,
and the body's calls find them; a call with other content is made eagerly, so the results are those
of an eager loop.
"""

import sys
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, final

from .._types.errors import OperatorError
from . import active
from .ahead import StepsAhead
from .attempt import Failure
from .body import Body
from .feeders import Feeder, FeederRules
from .root import Root
from .steps import Step, fed_parts


@final
class CapturedLoop(Iterator[Any]):
    """One epoch of a source, whose body is computed ahead; its length is the number of steps.

    It may be left at any time: nothing that was computed ahead counts as consumed.

    Args:
        root: the source.
        prefetch: how many steps are computed ahead.
        handed: makes what the body is handed of a step's outputs. Where it fails, the step counts
            as not handed out.
    """

    def __init__(
        self,
        root: Root,
        prefetch: int | None = None,
        handed: Callable[[Any], Any] = lambda outputs: outputs,
    ):
        self._root = root
        self._handed = handed
        self._plan = root.plan
        self.body = Body(root.plan)
        self._stack: Any = None
        self._reference: weakref.ref[CapturedLoop] | None = None  # once it has begun
        self._over = False
        self._broken: str | None = None
        self._feeders = FeederRules(root.name, root.plan)
        self._ahead = StepsAhead(root, root.plan, self._feeders, prefetch)
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
        self._leave_body()
        self.statistics.body_over(entered)
        self._end_step()
        if self._reference is None:
            self._reference = weakref.ref(self)
            active.count(1)
            self._ahead.begin()
        step = self._ahead.take()
        if step is None:
            self._end()
            self._root.finish()
            self._ahead.end()
            raise StopIteration
        if step.item.failure is not None:
            self._fail(step)
        try:
            outputs = self._handed(step.item.outputs)
            if self._plan.traced:
                self._ahead.fill()
            self.body.start(step)
            self._stack = active.enter(self._reference)
            self._bodies += 1
            self.statistics.body_starts(entered)
            self._root.deliver(step.item)
        except BaseException:  # also Ctrl-C: the step is not handed out
            self._leave_body()
            self.body.step = None
            self._ahead.put_back(step)
            raise
        return outputs

    def close(self) -> None:
        """Leaves the loop; the source stands behind the last step that was handed out."""
        if self._over:
            return
        self._end()
        self._leave_body()
        self.body.step = None
        self._ahead.close()
        self._feeders.release()
        self._root.leave()

    def _leave_body(self) -> None:
        if self._stack is not None and self._reference is not None:
            active.leave(self._stack, self._reference)
            self._stack = None

    def _end(self) -> None:
        self._over = True
        if self._reference is not None:
            active.count(-1)

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
                # An earlier loop may know it: the steps ahead need its data then.
                self._ahead.feed(feeder)
        except Exception as error:
            self._break(error)
            raise
        if isinstance(outputs, Failure):
            outputs.throw()
        for origin, data in fed_parts(feeder, outputs):
            step.know(data, self._plan.source_value(origin))
        return outputs

    # Between the bodies ----------------------------------------------------------------------

    def _end_step(self) -> None:
        """Learns from the step that has ended."""
        step = self.body.step
        if step is None:
            return
        error = self._feeders.unread(step.item)
        if error is not None:
            self._break(error)
            raise error
        self.body.end()
        step.forget()
        step.count_unused()
        first = not self._plan.traced
        self._plan.end_step()
        if first and not self._plan.nodes and not self._feeders.any:
            warnings.warn(
                f"{self._root.name}: no operators were captured; the loop runs eagerly.",
                UserWarning,
                stacklevel=3,
            )
        self._ahead.over(step)

    def _fail(self, step: Step) -> NoReturn:
        """Raises what the step failed with."""
        assert step.item.failure is not None
        self._ahead.fail(step)
        if self._feeders.any:
            self._break(step.item.failure.error)
        step.item.failure.throw()

    def _break(self, error: BaseException | None) -> None:
        self.close()
        self._broken = str(error)
