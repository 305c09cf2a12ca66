"""The items of an `ExternalSource`: what Python code gives, copied to Tensors or Batches."""

import inspect
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, final

from .._capture.attempt import Failure
from .._types.batch import Batch
from .._types.construct import batch as copied_batch
from .._types.construct import tensor as copied_tensor
from .._types.data import Data
from .._types.device import Device
from .._types.errors import ArgumentError
from .arguments import integer

Cycle = Literal["no", "quiet", "raise"]
_CYCLES: dict[Any, Cycle] = {None: "no", False: "no", True: "quiet"}


@final
class SourceItems:
    """One item after the other, from the start again where that is wanted.

    Args:
        source, num_outputs, cycle, device, layout, dtype: as of `ExternalSource`.

    Raises:
        ValueError, TypeError: as `ExternalSource`.
    """

    def __init__(
        self,
        source: Any,
        num_outputs: int,
        cycle: bool | str | None,
        device: Device | str | None,
        layout: str | Sequence[str] | None,
        dtype: Any,
    ):
        self._count = integer("ExternalSource", "num_outputs", num_outputs)
        if self._count < 1:
            raise ArgumentError(f"ExternalSource: num_outputs={num_outputs}; expected 1 or more.")
        self._start, again = _starter(source)
        self._cycle = _checked_cycle(cycle, again)
        self._device = device
        self._layouts = self._for_each("layout", layout)
        self._dtypes = self._for_each("dtype", dtype)
        self._items: Iterator[Any] | None = None
        # Was taken and not used; a Failure was met and not told.
        self._waiting: deque[tuple[Data, ...] | Failure] = deque()

    def _for_each(self, name: str, value: Any) -> list[Any]:
        many = isinstance(value, list | tuple)
        if not many:
            return [value] * self._count
        if len(value) != self._count:
            raise ArgumentError(
                f"ExternalSource: {name} has {len(value)} values; expected one, or {self._count} "
                "(num_outputs)."
            )
        return list(value)

    def take(self) -> tuple[Data, ...]:
        """Copies of what the source gives next.

        Raises:
            StopIteration: the source is at its end.
            ArgumentError: not `num_outputs` values.
            TypeError: some outputs are Batches and some are not.
        """
        if self._waiting:
            waiting = self._waiting.popleft()
            if isinstance(waiting, Failure):
                waiting.throw()
            return waiting
        values = self._next()
        if self._count > 1 and (not isinstance(values, Sequence) or len(values) != self._count):
            found = f"{len(values)} values" if isinstance(values, Sequence) else repr(type(values))
            raise ArgumentError(
                f"ExternalSource: the source gave {found}; expected {self._count} (num_outputs)."
            )
        items = list(values) if self._count > 1 else [values]
        outputs = [
            self._copied(value, layout, dtype)
            for value, layout, dtype in zip(items, self._layouts, self._dtypes, strict=True)
        ]
        if len({type(o) for o in outputs}) > 1:
            raise TypeError(
                "ExternalSource: some outputs are Batches and some are not. Give all of one kind."
            )
        return tuple(outputs)

    def give_back(self, items: Sequence[tuple[Data, ...] | Failure]) -> None:
        """Takes back items that were not used, and failures; they come next."""
        self._waiting.extendleft(reversed(items))

    def _next(self) -> Any:
        if self._items is None:
            self._items = self._start()
        try:
            return next(self._items)
        except StopIteration:
            if self._cycle == "no":
                raise
        self._items = self._start()
        if self._cycle == "raise":
            raise StopIteration
        return next(self._items)

    def _stays(self, value: Batch) -> bool:
        """Whether nobody can change its data, and it is where it shall be."""
        if value.pending is not None or value.external:
            return False
        return self._device is None or (self._device == "cpu" and value.device == Device.CPU)

    def _copied(self, value: Any, layout: str | None, dtype: Any) -> Data:
        if isinstance(value, Batch) and self._stays(value) and layout is None and dtype is None:
            # An object of its own: the user's may come again in another step.
            return Batch._make(value.spec, value.storage, source=value.source)
        make = copied_batch if isinstance(value, Batch) else copied_tensor
        return make(value, dtype=dtype, device=self._device, layout=layout)


def _starter(source: Any) -> tuple[Callable[[], Iterator[Any]], bool]:
    """What starts the items anew, and whether it can do so more than once."""
    if inspect.isgeneratorfunction(source):
        _check_parameters(source)
        return source, True
    if callable(source) and not isinstance(source, Data | type):
        _check_parameters(source)
        return lambda: _Calls(source), False
    if isinstance(source, Iterator):
        return lambda: source, True
    if hasattr(source, "__iter__") or hasattr(source, "__getitem__"):
        iterable: Any = source
        return lambda: iter(iterable), True
    raise TypeError(
        f"ExternalSource: source is a {type(source).__name__}; expected a callable or an iterable."
    )


@final
class _Calls(Iterator[Any]):
    """What a callable gives, call after call; one that raised is called again."""

    def __init__(self, source: Callable[[], Any]):
        self._source = source

    def __next__(self) -> Any:
        return self._source()


def _check_parameters(source: Callable[..., Any]) -> None:
    try:
        parameters = inspect.signature(source).parameters.values()
    except (TypeError, ValueError):
        return  # a built-in that does not say
    required = [
        p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    if required:
        raise ArgumentError(
            f"ExternalSource: the source takes {', '.join(required)}; expected a callable without "
            "parameters."
        )


def _checked_cycle(cycle: Any, again: bool) -> Cycle:
    chosen = _CYCLES.get(cycle, cycle) if isinstance(cycle, bool | None) else cycle
    if chosen not in ("no", "quiet", "raise"):
        raise ArgumentError(
            f"ExternalSource: cycle={cycle!r}; expected None, True, False, 'no', 'quiet' or "
            "'raise'."
        )
    if chosen != "no" and not again:
        raise ArgumentError(
            f"ExternalSource: cycle={cycle!r}, but a plain callable cannot start again. Pass an "
            "iterable or a generator function."
        )
    return chosen  # type: ignore[return-value]
