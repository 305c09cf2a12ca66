"""The content of a call: equal content means the same result."""

from typing import Any

import numpy as np

from .._execution.guards import MAX_ARRAY_BYTES, guard, snapshot
from .._schema import Operator
from .._types import storage as forms
from .._types.data import Data
from .._types.invariant import Invariant, plain
from .results import Watched
from .steps import Step


def content(
    step: Step, record: Operator, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]
) -> tuple:
    """The operator and its inputs and arguments: values of the step, or guards.

    Raises:
        NotGuardedError: an argument that cannot be compared.
    """
    known = step.known
    parts: list[Any] = [record]
    for x in inputs:
        entry = known.get(id(x))
        parts.append(_guard(x) if entry is None else entry[1])
    if batch_size is not None:
        parts.append(("batch_size", _guard(batch_size)))
    if device is not None:
        parts.append(("device", _guard(device)))
    for name, x in given.items():
        entry = known.get(id(x))
        parts.append(name)
        parts.append(_guard(x) if entry is None else entry[1])
    return tuple(parts)


def _guard(x: Any) -> Any:
    if type(x) is Invariant:
        return (Invariant, id(plain(x)))
    if _is_small_view(x):
        # The batch size is that of the array.
        return (type(x), x.layout, guard(np.asarray(x.storage.array)))
    return guard(x)


def _is_small_view(x: Any) -> bool:
    """Whether it lies in memory that the user may change, and can be compared by value."""
    return (
        isinstance(x, Data)
        and x.external
        and type(x.storage) is forms.Dense
        and type(x.storage.array) is np.ndarray
        and x.storage.array.nbytes <= MAX_ARRAY_BYTES
    )


def kept(x: Any) -> Any:
    """A value from outside the step, independent of what the user does to the object later."""
    if _is_small_view(x):
        return x._make(x.spec, forms.copied(x.storage), source=x.source)
    return snapshot(x)


def is_held(x: Any) -> bool:
    """Whether a content names a value from outside the step by identity."""
    return isinstance(x, Data) and not x.external


def plain_arguments(inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]) -> tuple:
    """The arguments of a call without the promise that they do not change."""
    return (
        tuple(map(plain, inputs)),
        plain(batch_size),
        plain(device),
        {name: plain(v) for name, v in given.items()},
    )


def inner(x: Any) -> Any:
    """What an operator reads in place of a watched value, so that its use does not count."""
    if isinstance(x, Data) and type(x._pending) is Watched:
        return x._pending.inner
    return x
