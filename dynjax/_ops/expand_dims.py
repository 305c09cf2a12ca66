"""New axes of extent 1: `dynjax.expand_dims`."""

from .._schema import Output, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.refold import refolded


@operator("expand_dims", alone=True)
def expand_dims(data: Spec, /, *, axes: list[int], new_axis_names: str = "") -> Output:
    """Inserts axes of extent 1; on the host without copying.

    Args:
        data: any data.
        axes: positions of the new axes in the result, not negative.
        new_axis_names: their letters, in the order of `axes`; the input must have a layout.

    Returns:
        The elements of `data`; without layout unless `new_axis_names` is given.

    Raises:
        OperatorError: a position that is negative, too large or given twice, or a wrong number
            of names.

    Source: DALI `ExpandDims`.

    Example:
        >>> dynjax.expand_dims(dynjax.tensor(np.zeros((2, 3))), axes=[0, 2]).shape
        (1, 2, 1, 3)
    """
    ndim = data.ndim + len(axes)
    if len(set(axes)) != len(axes):
        raise OperatorError(f"expand_dims: an axis is given twice: {list(axes)}.")
    for axis in axes:
        if not 0 <= axis < ndim:
            raise OperatorError(f"expand_dims: axis {axis}; expected 0 to {ndim - 1}.")
    if new_axis_names:
        if len(new_axis_names) != len(axes):
            raise OperatorError(
                f"expand_dims: new_axis_names={new_axis_names!r} has {len(new_axis_names)} "
                f"letters; expected {len(axes)}, one for each of axes."
            )
        if data.layout is None and data.ndim:
            raise OperatorError(
                "expand_dims: new_axis_names needs an input with a layout. Set it with "
                "dynjax.as_batch(data, layout=...)."
            )
    letters = dict(zip(axes, new_axis_names, strict=False))
    extents, names = iter(data.shape), iter(data.layout or "")
    shape, layout = [], ""
    for axis in range(ndim):
        shape.append(1 if axis in axes else next(extents))
        if new_axis_names:
            layout += letters[axis] if axis in axes else next(names)
    return refolded("expand_dims", data, tuple(shape), layout or None)
