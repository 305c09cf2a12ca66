"""Conversion to the element type of another value: `dynjax.cast_like`."""

from .._schema import Output, operator
from .._types.spec import Spec
from ._lib.conversion import converted


@operator("cast_like")
def cast_like(x: Spec, other: Spec, /) -> Output:
    """Converts the elements to the type of another value, as `cast` does.

    Args:
        x: any data.
        other: data of the wanted type; its values and shape do not matter.

    Returns:
        Shape and layout of `x`, type of `other`.

    Raises:
        OperatorError: an input is the result of a computation that failed.

    Source: DALI `CastLike`.

    Example:
        >>> np.asarray(dynjax.cast_like(dynjax.tensor([1.6, 2.4]), dynjax.tensor([7])))
        array([2, 2], dtype=int32)
    """
    return converted(x, other.dtype, other)
