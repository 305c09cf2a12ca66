"""Arguments that a reader takes in its constructor or in a direct call, there for each sample."""

from collections.abc import Collection, Mapping
from typing import Any

from .._types.batch import Batch
from .._types.errors import ArgumentError


def refuse_batches(reader: str, given: Mapping[str, Any]) -> None:
    """Raises ArgumentError if the constructor is given a value for each sample."""
    for name, value in given.items():
        if isinstance(value, Batch):
            raise ArgumentError(
                f"{reader}: {name} is a Batch; expected one value for all samples. Pass a Batch to "
                "the direct call of the reader."
            )


def refuse_twice(reader: str, constructor: Collection[str], call: Collection[str]) -> None:
    """Raises ArgumentError if an argument is given in both places."""
    if twice := sorted(set(call) & set(constructor)):
        raise ArgumentError(
            f"{reader}: {', '.join(twice)} given to the constructor and to the call; expected one "
            "of them."
        )
