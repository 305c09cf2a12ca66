"""Python objects as samples."""

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np

from .background import Tasks, Threads
from .object_values import SampleError, Shape, flattened, same_kind, shape_of
from .source import Output, ReadError, Request, Source, Uniform, gathered


@final
class ObjectSource(Source):
    """What `data[k]` gives, for k = 0, 1, ..., or for the keys of a mapping.

    Args:
        data: has `__len__` and `__getitem__`.
        threads: where it is called; None: in the thread that waits for the batch.
        dense: make one array of samples of one shape.
    """

    def __init__(self, data: Any, threads: Threads | None, *, dense: bool):
        self._data = data
        self._keys: Sequence[Any] | None = list(data) if isinstance(data, Mapping) else None
        self._size = len(data)
        self._threads = threads
        self._dense = dense
        self._shape: Shape = None
        self._shape_known = False

    @property
    def shape(self) -> Shape:
        """The outputs of the samples, known after the first read."""
        return self._shape

    def __len__(self) -> int:
        return self._size

    def name(self, index: int) -> bytes:
        key = index if self._keys is None else self._keys[index]
        return f"{type(self._data).__name__}[{key!r}]".encode()

    def digest(self) -> str:
        # Not the values: reading them all would take an epoch.
        state = hashlib.blake2b(
            f"{type(self._data).__name__} {self._size}".encode(), digest_size=12
        )
        for key in self._keys or ():
            state.update(repr(key).encode() + b"\0")
        return state.hexdigest()

    def request(self, indices: np.ndarray) -> Request:
        return _ObjectRequest(self, indices)

    def load(self, index: int) -> Any:
        """One sample as the data set gives it."""
        return self._data[index if self._keys is None else self._keys[index]]

    def start(self, actions: Sequence[Callable[[threading.Event], None]]) -> Tasks | None:
        """Starts actions in the threads, if there are any."""
        return None if self._threads is None else Tasks(self._threads, actions)

    def outputs(self, indices: np.ndarray, samples: Sequence[Any]) -> tuple[Output, ...]:
        """The outputs of loaded samples. Raises ReadError for one that is not like the others."""
        if not self._shape_known:
            self._shape, self._shape_known = shape_of(samples[0]), True
        rows: list[list[np.ndarray]] = []
        for index, sample in zip(indices.tolist(), samples, strict=True):
            try:
                rows.append(flattened(sample, self._shape))
            except SampleError as problem:
                raise ReadError(index, f"{problem}. Make all samples alike.") from None
        return tuple(self._output(indices, column) for column in zip(*rows, strict=True))

    def _output(self, indices: np.ndarray, values: Sequence[np.ndarray]) -> Output:
        if (odd := same_kind(values)) is not None:
            first, other = values[0], values[odd]
            raise ReadError(
                int(indices[odd]),
                f"it has {other.ndim} axes of {other.dtype}; the first of its batch has "
                f"{first.ndim} axes of {first.dtype}. Make all samples alike.",
            )
        if self._dense and len({v.shape for v in values}) == 1:
            return Uniform(np.stack(values))
        return gathered(values)


@final
class _ObjectRequest(Request):
    def __init__(self, source: ObjectSource, indices: np.ndarray):
        self._source = source
        self._indices = indices
        numbers = indices.tolist()
        # A repeated sample, as padding makes them, is loaded once.
        self._loads = {k: _Load(source, k) for k in numbers}
        self._tasks = source.start([load.run for load in self._loads.values()])

    def result(self) -> tuple[Output, ...]:
        if self._tasks is not None:
            self._tasks.wait()
        numbers = self._indices.tolist()
        for k in numbers:
            if self._tasks is None:
                self._loads[k].run()
            if (error := self._loads[k].error) is not None:
                raise ReadError(
                    k, f"{type(error).__name__}: {error}. Correct it, or leave it out."
                ) from error
        return self._source.outputs(self._indices, [self._loads[k].value for k in numbers])


class _Load:
    """One sample, when it is there."""

    def __init__(self, source: ObjectSource, index: int):
        self._source = source
        self._index = index
        self.value: Any = None
        self.error: Exception | None = None
        self._done = False

    def run(self, dropped: threading.Event | None = None) -> None:
        del dropped
        if self._done:
            return
        try:
            self.value, self.error = self._source.load(self._index), None
        except Exception as error:
            self.error = error
        self._done = True
