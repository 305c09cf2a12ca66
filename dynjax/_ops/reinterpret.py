"""Other element types over the same bytes: `dynjax.reinterpret`."""

import numpy as np

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.dtypes import numpy_dtype
from .._types.spec import Spec
from ._lib.refold import refolded
from ._lib.shapes import wanted_shape


@operator("reinterpret", late_inputs=("shape_input",))
def reinterpret(
    data: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    layout: str | None = None,
    rel_shape: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    shape_input: PerSample[list[int]] | None = None,
    src_dims: PerSample[list[int]] | None = None,
) -> Output:
    """Reads the same bytes as elements of another type, and gives them another shape.

    Args:
        data: any data.
        dtype: type of the result. Default: the input's.
        layout, rel_shape, shape, shape_input, src_dims: see `reshape`. If no shape is given, the
            innermost extent is rescaled.

    Returns:
        The bytes of `data`.

    Raises:
        OperatorError: the number of bytes differs, or does not hold whole elements.

    Source: DALI `Reinterpret`; definition checked against recordings.

    Example:
        >>> np.asarray(dynjax.reinterpret(dynjax.tensor(np.uint16([258])), dtype=dynjax.uint8))
        array([2, 1], dtype=uint8)
    """
    out_dtype = data.dtype if dtype is None else np.dtype(numpy_dtype(dtype))
    ratio = (data.dtype.itemsize, out_dtype.itemsize)
    shape = shape_input if shape is None else shape
    wanted = wanted_shape("reinterpret", data, shape, rel_shape, src_dims, ratio)
    if layout is None and len(wanted) == data.ndim:
        layout = data.layout
    return refolded("reinterpret", data, wanted, layout or None, dtype=out_dtype)
