"""Arithmetic, comparison, bitwise operators and indexing of Tensor and Batch.

What they compute is defined with the other operators; this module only lets Python's syntax reach
them.
"""

from collections.abc import Callable
from typing import Any

_operate: Callable[..., Any] | None = None
_index: Callable[[Any, Any], Any] | None = None


def set_operate(operate: Callable[..., Any]) -> None:
    """Tells who evaluates `operate(name, *operands)`."""
    global _operate
    _operate = operate


def set_index(index: Callable[[Any, Any], Any]) -> None:
    """Tells who evaluates `index(data, key)`, the indexing of samples."""
    global _index
    _index = index


def indexed(data: Any, key: Any) -> Any:
    """What `key` picks of each sample."""
    assert _index is not None
    return _index(data, key)


def _binary(name: str):
    def method(self, other):
        assert _operate is not None
        return _operate(name, self, other)

    return method


def _reflected(name: str):
    def method(self, other):
        assert _operate is not None
        return _operate(name, other, self)

    return method


def _unary(name: str):
    def method(self):
        assert _operate is not None
        return _operate(name, self)

    return method


class Expressions:
    """The operators of Python's syntax. Results are new values; nothing changes in place."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    __add__, __radd__ = _binary("add"), _reflected("add")
    __sub__, __rsub__ = _binary("subtract"), _reflected("subtract")
    __mul__, __rmul__ = _binary("multiply"), _reflected("multiply")
    __truediv__, __rtruediv__ = _binary("divide"), _reflected("divide")
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _reflected("floor_divide")
    __mod__, __rmod__ = _binary("remainder"), _reflected("remainder")
    __pow__, __rpow__ = _binary("power"), _reflected("power")
    __and__, __rand__ = _binary("bitwise_and"), _reflected("bitwise_and")
    __or__, __ror__ = _binary("bitwise_or"), _reflected("bitwise_or")
    __xor__, __rxor__ = _binary("bitwise_xor"), _reflected("bitwise_xor")
    __lshift__, __rlshift__ = _binary("left_shift"), _reflected("left_shift")
    __rshift__, __rrshift__ = _binary("right_shift"), _reflected("right_shift")
    __eq__ = _binary("equal")  # type: ignore[assignment]
    __ne__ = _binary("not_equal")  # type: ignore[assignment]
    __lt__, __le__ = _binary("less"), _binary("less_equal")
    __gt__, __ge__ = _binary("greater"), _binary("greater_equal")
    __neg__, __pos__ = _unary("negative"), _unary("positive")
    __invert__, __abs__ = _unary("invert"), _unary("absolute")
