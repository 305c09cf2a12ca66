"""Removal of axes of extent 1: `dynjax.squeeze`."""

from .._schema import Output, PerSample, operator
from .._types.columns import any_of, is_traced
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.axes import chosen
from ._lib.refold import refolded


@operator("squeeze", alone=True)
def squeeze(
    data: Spec, /, *, axes: PerSample[list[int]] | None = None, axis_names: str | None = None
) -> Output:
    """Drops axes of extent 1; on the host without copying.

    Args:
        data: any data.
        axes: positions of the axes; negative ones count from the end.
        axis_names: their letters in the layout, alternatively.

    Returns:
        The elements of `data`; the layout loses the axes' letters.

    Raises:
        OperatorError: neither or both arguments are given, or an extent is not 1.

    Source: DALI `Squeeze`.

    Example:
        >>> dynjax.squeeze(dynjax.tensor(np.zeros((2, 1, 3))), axes=[1]).shape
        (2, 3)
    """
    if (axes is None) == (axis_names is None):
        raise OperatorError("squeeze: expected one of axes and axis_names.")
    dropped = chosen("squeeze", data, axes, axis_names)
    for axis in dropped:
        extent = data.shape[axis]
        if not is_traced(extent) and any_of(extent != 1):
            raise OperatorError(f"squeeze: axis {axis} has an extent of {extent}; expected 1.")
    kept = [a for a in range(data.ndim) if a not in dropped]
    layout = None if data.layout is None else "".join(data.layout[a] for a in kept) or None
    return refolded("squeeze", data, tuple(data.shape[a] for a in kept), layout)
