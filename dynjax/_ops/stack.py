"""Inputs side by side along a new axis: `dynjax.stack`."""

from .._schema import Output, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.axes import position
from ._lib.joining import joined


@operator("stack")
def stack(input_0: Spec, /, *inputs: Spec, axis: int = 0, axis_name: str | None = None) -> Output:
    """Joins data of one shape along a new axis.

    Args:
        input_0: the first.
        inputs: the others, up to 998, of the same type and shape.
        axis: position of the new axis; negative ones count from the end of the result.
        axis_name: its letter.

    Returns:
        The data side by side; without layout unless `axis_name` is given.

    Raises:
        OperatorError: types or shapes differ, or there cannot be such an axis.

    Source: DALI `Stack`.

    Example:
        >>> dynjax.stack(dynjax.tensor([1, 2]), dynjax.tensor([3, 4]), axis=1).shape
        (2, 2)
    """
    where = position("stack", axis, input_0.ndim + 1)
    layout = None
    if axis_name:
        if len(axis_name) != 1:
            raise OperatorError(f"stack: axis_name={axis_name!r}; expected one letter.")
        known = input_0.layout or ""
        if len(known) == input_0.ndim:
            layout = known[:where] + axis_name + known[where:]
    return joined("stack", [input_0, *inputs], where, layout, stacked=True)
