"""Inputs one after another along an axis: `dynjax.cat`."""

from .._schema import Output, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.axes import named, position
from ._lib.joining import joined


@operator("cat")
def cat(
    input_0: Spec, /, *inputs: Spec, axis: int | None = None, axis_name: str | None = None
) -> Output:
    """Joins data along an axis that they have.

    Args:
        input_0: the first; gives the layout.
        inputs: the others, up to 998, of the same type and number of axes.
        axis: position of the axis; negative ones count from the end. Default: 0.
        axis_name: its letter in the first input's layout, alternatively.

    Returns:
        The data one after another.

    Raises:
        OperatorError: types or other extents differ, or there is no such axis.

    Source: DALI `Cat`.

    Example:
        >>> np.asarray(dynjax.cat(dynjax.tensor([1, 2]), dynjax.tensor([3])))
        array([1, 2, 3], dtype=int32)
    """
    if axis is not None and axis_name is not None:
        raise OperatorError("cat: expected one of axis and axis_name.")
    specs = [input_0, *inputs]
    if axis_name is not None:
        found = next((s.layout for s in specs if s.layout), None)
        where = named("cat", axis_name, found)[0]
    else:
        where = position("cat", axis or 0, input_0.ndim)
    layout = next((s.layout for s in specs if s.layout), None)
    return joined("cat", specs, where, layout, stacked=False)
