"""`Invariant`: a value that stands for another one and promises not to change."""

import operator
from collections.abc import Callable
from typing import Any, final

import numpy as np


def _applied(function: Callable[..., Any]):
    def method(self, *others):
        return function(self._value, *map(plain, others))

    return method


def _reflected(function: Callable[[Any, Any], Any]):
    def method(self, other):
        return function(other, self._value)

    return method


@final
class Invariant:
    """Behaves as `value`. Attributes are invariants too; all other uses give plain results."""

    __slots__ = ("_value",)

    def __init__(self, value: Any):
        self._value = value

    @property
    def __class__(self):  # type: ignore[override]
        return type(self._value)

    def __getattr__(self, name: str) -> Any:
        return invariant(getattr(self._value, name))

    def __repr__(self) -> str:
        return f"invariant({self._value!r})"

    def __call__(self, *arguments, **keywords) -> Any:
        return self._value(*arguments, **keywords)

    def __eq__(self, other) -> bool:
        return self._value == plain(other)

    def __ne__(self, other) -> bool:
        return self._value != plain(other)

    def __hash__(self) -> int:
        return hash(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __iter__(self):
        return iter(self._value)

    def __contains__(self, item) -> bool:
        return item in self._value

    def __str__(self) -> str:
        return str(self._value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._value, dtype) if copy else np.asarray(self._value, dtype)

    def __int__(self) -> int:
        return int(self._value)

    def __float__(self) -> float:
        return float(self._value)


_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and_", "or_", "xor", "lshift", "rshift"),
)
for _name in (*_BINARY, "lt", "le", "gt", "ge", "getitem", "index", "neg", "pos", "abs", "invert"):
    setattr(Invariant, f"__{_name.rstrip('_')}__", _applied(getattr(operator, _name)))
for _name in _BINARY:
    setattr(Invariant, f"__r{_name.rstrip('_')}__", _reflected(getattr(operator, _name)))
for _function in (len, complex, bytes):
    setattr(Invariant, f"__{_function.__name__}__", _applied(_function))


def invariant(value: Any) -> Any:
    """Marks a value that does not change while a captured loop lives.

    Operators take it as they take the value, which captured loops then do not compare at each step.
    The promise is not checked: the value of the first step is used for ever.

    Example:
        >>> size = dynjax.capture.invariant([8, 8])
        >>> image = dynjax.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC")
        >>> dynjax.resize(image, size=size).shape, size[0] + 1
        ((8, 8, 3), 9)
    """
    return value if type(value) is Invariant else Invariant(value)


def plain(value: Any) -> Any:
    """The value behind an invariant; anything else as it is."""
    return value._value if type(value) is Invariant else value
