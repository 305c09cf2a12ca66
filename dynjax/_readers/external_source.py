"""`ExternalSource`: data from Python, as Tensors or Batches."""

from collections.abc import Sequence
from typing import Any, final

from .._capture import active
from .._capture.attempt import Failure
from .._capture.loop import CapturedLoop
from .._capture.plan import Plan
from .._capture.root import Root
from .._capture.steps import Item
from .._types.batch import Batch
from .._types.data import Data
from .._types.device import Device
from .._types.errors import ArgumentError, OperatorError
from .arguments import integer
from .source_items import SourceItems

_ROLES = {
    "direct": "by direct calls",
    "loop": "as the source of a captured loop",
    "feeder": "in the body of a captured loop",
}


@final
class ExternalSource:
    """Makes a source of data from a callable, an iterable or a generator function.

    What the source gives is copied when it is taken. It is always called by the thread that uses
    it: in a captured loop ahead of the body, unless `prefetch=0`.

    Args:
        source: a callable without parameters, an iterable (a list, an iterator, a data loader) or a
            generator function. It ends with StopIteration.
        num_outputs: values in an item; more than one makes items sequences of that length.
        cycle: what happens at the end: None, False or `"no"`: it stays at the end; True or
            `"quiet"`: it starts again; `"raise"`: StopIteration, then it starts again.
        device: where the data go: `"cpu"` (default), `"gpu"`, `"tpu"`.
        layout, dtype: of the outputs, one for all or one for each.

    Raises:
        ValueError: `num_outputs` below 1, a callable with parameters, an unknown `cycle` or one
            for a callable that cannot start again, lists of a wrong length.
        TypeError: a source that is neither callable nor iterable.

    Example:
        >>> source = dynjax.ExternalSource([np.arange(3), np.arange(4)])
        >>> source().shape, source().shape
        ((3,), (4,))
    """

    def __init__(
        self,
        source: Any,
        num_outputs: int = 1,
        *,
        cycle: bool | str | None = None,
        device: Device | str | None = "cpu",
        layout: str | Sequence[str] | None = None,
        dtype: Any = None,
    ):
        self.name = "ExternalSource"
        self._items = SourceItems(source, num_outputs, cycle, device, layout, dtype)
        self._single = num_outputs == 1
        self._role: str | None = None
        self._owner: object = None
        self._plan = Plan()

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """The next item: a Tensor, or a Batch where the source gives one or `batch_size` is given.

        In the body of a captured loop it feeds that loop: it is to be called once in each step.

        Raises:
            StopIteration: the source is at its end.
            ArgumentError: a batch of another size.
            TypeError: outputs of which some are Batches and some are not.
            OperatorError: the source is used in another way.
        """
        loop = active.current()
        if loop is not None and self._role != "direct":
            return loop.feed(self, batch_size)
        self._use("direct")
        return self._sized(self._items.take(), batch_size)

    def captured(
        self, batch_size: int, ctx: object = None, *, prefetch: int | None = None
    ) -> CapturedLoop:
        """Iterates over the source once and computes the calls of the loop's body ahead.

        Args:
            batch_size: number of samples; tensors are repeated to a batch.
            ctx: an `EvalContext`; without effect.
            prefetch: the number of steps to compute ahead. Default 2. With 0 the source is called
                when its item is due, as a source needs that reads what the body changes.

        Raises:
            OperatorError: the source is used in another way.
            ArgumentError: (from the iterator) a batch of another size.
        """
        size = integer(self.name, "batch_size", batch_size)
        if prefetch is not None:
            prefetch = integer(self.name, "prefetch", prefetch)
        if size < 1:
            raise ArgumentError(f"ExternalSource: batch_size={size}; expected 1 or more.")
        self._use("loop")
        return CapturedLoop(_SourceRoot(self, self._plan, size), prefetch)

    # For loops -------------------------------------------------------------------------------

    def claim(self, owner: object) -> None:
        """Binds it to the loop that it feeds."""
        if self._owner is not None and self._owner is not owner:
            raise OperatorError(
                "ExternalSource: it feeds another captured loop. Make one for each loop."
            )
        self._use("feeder")
        self._owner = owner

    def release(self) -> None:
        """It may be used in any way again."""
        self._role = self._owner = None

    def poll(self, batch_size: int | None) -> tuple[Any, tuple[Data, ...]]:
        """The next item, and what to give back if it is not used."""
        taken = self._items.take()
        return self._sized(taken, batch_size), taken

    def give_back(self, items: Sequence[tuple[Data, ...] | Failure]) -> None:
        """Takes back items that were polled and not used, and failures."""
        self._items.give_back(items)

    def _use(self, role: str) -> None:
        if self._role is not None and self._role != role:
            raise OperatorError(
                f"ExternalSource: used {_ROLES[role]}, after it was used {_ROLES[self._role]}. "
                "Make one for each use."
            )
        self._role = role

    def _sized(self, taken: tuple[Data, ...], batch_size: int | None) -> Any:
        """An item as it is handed out: tensors are repeated to a batch, if one is wanted."""
        outputs = []
        for value in taken:
            if batch_size is None:
                outputs.append(value)
                continue
            if isinstance(value, Batch) and batch_size != value.batch_size:
                raise ArgumentError(
                    f"ExternalSource: the source gave a batch of {value.batch_size} samples; "
                    f"expected {batch_size}."
                )
            whole = isinstance(value, Batch)
            outputs.append(value if whole else Batch.broadcast(value, batch_size))
        return outputs[0] if self._single else tuple(outputs)


@final
class _SourceRoot(Root):
    """One pass over an ExternalSource."""

    def __init__(self, source: ExternalSource, plan: Plan, batch_size: int):
        self.name = "ExternalSource"
        self.plan = plan
        self._source = source
        self._batch_size = batch_size
        self._has_ended = False
        self._end_is_told = False
        self._gave = False

    def poll(self) -> Item | None:
        """The next item of the source."""
        if self._has_ended:
            return None
        try:
            return Item(*self._source.poll(self._batch_size))
        except StopIteration:
            self._has_ended = True
            return None

    def deliver(self, item: Item) -> None:
        """Notes that the source is in use."""
        del item
        self._gave = True

    def finish(self) -> None:
        """A source that gave nothing is left as it was."""
        self._end_is_told = True
        if not self._gave:
            self._source.release()

    def give_back(self, items: list[Item]) -> None:
        """The items wait for the next use of the source, and so does its end."""
        back = [item.back for item in items]
        if self._has_ended and not self._end_is_told:
            self._has_ended = False
            back.append(Failure(StopIteration()))
        self._source.give_back(back)
