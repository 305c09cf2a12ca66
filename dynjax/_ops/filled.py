"""Data of one value: `dynjax.zeros`, `ones`, `full` and their `_like` forms."""

import numpy as np

from .._schema import DTypeLike, Operator, Output, PerSample, operator
from .._types.dtypes import numpy_dtype
from .._types.spec import Spec
from ._lib.constant import extents, filled

# Not f-strings in the rules: their docstrings are the users' help.
_FILLED = """Data of {name}.

    Args:
        dtype: of the elements. Default: int32.
        layout: of the result.
        shape: of a sample. Default: a scalar.

    Raises:
        ArgumentError: `shape` is no list of whole numbers.

    Source: DALI `{source}`.

    Example:
        >>> np.asarray(dynjax.{name}(shape=[2])).tolist()
        {example}
    """
_LIKE = """Data of {what} in the shape of other data.

    Args:
        data_like: gives shape and layout.
        dtype: of the elements. Default: those of `data_like`.

    Raises:
        OperatorError: an input is the result of a computation that failed.

    Source: DALI `{source}`.

    Example:
        >>> np.asarray(dynjax.{name}(dynjax.tensor([3.0, 4.0]))).tolist()
        {example}
    """


def _filled(name: str, value: int) -> Operator:
    def rule(
        *,
        dtype: DTypeLike = np.int32,
        layout: str | None = None,
        shape: PerSample[list[int]] | None = None,
    ) -> Output:
        return filled(name, extents(shape), np.dtype(numpy_dtype(dtype)), layout, value=value)

    rule.__doc__ = _FILLED.format(name=name, source=name.capitalize(), example=[value] * 2)
    return operator(name)(rule)


def _filled_like(name: str, value: int) -> Operator:
    def rule(data_like: Spec, /, *, dtype: DTypeLike | None = None) -> Output:
        kind = data_like.dtype if dtype is None else np.dtype(numpy_dtype(dtype))
        specs = [data_like]
        return filled(name, data_like.shape, kind, data_like.layout, value=value, specs=specs)

    what = name.removesuffix("_like")
    source = f"{what.capitalize()}Like"
    example = [float(value)] * 2
    rule.__doc__ = _LIKE.format(name=name, what=what, source=source, example=example)
    return operator(name)(rule)


zeros = _filled("zeros", 0)
ones = _filled("ones", 1)
zeros_like = _filled_like("zeros_like", 0)
ones_like = _filled_like("ones_like", 1)


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
