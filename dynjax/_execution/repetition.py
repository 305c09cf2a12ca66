"""`Repetition`: a call that is made again and again, on other data, with the same arguments."""

from collections.abc import Mapping, Sequence
from typing import Any, final

from .._schema import Operator
from .._types.data import Data
from .eager import wrapped
from .keys import AnyKey
from .preparation import Prepared, as_input, prepare
from .running import run, wait_for
from .step import Step


@final
class Repetition:
    """Makes a call in the thread that asks, and waits for it.

    What was prepared for the data before serves those that are described alike; results of one
    prepared call share their descriptions, so that this is seen by identity.

    Args:
        record: the operator.
        batch_size, given: arguments, without key and generator.
    """

    __slots__ = ("_batch_size", "_described", "_given", "_prepared", "_record")

    def __init__(self, record: Operator, batch_size: Any, given: Mapping[str, Any]):
        self._record = record
        self._batch_size = batch_size
        self._given = dict(given)
        self._described: list[Any] = []
        self._prepared: Prepared | None = None

    @classmethod
    def of(cls, record: Operator, batch_size: Any, given: Mapping[str, Any]) -> "Repetition | None":
        """One for a call, or None if the descriptions of its inputs do not say all about it."""
        if record.reads_data or record.late_inputs:
            return None
        if given.get("key") is not None or any(isinstance(v, Data) for v in given.values()):
            return None
        return cls(record, batch_size, given)

    @property
    def compiles(self) -> bool:
        """Whether the last call ran a program that was compiled for its size."""
        prepared = self._prepared
        return prepared is None or any(isinstance(o, Step) and o.compiles for o in prepared.outputs)

    def __call__(self, inputs: Sequence[Any], key: AnyKey | None) -> tuple[Data, ...]:
        """The results, for inputs that are no tracers and the key of a random call."""
        record = self._record
        data = [x if isinstance(x, Data) else as_input(record, x) for x in inputs]
        for d in data:
            d.settle()
        described = [d.spec.key for d in data]
        prepared = self._prepared
        if prepared is None or described != self._described:
            prepared = prepare(record, data, self._batch_size, self._given, key)
            self._prepared = prepared if prepared.serves else None
            self._described = described
        storages = run(0, record, prepared, data, None, key)
        for storage in storages:
            wait_for(storage)
        return tuple(wrapped(prepared, data, None, storages, None))
