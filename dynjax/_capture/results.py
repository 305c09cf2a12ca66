"""`Result`: what one call of one step gives, computed ahead, or again if it was dropped."""

import threading
from typing import Any, final

import numpy as np

from .._execution import eager
from .._execution.keys import CallKey
from .._execution.modes import EvalMode
from .._types.data import Data
from .._types.errors import OperatorError
from .._types.pending import Pending, asynchronous
from .._types.spec import Spec
from .._types.storage import Storage
from .nodes import Node, Value


@final
class Values:
    """The values of one step: what was polled, and the results of calls."""

    __slots__ = ("polled", "results")

    def __init__(self):
        self.polled: dict[Value, Data] = {}
        self.results: dict[Node, Result] = {}

    def has(self, value: Value) -> bool:
        """Whether a value was polled, or is computed ahead."""
        return value in self.polled if value.node is None else value.node in self.results

    def origin(self, value: Value) -> "Data | Result":
        """The data of a polled value, or the result that a value is part of."""
        return self.polled[value] if value.node is None else self.results[value.node]

    def data(self, value: Any) -> Any:
        """The data of a value, waited for; anything else as it is. Raises what went wrong."""
        return _data(self.origin(value), value) if type(value) is Value else value


def _data(origin: "Data | Result", value: Value) -> Data:
    return origin.data()[value.index] if isinstance(origin, Result) else origin


@final
class Result:
    """The outputs of a node in one step.

    What only served calls that were computed ahead is dropped and computed again should somebody
    ask for it; so is what was never asked for.

    Args:
        node: the call.
        used: the values that it reads.
        values: of the step. Those that the call reads are kept, not all of them: results that
            held each other would live until Python looks for cycles.
        words: the key of a random call.
    """

    __slots__ = ("_data", "_error", "_is_done", "_origins", "_specs", "_waiting", "_words", "node")

    def __init__(self, node: Node, used: list[Value], values: Values, words: np.ndarray | None):
        self.node = node
        self._origins: dict[Value, Data | Result] = {}
        for v in used:  # each of a few: a comprehension would cost more than this
            self._origins[v] = values.polled[v] if v.node is None else values.results[v.node]
        self._words = words
        self._data: tuple[Data, ...] | None = None
        self._specs: tuple[Spec, ...] = ()
        self._error: BaseException | None = None
        self._is_done = False
        self._waiting = threading.Lock()  # until it is done
        self._waiting.acquire()

    @property
    def words(self) -> np.ndarray | None:
        """The words of the key that it is computed with."""
        return self._words

    @property
    def key(self) -> CallKey | None:
        """The key that it is computed with."""
        return None if self._words is None else CallKey(self.node.record.name, self._words, False)

    @property
    def is_done(self) -> bool:
        """Whether it was computed, or failed."""
        return self._is_done

    @property
    def is_there(self) -> bool:
        """Whether it holds its values."""
        return self._data is not None

    @property
    def nbytes(self) -> int:
        """Memory that it holds."""
        return sum(d.storage.nbytes for d in self._data or ())

    def run(self) -> None:
        """Computes it, outside of any function that is being traced; what goes wrong is kept."""
        repetition = self.node.repetition
        try:
            if repetition is None:
                self._data = self._computed()
            else:
                self._data = repetition([self._read(x) for x in self.node.inputs], self.key)
            self._specs = tuple(d.spec for d in self._data)
        except Exception as error:
            self._error = error
        self._finish()

    def deliver(self, data: tuple[Data, ...]) -> None:
        """Takes what a program computed."""
        self._data = data
        self._specs = tuple(d.spec for d in data)
        self._finish()

    def postpone(self, specs: tuple[Spec, ...] = ()) -> None:
        """Leaves the computation to whoever asks for more than the descriptions."""
        self._specs = specs
        self._finish()

    def abandon(self, why: str) -> None:
        """Ends the waiting for what will not be computed."""
        if not self._is_done:
            self._error = OperatorError(f"{self.node.record.name}: never computed: {why}.")
            self._finish()

    def _finish(self) -> None:
        if not self._is_done:
            self._is_done = True
            self._waiting.release()

    def _wait(self) -> None:
        if not self._is_done:
            with self._waiting:
                pass

    def drop(self) -> None:
        """Lets go of the values; they can be computed again."""
        self._data = None

    def settle(self) -> None:
        """Lets go of what it was computed from: the values stay."""
        self._origins = {}

    def data(self) -> tuple[Data, ...]:
        """The outputs; waits for them. Raises what went wrong, as it is."""
        self._wait()
        if self._error is not None:
            raise self._error
        data = self._data
        if data is None:
            with self._waiting:
                data = self._data
                if data is None:
                    data = self._data = self._computed()
        return data

    def source(self) -> Any:
        """Which samples they are; waits for them."""
        return self.data()[0].source

    def spec(self, index: int) -> Spec:
        """The description of an output; waits for it."""
        self._wait()
        if self._error is not None:
            raise self._error
        if not self._specs:
            self._specs = tuple(d.spec for d in self.data())
        return self._specs[index]

    def _computed(self) -> tuple[Data, ...]:
        node = self.node
        inputs = tuple(map(self._read, node.inputs))
        given = {name: self._read(value) for name, value in node.given.items()}
        if self._words is not None:
            given["key"] = self._words
        with EvalMode.sync_cpu:
            made = eager.call(node.record, inputs, node.batch_size, node.device, given)
        return made if isinstance(made, tuple) else (made,)

    def _read(self, x: Any) -> Any:
        return _data(self._origins[x], x) if type(x) is Value else x


@final
class Ahead(Pending):
    """The value of a call that was computed ahead."""

    __slots__ = ("_index", "_result")

    def __init__(self, result: Result, index: int):
        self._result = result
        self._index = index

    def result(self) -> Storage:
        """The storage; its use says that the step must deliver it from now on."""
        self._result.node.wanted = True
        try:
            return self._result.data()[self._index].storage
        except Exception as error:
            told = self._told(error)
        raise told

    def spec(self) -> Spec:
        """The description."""
        try:
            return self._result.spec(self._index)
        except Exception as error:
            told = self._told(error)
        raise told

    def _told(self, error: BaseException) -> BaseException:
        told = asynchronous(error)
        site = self._result.node.site
        told.add_note(f"{site.operator} was called at {site.filename}:{site.line}")
        return told


@final
class Watched(Pending):
    """The value of a call that was made eagerly, for a node that may be computed ahead later."""

    __slots__ = ("_inner", "_node")

    def __init__(self, inner: Data, node: Node):
        self._inner = inner
        self._node = node

    @property
    def inner(self) -> Data:
        """The value, whose use does not count."""
        return self._inner

    def result(self) -> Storage:
        """The storage; its use says that later steps must deliver it."""
        self._node.wanted = True
        return self._inner.storage

    def spec(self) -> Spec:
        """The description."""
        return self._inner.spec
