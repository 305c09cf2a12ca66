"""The annotations of the rules in the words of type checkers."""

import enum
import inspect
import types
import typing
from typing import Annotated, Any

from dynjax._schema import DTypeLike
from dynjax._types.data import Data
from dynjax._types.dtypes import DType
from dynjax._types.spec import Spec

# What arguments that every operator takes accept; rules do not have them.
COMMON = {"device": "DeviceLike | None", "rng": "RNG | None"}
ADDS_A_RESULT = {"save_attrs"}
_NUMBER = "float"  # to type checkers an int is one, too
_DTYPES = set(typing.get_args(DTypeLike))


class Words:
    """Annotations as text, where some names of types are taken by the module's own functions."""

    def __init__(self, taken: set[str]):
        self._taken = taken

    def data(self, batched: bool) -> str:
        """An operator's input."""
        return "Data" if batched else "Sample"

    def argument(self, parameter: inspect.Parameter, batched: bool, more: bool) -> str:
        """A keyword argument.

        Args:
            batched: whether it may be a Batch, if values vary at all.
            more: whether it asks for one more result, if it can.
        """
        name = parameter.name
        if name == "batch_size":
            return self._word("int") + " | None" if batched else "None"
        if name == "key" and parameter.annotation is inspect.Parameter.empty:
            return ("Values" if batched else "Array") + " | None"
        if name in COMMON:
            return COMMON[name]
        if name in ADDS_A_RESULT:
            return f"Literal[{more}]" if more else "Literal[False] | None"
        parts = self._parts(parameter.annotation, batched)
        if parameter.default is not inspect.Parameter.empty:
            parts.append("None")  # for every operator None means "not given"
        return " | ".join(dict.fromkeys(parts))

    def _parts(self, annotation: Any, batched: bool) -> list[str]:
        if typing.get_origin(annotation) is Annotated:
            own = [o for o in _options(annotation.__origin__) if o is not Any]
            words = [w for o in own for w in self._parts(o, batched)]
            return [w for w in words if w != "np.ndarray"] + ["Values" if batched else "Array"]
        options = _options(annotation)
        if len(options) > 1:
            typed = set(options) >= _DTYPES
            rest = [o for o in options if not (typed and o in _DTYPES)]
            return ["DTypeLike"] * typed + [w for o in rest for w in self._parts(o, batched)]
        if typing.get_origin(annotation) is list:
            (inner,) = typing.get_args(annotation)
            inner = float if inner is Any else inner
            if typing.get_origin(inner) is list:
                element = " | ".join(self._parts(typing.get_args(inner)[0], batched))
                return [f"Sequence[{element}]", f"Sequence[Sequence[{element}]]", "np.ndarray"]
            element = " | ".join(self._parts(inner, batched))
            return [element, f"Sequence[{element}]", "np.ndarray"]
        if annotation is DType:
            return ["DTypeLike"]
        if annotation in (Any, inspect.Parameter.empty):
            return [_NUMBER, f"Sequence[{_NUMBER}]", "Values" if batched else "Array"]
        if annotation is type(None):
            return ["None"]
        if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
            return [annotation.__name__, self._word("str")]
        if isinstance(annotation, type) and not typing.get_args(annotation):
            return [self._word(annotation.__name__)]
        return [str(annotation).replace("collections.abc.", "").replace("typing.", "")]

    def _word(self, name: str) -> str:
        return f"builtins.{name}" if name in self._taken else name


def is_data(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is an operator's input, and no argument."""
    return parameter.kind is not inspect.Parameter.KEYWORD_ONLY and set(
        _options(parameter.annotation)
    ) <= {Spec, Data, Any, type(None), inspect.Parameter.empty}


def _options(annotation: Any) -> tuple[Any, ...]:
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return typing.get_args(annotation)
    return (annotation,)
