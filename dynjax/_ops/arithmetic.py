"""The operators of Python's syntax on Tensor and Batch: `a + b`, `a < b`, `~a` and the like.

    a + b - * / // % **     arithmetic; types by `_lib/promotion.py`
    a & b | ^ << >> ~       bitwise, on integers and bools
    a == b != < <= > >=     comparison by value, bool

Integers wrap. `/` of integers is float32. `//` and `%` of integers round towards zero, as in C;
`//` of floats is a plain division. An integer divisor of 0 is a ValueError.

Source: DALI's arithmetic expressions; table and edge cases checked against recordings.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._schema import Operator, Output, operator
from .._types import expressions
from .._types.errors import ArgumentError, OperatorError
from .._types.spec import Spec
from ._lib.elementwise import elementwise, elementwise_kernel
from ._lib.promotion import float_of, is_float, promoted, refuse_bools

_OPERATORS: dict[str, Operator] = {}

# Functions that round, wrap and compare in NumPy as in XLA. Division by 0, powers and long shifts
# do not.
_NUMPY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.true_divide,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "negative": np.negative,
    "invert": np.invert,
    "absolute": np.absolute,
}


def _is_integer(x: Any) -> bool:
    return jnp.issubdtype(x.dtype, jnp.integer)


def _divide(a, b):
    # XLA multiplies by the inverse of a divisor that is the same for many elements, which rounds
    # twice. A divisor chosen for each element is left alone, and NaN / NaN is NaN / b.
    return a / jnp.where(a == a, b, jnp.nan)


def _floor_divide(a, b):
    if not _is_integer(a):
        return _divide(a, b)
    return _of_equal_ranks(jax.lax.div, a, _not_zero(b))


def _remainder(a, b):
    return _of_equal_ranks(jax.lax.rem, a, _not_zero(b) if _is_integer(a) else b)


def _not_zero(b):
    # Divisors of 0 are refused where they can be seen; a padded slot may still hold some.
    return jnp.where(b == 0, jnp.ones((), b.dtype), b)


def _of_equal_ranks(function, a, b):
    # Functions of `lax` do not broadcast, and under `vmap` align operands of other ranks on the
    # left instead of refusing them.
    return function(*jnp.broadcast_arrays(a, b))


def _power(a, b):
    if not _is_integer(a):
        return jnp.power(a, b)
    result = jnp.ones_like(a)
    base, exponent = jnp.broadcast_arrays(a, b)
    unsigned = jnp.maximum(exponent, 0)
    for _ in range(8 * a.dtype.itemsize):
        result = jnp.where(unsigned & 1 == 1, result * base, result)
        base = base * base
        unsigned = unsigned >> 1
    inverse = jnp.where(a == 1, 1, jnp.where(a == -1, jnp.where(b & 1 == 1, -1, 1), 0))
    return jnp.where(b < 0, inverse.astype(a.dtype), result)


def _refuse_zero(values) -> None:
    if np.any(np.asarray(values[1]) == 0):
        raise ArgumentError("division of integers: a divisor is 0.")


def _arithmetic(name: str, symbol: str, function: Callable[..., Any], *, bools: bool = False):
    kernel = elementwise_kernel(name, function, "result")

    @operator(f"arithmetic.{name}", hidden=True)
    def rule(a: Spec, b: Spec, /) -> Output:
        if not bools:
            refuse_bools(symbol, a.dtype, b.dtype)
        dtype = promoted(a.dtype, b.dtype)
        check = None
        if name == "divide":
            dtype = float_of(dtype)
        elif name in ("floor_divide", "remainder") and not is_float(dtype):
            check = _refuse_zero
        return elementwise(symbol, kernel, (a, b), dtype, check=check, numpy=_NUMPY.get(name))

    _OPERATORS[name] = rule


def _bitwise(name: str, symbol: str, function: Callable[..., Any]):
    kernel = elementwise_kernel(name, function, "result")

    @operator(f"arithmetic.{name}", hidden=True)
    def rule(a: Spec, b: Spec, /) -> Output:
        for spec in (a, b):
            if is_float(spec.dtype):
                raise OperatorError(
                    f"{symbol}: an operand is {spec.dtype.name}; expected integers."
                )
        dtype = promoted(a.dtype, b.dtype)
        return elementwise(symbol, kernel, (a, b), dtype, numpy=_NUMPY.get(name))

    _OPERATORS[name] = rule


def _by_value(compare: Callable[..., Any]) -> Callable[..., Any]:
    """A comparison of numbers of any two types."""

    def function(a, b):
        kinds = {a.dtype.kind, b.dtype.kind}
        if kinds != {"i", "u"}:
            kind = promoted(a.dtype, b.dtype)
            return compare(a.astype(kind), b.astype(kind))
        # No type holds all values of both, as int64 and uint64: negative ones are told apart.
        unsigned = np.dtype(f"u{max(a.dtype.itemsize, b.dtype.itemsize)}")
        result = compare(a.astype(unsigned), b.astype(unsigned))
        signed, least = (a, (-1, 0)) if a.dtype.kind == "i" else (b, (0, -1))
        return jnp.where(signed < 0, compare(*map(np.int8, least)), result)

    return function


def _comparison(name: str, symbol: str, function: Callable[..., Any]):
    kernel = elementwise_kernel(name, _by_value(function), "own")

    @operator(f"arithmetic.{name}", hidden=True)
    def rule(a: Spec, b: Spec, /) -> Output:
        numpy = None if {a.dtype.kind, b.dtype.kind} == {"i", "u"} else _NUMPY[name]
        computed = promoted(a.dtype, b.dtype)
        return elementwise(symbol, kernel, (a, b), np.dtype(bool), numpy=numpy, computed=computed)

    _OPERATORS[name] = rule


def _unary(name: str, symbol: str, function: Callable[..., Any]):
    kernel = elementwise_kernel(name, function, "result")

    @operator(f"arithmetic.{name}", hidden=True)
    def rule(a: Spec, /) -> Output:
        if name in ("negative", "absolute"):
            refuse_bools(symbol, a.dtype)
        if name == "invert" and is_float(a.dtype):
            raise OperatorError(f"{symbol}: the operand is {a.dtype.name}; expected integers.")
        return elementwise(symbol, kernel, (a,), a.dtype, numpy=_NUMPY.get(name))

    _OPERATORS[name] = rule


def _invert(a):
    return jnp.logical_not(a) if a.dtype == bool else jnp.invert(a)


def _shifted(shift):
    def function(a, b):
        if a.dtype == bool:
            return shift(a.astype(jnp.uint8), b.astype(jnp.uint8)) != 0
        return shift(a, b)

    return function


_arithmetic("add", "+", jnp.add)
_arithmetic("subtract", "-", jnp.subtract)
_arithmetic("multiply", "*", jnp.multiply, bools=True)
_arithmetic("divide", "/", _divide)
_arithmetic("floor_divide", "//", _floor_divide)
_arithmetic("remainder", "%", _remainder)
_arithmetic("power", "**", _power)
_bitwise("bitwise_and", "&", jnp.bitwise_and)
_bitwise("bitwise_or", "|", jnp.bitwise_or)
_bitwise("bitwise_xor", "^", jnp.bitwise_xor)
_bitwise("left_shift", "<<", _shifted(jnp.left_shift))
_bitwise("right_shift", ">>", _shifted(jnp.right_shift))
_comparison("equal", "==", jnp.equal)
_comparison("not_equal", "!=", jnp.not_equal)
_comparison("less", "<", jnp.less)
_comparison("less_equal", "<=", jnp.less_equal)
_comparison("greater", ">", jnp.greater)
_comparison("greater_equal", ">=", jnp.greater_equal)
_unary("negative", "-", jnp.negative)
_unary("positive", "+", lambda a: a)
_unary("invert", "~", _invert)
_unary("absolute", "abs", jnp.abs)


def _operate(name: str, *operands: Any) -> Any:
    for value in operands:
        if type(value) is int and not -(2**31) <= value < 2**31:
            raise OverflowError(f"{name}: {value} does not fit int32, the type of int constants.")
    return _OPERATORS[name](*operands)


expressions.set_operate(_operate)
