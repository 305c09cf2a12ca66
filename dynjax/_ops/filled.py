"""Data of one value: `dynjax.zeros`, `ones`, `full` and their `_like` forms."""

import numpy as np

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.dtypes import numpy_dtype
from .._types.spec import Spec
from ._lib.constant import extents, filled


@operator("zeros")
def zeros(
    *,
    dtype: DTypeLike = np.int32,
    layout: str | None = None,
    shape: PerSample[list[int]] | None = None,
) -> Output:
    """Data of zeros.

    Args:
        dtype: of the elements. Default: int32.
        layout: of the result.
        shape: of a sample. Default: a scalar.

    Raises:
        ArgumentError: `shape` is no list of whole numbers.

    Source: DALI `Zeros`.

    Example:
        >>> np.asarray(dynjax.zeros(shape=[2]))
        array([0, 0], dtype=int32)
    """
    return filled("zeros", extents(shape), np.dtype(numpy_dtype(dtype)), layout, value=0)


@operator("ones")
def ones(
    *,
    dtype: DTypeLike = np.int32,
    layout: str | None = None,
    shape: PerSample[list[int]] | None = None,
) -> Output:
    """Data of ones.

    Args:
        dtype: of the elements. Default: int32.
        layout: of the result.
        shape: of a sample. Default: a scalar.

    Raises:
        ArgumentError: `shape` is no list of whole numbers.

    Source: DALI `Ones`.

    Example:
        >>> np.asarray(dynjax.ones(shape=[2]))
        array([1, 1], dtype=int32)
    """
    return filled("ones", extents(shape), np.dtype(numpy_dtype(dtype)), layout, value=1)


@operator("full")
def full(
    fill_value: Spec,
    /,
    *,
    layout: str | None = None,
    shape: PerSample[list[int]] | None = None,
) -> Output:
    """A value, repeated to fill a shape.

    Args:
        fill_value: the value; its shape must broadcast to `shape`.
        layout: of the result.
        shape: of a sample. Default: a scalar.

    Returns:
        Data of the value's type.

    Raises:
        ArgumentError: `shape` is no list of whole numbers.

    Source: DALI `Full`.

    Example:
        >>> np.asarray(dynjax.full(7, shape=[2]))
        array([7, 7], dtype=int32)
    """
    return filled("full", extents(shape), fill_value.dtype, layout, specs=[fill_value])


@operator("zeros_like")
def zeros_like(data_like: Spec, /, *, dtype: DTypeLike | None = None) -> Output:
    """Zeros in the shape of other data.

    Args:
        data_like: gives shape and layout.
        dtype: of the elements. Default: those of `data_like`.

    Raises:
        OperatorError: an input is the result of a computation that failed.

    Source: DALI `ZerosLike`.

    Example:
        >>> np.asarray(dynjax.zeros_like(dynjax.tensor([3.0, 4.0])))
        array([0., 0.], dtype=float32)
    """
    return _like("zeros_like", data_like, dtype, 0)


@operator("ones_like")
def ones_like(data_like: Spec, /, *, dtype: DTypeLike | None = None) -> Output:
    """Ones in the shape of other data.

    Args:
        data_like: gives shape and layout.
        dtype: of the elements. Default: those of `data_like`.

    Raises:
        OperatorError: an input is the result of a computation that failed.

    Source: DALI `OnesLike`.

    Example:
        >>> np.asarray(dynjax.ones_like(dynjax.tensor([3.0, 4.0])))
        array([1., 1.], dtype=float32)
    """
    return _like("ones_like", data_like, dtype, 1)


@operator("full_like")
def full_like(data_like: Spec, fill_value: Spec, /) -> Output:
    """A value, repeated to fill the shape of other data.

    Args:
        data_like: gives shape, type and layout.
        fill_value: the value; converted as `cast` does.

    Raises:
        OperatorError: an input is the result of a computation that failed.

    Source: DALI `FullLike`.

    Example:
        >>> np.asarray(dynjax.full_like(dynjax.tensor([1, 2]), 2.5))
        array([3, 3], dtype=int32)
    """
    return filled(
        "full_like",
        data_like.shape,
        data_like.dtype,
        data_like.layout,
        specs=[data_like, fill_value],
    )


def _like(what: str, spec: Spec, dtype: DTypeLike | None, value: int) -> Output:
    kind = spec.dtype if dtype is None else np.dtype(numpy_dtype(dtype))
    return filled(what, spec.shape, kind, spec.layout, value=value, specs=[spec])
