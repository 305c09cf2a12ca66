"""The same values in memory of their own: `dynjax.copy`."""

from .._schema import Output, operator
from .._types.spec import Spec
from ._lib.conversion import converted


@operator("copy")
def copy(x: Spec, /) -> Output:
    """Copies data.

    Args:
        x: any data.

    Returns:
        The same values, shape, type and layout, in new memory.

    Raises:
        OperatorError: an input is the result of a computation that failed.

    Source: DALI `Copy`.

    Example:
        >>> np.asarray(dynjax.copy(dynjax.tensor([1, 2])))
        array([1, 2], dtype=int32)
    """
    return converted(x, x.dtype)
