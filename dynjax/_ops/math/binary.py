"""Functions of two and three operands: `dynjax.math.min`, `max`, `clamp`, `pow`, `fpow`, `atan2`.

Operands broadcast, and layouts combine, as in arithmetic.

Source: DALI's mathematical functions; types and the treatment of nan checked against it.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Output, operator
from ..._types.construct import as_data
from ..._types.spec import Spec
from .._lib.elementwise import elementwise, elementwise_kernel
from .._lib.promotion import float_of, promoted, refuse_bools


def _common(what: str, *operands: Spec) -> np.dtype:
    """The operands' common type, which is bool for none of these functions."""
    dtypes = [s.dtype for s in operands]
    refuse_bools(what, *dtypes)
    return reduce(promoted, dtypes)


_FPOW = elementwise_kernel("fpow", jnp.power, "result")
_ATAN2 = elementwise_kernel("atan2", jnp.arctan2, "result")


def _clamped(value: Any, lo: Any, hi: Any) -> Any:
    raised = jnp.where(value < lo, lo, value)
    return jnp.where(raised > hi, hi, raised)


_CLAMP = elementwise_kernel("clamp", _clamped, "result")


@operator("math.clamp", hidden=True)
def _clamp(value: Spec, lo: Spec, hi: Spec, /) -> Output:
    dtype = _common("math.clamp", value, lo, hi)
    return elementwise("math.clamp", _CLAMP, (value, lo, hi), dtype)


@operator("math.fpow", hidden=True)
def _fpow(base: Spec, exponent: Spec, /) -> Output:
    dtype = float_of(_common("math.fpow", base, exponent))
    return elementwise("math.fpow", _FPOW, (base, exponent), dtype)


@operator("math.atan2", hidden=True)
def _atan2(y: Spec, x: Spec, /) -> Output:
    dtype = float_of(_common("math.atan2", y, x))
    return elementwise("math.atan2", _ATAN2, (y, x), dtype)


# Not an f-string in the function: its docstring is the users' help.
_DOC = """The {which} value: `left {sign} right ? left : right`, so nan passes only on the right.

    Args:
        left, right: Tensor, Batch, array, number or list.

    Returns:
        The operands' common type, as in arithmetic.

    Raises:
        OperatorError: both operands are bool, or their shapes do not broadcast.

    Example:
        >>> np.asarray(dynjax.math.{name}([1, 5, 3], 4)).tolist()
        {example}
    """


def _choice(name: str, sign: str, is_left: Callable[[Any, Any], Any], which: str, example: str):
    """The left operand where `is_left`, which is false for nan, else the right one."""
    what = f"math.{name}"
    kernel = elementwise_kernel(name, lambda a, b: jnp.where(is_left(a, b), a, b), "result")

    @operator(what, hidden=True)
    def rule(a: Spec, b: Spec, /) -> Output:
        return elementwise(what, kernel, (a, b), _common(what, a, b))

    def public(left: Any, right: Any) -> Any:
        return rule(left, right)

    public.__name__ = public.__qualname__ = name
    public.__doc__ = _DOC.format(name=name, sign=sign, which=which, example=example)
    return public


min = _choice("min", "<", jnp.less, "smaller", "[1, 4, 3]")
max = _choice("max", ">", jnp.greater, "larger", "[4, 5, 4]")


def clamp(value: Any, lo: Any, hi: Any) -> Any:
    """The value, but not below `lo` and then not above `hi`, which wins where `lo > hi`.

    nan passes as a value and has no effect as a bound.

    Args:
        value, lo, hi: Tensor, Batch, array, number or list.

    Returns:
        The operands' common type, as in arithmetic.

    Raises:
        OperatorError: all operands are bool, or their shapes do not broadcast.

    Example:
        >>> np.asarray(dynjax.math.clamp([1, 5, 3], 2, 4)).tolist()
        [2, 4, 3]
    """
    return _clamp(value, lo, hi)


def pow(base: Any, exponent: Any) -> Any:
    """A power; of integers an integer: as `base ** exponent`.

    Args:
        base, exponent: Tensor, Batch, array, number or list.

    Returns:
        The operands' common type, as in arithmetic.

    Raises:
        OperatorError: both operands are bool, or their shapes do not broadcast.

    Example:
        >>> dynjax.math.pow(2, 3).item()
        8
    """
    return as_data(base) ** exponent


def fpow(base: Any, exponent: Any) -> Any:
    """A power as a floating-point number.

    Args:
        base, exponent: Tensor, Batch, array, number or list.

    Returns:
        float32 for integers, else the operands' common type.

    Raises:
        OperatorError: both operands are bool, or their shapes do not broadcast.

    Example:
        >>> dynjax.math.fpow(2, -1).item()
        0.5
    """
    return _fpow(base, exponent)


def atan2(x: Any, y: Any) -> Any:
    """The angle in radians of the point whose *first* coordinate here is its ordinate: `atan(x/y)`.

    The names are the original's; the order is that of other libraries' `atan2(y, x)`.

    Args:
        x: ordinate, the numerator. Tensor, Batch, array, number or list.
        y: abscissa, the denominator.

    Returns:
        float32 for integers, else the operands' common type.

    Raises:
        OperatorError: both operands are bool, or their shapes do not broadcast.

    Example:
        >>> round(dynjax.math.atan2(1.0, 0.0).item(), 4)
        1.5708
    """
    return _atan2(x, y)
