"""`Form`: how a call was written, so that the same call is known without comparing values.

A body usually makes the same calls in the same order with the same objects: literals, names and
values of the step. That is seen faster by identity than by content. What does not match here may
still have the same content.
"""

import enum
from operator import is_
from typing import Any, final

import numpy as np

from .._types.device import Device
from .._types.dtypes import DType
from .nodes import Draw

_ATOMS = frozenset({int, bool, float, complex, str, bytes, type(None), type, DType, Device})


@final
class _Items:
    """A list or tuple of atoms."""

    __slots__ = ("_items", "_kind")

    def __init__(self, kind: type, items: tuple):
        self._kind = kind
        self._items = items

    def holds(self, x: Any) -> bool:
        """Whether it has the same items."""
        return (
            type(x) is self._kind and len(x) == len(self._items) and all(map(is_, x, self._items))
        )


@final
class Form:
    """The objects that a call was made with: values of the step, and others that never change."""

    __slots__ = ("_batch_size", "_device", "_inputs", "_names", "_values")

    def __init__(self, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]):
        self._inputs = inputs
        self._batch_size = batch_size
        self._device = device
        self._names = list(given)
        self._values = list(given.values())

    def matches(
        self, known: dict, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]
    ) -> bool:
        """Whether a call is written like this; `known` are the values of the step."""
        if (
            batch_size is not self._batch_size
            or device is not self._device
            or len(inputs) != len(self._inputs)
            or list(given) != self._names
        ):
            return False
        # Lists of equal length; a strict `zip` takes twice as long.
        for x, wanted in zip(inputs, self._inputs):  # noqa: B905
            if x is not wanted:
                entry = known.get(id(x))
                if entry is None or entry[1] is not wanted:
                    return False
        for x, wanted in zip(given.values(), self._values):  # noqa: B905
            if x is not wanted:
                if type(wanted) is _Items:
                    if not wanted.holds(x):
                        return False
                    continue
                entry = known.get(id(x))
                if entry is None or entry[1] is not wanted:
                    return False
        return True


def form(
    known: dict, inputs: tuple, batch_size: Any, device: Any, given: dict[str, Any]
) -> Form | None:
    """The form of a call; None if its objects may change, or stand for other values elsewhere."""

    def part(x: Any) -> Any:
        entry = known.get(id(x))
        if entry is not None:
            return entry[1]
        if _is_atom(x):
            return x
        if type(x) in (list, tuple) and all(map(_is_atom, x)):
            return _Items(type(x), tuple(x))
        raise _NoFormError

    try:
        inputs = tuple(map(part, inputs))
        given = {name: part(x) for name, x in given.items()}
        if any(type(x) is _Items for x in (*inputs, batch_size, device)):
            return None  # rare
        return Form(inputs, part(batch_size), part(device), given)
    except _NoFormError:
        return None


class _NoFormError(Exception):
    pass


def _is_atom(x: Any) -> bool:
    return type(x) in _ATOMS or isinstance(x, enum.Enum | np.dtype)


def same_place(a: Draw | None, b: Draw | None) -> bool:
    """Whether two calls draw at the same place of a step, or not at all."""
    if a is None or b is None:
        return a is b
    return a.rng is b.rng and a.ordinal == b.ordinal
