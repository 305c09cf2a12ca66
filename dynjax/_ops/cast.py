"""Conversion of the element type: `dynjax.cast`."""

from .._schema import DTypeLike, Output, operator
from .._types.dtypes import numpy_dtype
from .._types.spec import Spec
from ._lib.conversion import converted


@operator("cast", alone=True)
def cast(x: Spec, /, *, dtype: DTypeLike) -> Output:
    """Converts the elements to another type.

    Floats become integers by rounding to nearest, halves away from zero; whatever does not fit
    the result's range is clamped to it. NaN becomes 0, or the smallest value of int32 and int64.
    A result of type bool says whether the rounded value differs from 0.

    Args:
        x: any data.
        dtype: type of the result.

    Returns:
        Shape and layout of `x`.

    Raises:
        ArgumentError: `dtype` names no element type.

    Source: DALI `Cast`; definition checked against recordings.

    Example:
        >>> np.asarray(dynjax.cast(dynjax.tensor([-1.5, 2.5, 300.0]), dtype=dynjax.uint8))
        array([  0,   3, 255], dtype=uint8)
    """
    return converted(x, numpy_dtype(dtype))
