"""Functions of two and three operands: `dynjax.math.min`, `max`, `clamp`, `pow`, `fpow`, `atan2`.

Operands broadcast, and layouts combine, as in arithmetic.

Source: DALI's mathematical functions; types and the treatment of nan checked against it.
"""

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


# Comparisons with nan are false, so that the choice of the second or the first operand is what
# decides whether nan passes.
_MIN = elementwise_kernel("min", lambda a, b: jnp.where(a < b, a, b), "result")
_MAX = elementwise_kernel("max", lambda a, b: jnp.where(a > b, a, b), "result")
_FPOW = elementwise_kernel("fpow", jnp.power, "result")
_ATAN2 = elementwise_kernel("atan2", jnp.arctan2, "result")


def _clamped(value: Any, lo: Any, hi: Any) -> Any:
    raised = jnp.where(value < lo, lo, value)
    return jnp.where(raised > hi, hi, raised)


_CLAMP = elementwise_kernel("clamp", _clamped, "result")


@operator("math.min", hidden=True)
def _min(a: Spec, b: Spec, /) -> Output:
    return elementwise("math.min", _MIN, (a, b), _common("math.min", a, b))


@operator("math.max", hidden=True)
def _max(a: Spec, b: Spec, /) -> Output:
    return elementwise("math.max", _MAX, (a, b), _common("math.max", a, b))


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


def min(left: Any, right: Any) -> Any:
    """The smaller of two values: `left < right ? left : right`, so nan passes only on the right.

    Args:
        left, right: Tensor, Batch, array, number or list.

    Returns:
        The operands' common type, as in arithmetic.

    Raises:
        OperatorError: both operands are bool, or their shapes do not broadcast.

    Example:
        >>> np.asarray(dynjax.math.min([1, 5, 3], 4)).tolist()
        [1, 4, 3]
    """
    return _min(left, right)


def max(left: Any, right: Any) -> Any:
    """The larger of two values: `left > right ? left : right`, so nan passes only on the right.

    Args:
        left, right: Tensor, Batch, array, number or list.

    Returns:
        The operands' common type, as in arithmetic.

    Raises:
        OperatorError: both operands are bool, or their shapes do not broadcast.

    Example:
        >>> np.asarray(dynjax.math.max([1, 5, 3], 2.5)).tolist()
        [2.5, 5.0, 3.0]
    """
    return _max(left, right)


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
