"""Why a call was not found among those computed ahead: in which argument it differs."""

import enum
from typing import Any, final

import jax
import numpy as np

from .._types.data import Data
from .nodes import Value

_MAX_TEXT = 60


@final
class Account:
    """What a call was made with, for comparison with the next one in its place.

    Holds no data: results of a step must not outlive it for the sake of a message.
    """

    __slots__ = ("_parts",)

    def __init__(self, content: tuple, inputs: int):
        parts: dict[str, Any] = {}
        for k, part in enumerate(content[1 : inputs + 1]):
            parts[f"input {k}"] = _kept(part)
        rest = iter(content[inputs + 1 :])
        for name in rest:
            if type(name) is tuple:  # batch_size or device
                parts[name[0]] = name[1]
            elif type(name) is str:
                parts[name] = _kept(next(rest))
            else:
                break  # where a random call draws
        self._parts = parts

    def difference(self, before: "Account | None") -> str:
        """How it differs from an earlier call."""
        if before is None:
            return "first called in a later step"
        for label, part in self._parts.items():
            if label not in before._parts:
                return f"{label} was not given before"
            old = before._parts[label]
            if old != part:
                text, was = _told(part), _told(old)
                return (
                    f"{label} is another {text}" if text == was else f"{label}: {text}, was {was}"
                )
        for label in before._parts:
            if label not in self._parts:
                return f"{label} is not given any more"
        return "it is another random call of the step"


def _kept(part: Any) -> Any:
    if type(part) is not Value:
        return part
    if part.node is None:
        return (Value, id(part), "item of a source")
    return (Value, id(part), f"result of {part.node.record.name}")


def _told(part: Any) -> str:
    """A part of a content as text."""
    kind, *values = part
    if kind is Value:
        return values[1]
    if kind is Data:
        return "tensor or batch from outside the step"
    if kind is jax.Array:
        return "JAX array"
    if kind in (list, tuple):
        inner = ", ".join(map(_told, values))
        text = f"[{inner}]" if kind is list else f"({inner})"
    elif isinstance(kind, type) and issubclass(kind, np.ndarray | np.generic):
        text = "array"
    elif kind in (int, float, bool, str, bytes, complex, type(None)):
        text = repr(values[0])
    elif values and isinstance(values[0], enum.Enum | np.dtype | str):
        text = str(values[0])
    else:
        text = kind.__name__
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 3] + "..."
