"""`StepsAhead`: the steps of a loop that were polled and are being computed."""

import contextlib
from collections import deque
from typing import Any, final

from .._execution.context import chosen_num_threads
from .attempt import Failure, attempt
from .feeders import Feeder, FeederRules
from .plan import Leftover, Plan
from .root import Root
from .steps import Item, Step
from .work import Bundle

# Results that lie ready, of all steps ahead together.
MAX_BYTES_AHEAD = 1 << 30
# Steps ahead, unless the user says how many.
PREFETCH = 2
# What is read and computed for a small step takes at most so much; so many of them are ahead, if
# the source is polled freely.
SMALL_BYTES = 1 << 19
PREFETCH_SMALL = 8
# So many small steps are computed together, as far as they take less than this.
TOGETHER = 4
MAX_BYTES_TOGETHER = 1 << 20


@final
class StepsAhead:
    """Polls steps and starts to compute them; takes back what was not handed out.

    Several loops over one source may take turns, or one that was left may linger: whoever takes a
    step makes the others give back what they polled.

    Epochs of a source usually follow one another. Once one has, the last steps of an epoch run
    ahead into the next, which takes them up where it begins.

    Attributes:
        nbytes: memory of the results of one step; 0: not known.
        weight: what is read and computed for one, in bytes; 0: not known.
    """

    def __init__(self, root: Root, plan: Plan, feeders: FeederRules, prefetch: int | None):
        self._root = root
        self._plan = plan
        self._feeders = feeders
        self._prefetch = prefetch
        self._current: Step | None = None  # that was taken last
        self._is_void = False  # what was polled was given back
        self._steps: deque[Step] = deque()
        self._beyond: deque[Step] = deque()  # of the epoch that follows
        self._bundle = Bundle()
        self.nbytes = 0
        self.weight = 0
        plan.loops.add(self)

    @property
    def steps(self) -> list[Step]:
        """All of them, the next first."""
        return [*self._steps, *self._beyond]

    def begin(self) -> None:
        """Takes up what the epoch before computed for this one, if it goes on where that ended."""
        left, self._plan.left = self._plan.left, None
        if left is None:
            return
        self._plan.repeats = False
        with contextlib.suppress(Exception):  # the first poll says what is wrong
            self._plan.repeats = left.place == self._root.place()
        if self._plan.repeats:
            self._steps.extend(left.steps)
            if self._steps:
                self._root.take_over([step.item for step in self._steps])
        else:
            left.cancel()

    def end(self) -> None:
        """The epoch is over, and the source stands behind it: leaves the rest to the next one."""
        self._bundle.submit()
        self._plan.loops.discard(self)
        place = self._root.place()
        if place is None:
            self.drop()
        else:
            self._plan.left = Leftover(place, list(self._beyond))
            self._beyond.clear()

    def take(self) -> Step | None:
        """The next step, polled now if none lies ready; None at the end of the epoch."""
        self._current = step = None
        try:
            self._make_ready()
            if not self._steps and not self._poll(0):
                return None
            step = self._steps.popleft()
            self._bundle.expect(step)
            self._current = step
            return step
        except BaseException:  # an interrupt
            self.put_back(step)
            raise

    def _make_ready(self) -> None:
        """Sees to it that what lies ahead is what comes next."""
        for other in list(self._plan.loops) if len(self._plan.loops) > 1 else ():
            if other is not self:
                other.make_way()
        if self._is_void or self._root.moved():
            self.drop()
            self._root.rewind()
            self._is_void = False
        elif not self._is_foretold():
            self.launch_again()

    def make_way(self) -> None:
        """Another loop of the source goes on: this one polls afresh when it does."""
        self._is_void = True
        self.drop()
        if self._current is not None:
            self._feeders.give_back_unread(self._current.item)

    def put_back(self, taken: Step | None) -> None:
        """What was begun was interrupted: all is polled again, with the step that was taken."""
        if taken is not None:
            self._steps.appendleft(taken)
        self._current = None
        self._is_void = True

    def fail(self, taken: Step) -> None:
        """The step that was taken has failed, which is told now, and only now."""
        if taken.item.after is not None:  # a feeder ran out
            self._feeders.forget_ends(taken.item)
            self._steps.appendleft(taken)
        self.drop()
        self._current = None
        self._root.rewind()

    def close(self) -> None:
        """The loop ends early: nothing that was polled and not read counts."""
        self.make_way()
        self._plan.loops.discard(self)

    def over(self, step: Step) -> None:
        """A step was used."""
        self.nbytes = step.nbytes or self.nbytes
        self.weight = step.weight or self.weight

    def fill(self) -> None:
        """Polls and launches as many steps as shall lie ahead, or as memory allows."""
        is_small = 0 < self.weight <= SMALL_BYTES
        depth = self._prefetch
        if depth is None:
            far = is_small and self._root.polls_freely and not self._plan.marks
            depth = PREFETCH_SMALL if far else PREFETCH
        depth = min(depth, MAX_BYTES_AHEAD // max(self.nbytes, 1))
        fitting = MAX_BYTES_TOGETHER // self.weight if is_small else 1
        self._bundle.size = max(min(TOGETHER, depth // 2, fitting), 1)
        while (count := len(self._steps) + len(self._beyond)) < depth:
            if not self._poll(1 + count) and not self._poll_beyond(1 + count):
                break
        statistics = self._plan.statistics
        statistics.peak = max(statistics.peak, self.nbytes * count)

    def feed(self, feeder: Feeder) -> None:
        """A feeder is new to the loop: the steps ahead need its data too."""
        for step in self._steps:
            if step.item.failure is not None or not self._feeders.poll(step.item, feeder):
                break
        self.launch_again()

    def launch_again(self) -> None:
        """Computes all of them anew, for where the generators stand now."""
        self._bundle.drop()
        distance = 0
        for steps in (self._steps, self._beyond):
            for k, step in enumerate(steps):
                step.cancel()
                steps[k] = self._launched(step.item, distance)
                distance += 1

    def drop(self) -> None:
        """Forgets them; sources that cannot go back get their items back."""
        for step in self.steps:
            step.cancel()
        self._bundle.drop()
        items = [step.item for step in self._steps]
        self._steps.clear()
        self._beyond.clear()
        self._root.give_back(items)
        self._feeders.give_back(items)

    def _poll(self, distance: int) -> bool:
        """Polls one more step, that many from now, and starts it; False at the end of the epoch."""
        if self._steps and self._steps[-1].item.failure is not None:
            return False
        polled = attempt(self._root.poll)
        if polled is None:
            return False
        item: Item = Item.failed(polled) if isinstance(polled, Failure) else polled
        try:
            if item.failure is None and self._prefetch != 0:  # else they are polled when read
                self._feeders.poll(item)
            step = self._launched(item, distance)
        except BaseException:  # an interrupt: it is given back with the others
            self._steps.append(Step(self._plan, item))
            raise
        self._steps.append(step)
        return True

    def _poll_beyond(self, distance: int) -> bool:
        """Polls a step of the next epoch; False if nothing is known of that."""
        if not self._plan.repeats or self._plan.marks or self._feeders.any:
            return False
        if self._steps and self._steps[-1].item.failure is not None:
            return False
        try:
            item = self._root.poll_beyond()
        except Exception:
            return False  # the next epoch meets the error in its place
        if item is None:
            return False
        self._beyond.append(self._launched(item, distance))
        return True

    def _launched(self, item: Item, distance: int) -> Step:
        step = Step(self._plan, item)
        if item.failure is None and self._plan.order:
            begin: dict[Any, Any] = self._plan.generators.expected(self._plan.rngs, distance)
            work = step.launch(self._plan, begin, self.nbytes, chosen_num_threads())
            if work is not None:
                self._bundle.add(work)
        return step

    def _is_foretold(self) -> bool:
        """Whether the generators stand where the next step was computed for."""
        if not self._steps:
            return True
        return all(rng.position == begin for rng, begin in self._steps[0].begin.items())
