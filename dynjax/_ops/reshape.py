"""Other extents over the same elements: `dynjax.reshape`."""

from .._schema import Output, PerSample, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.refold import refolded
from ._lib.shapes import relative_bound, wanted_shape


@operator("reshape", late_inputs=("shape_input",))
def reshape(
    data: Spec,
    /,
    *,
    layout: str | None = None,
    rel_shape: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    shape_input: PerSample[list[int]] | None = None,
    src_dims: PerSample[list[int]] | None = None,
) -> Output:
    """Gives the elements another shape; on the host without copying them.

    Args:
        data: any data.
        layout: of the result. Default: the input's if the number of axes stays, else none.
            An empty one removes it.
        rel_shape: the result's extents in units of the input's; one may be -1.
        shape: the result's extents; one may be -1: whatever is left.
        shape_input: the same as a second input.
        src_dims: which of the input's extents to take, in the result's order; -1 is a new axis
            of extent 1. Elements are not moved.

    Returns:
        The elements of `data` in their order.

    Raises:
        OperatorError: the number of elements differs, no new shape is given, or the layout does
            not fit.

    Source: DALI `Reshape`; definition checked against recordings.

    Example:
        >>> dynjax.reshape(dynjax.tensor(np.arange(24)), shape=[2, -1, 3]).shape
        (2, 4, 3)
    """
    shape = shape_input if shape is None else shape
    if shape is None and rel_shape is None and src_dims is None and layout is None:
        raise OperatorError("reshape: none of shape, rel_shape, src_dims and layout is given.")
    wanted = wanted_shape("reshape", data, shape, rel_shape, src_dims)
    if layout is None and len(wanted) == data.ndim:
        layout = data.layout
    bound = relative_bound(data, rel_shape, src_dims)
    return refolded("reshape", data, wanted, layout or None, bound=bound)
