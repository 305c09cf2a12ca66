"""Sums and means: `dynjax.reductions.sum`, `mean`, `mean_square`, `rms`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import DTypeLike, Operator, Output, operator
from ..._types.dtypes import numpy_dtype
from ..._types.spec import Spec
from .._lib.promotion import float_of, is_float
from .._lib.rounding import saturate
from .reduction import Function, reduction, reduction_kernel
from .valid import masked


def precise(*dtypes: Any) -> Any:
    """The floating-point type to compute in: float64 if a type is that wide, else float32."""
    return jnp.float64 if any(d == jnp.float64 for d in dtypes) else jnp.float32


def _sum(x: Any, mask: Any, count: Any, axes: tuple[int, ...], dtype: Any) -> Any:
    if jnp.issubdtype(x.dtype, jnp.floating):
        total = jnp.sum(masked(x.astype(precise(x.dtype, dtype)), mask, 0), axes, keepdims=True)
        return saturate(total, dtype)
    wide = jnp.int64 if jnp.issubdtype(x.dtype, jnp.signedinteger) else jnp.uint64
    wide = dtype if is_float(np.dtype(dtype)) else jax.dtypes.canonicalize_dtype(wide)
    wide = precise(dtype) if jnp.issubdtype(wide, jnp.floating) else wide
    return jnp.sum(masked(x.astype(wide), mask, 0), axes, keepdims=True)


def _mean(x: Any, mask: Any, count: Any, axes: tuple[int, ...], dtype: Any) -> Any:
    values = masked(x.astype(precise(x.dtype, dtype)), mask, 0)
    return saturate(jnp.sum(values, axes, keepdims=True) / count, dtype)


def _mean_of_squares(x: Any, mask: Any, count: Any, axes: tuple[int, ...], dtype: Any) -> Any:
    values = masked(x.astype(precise(x.dtype, dtype)), mask, 0)
    return jnp.sum(values * values, axes, keepdims=True) / count


def _mean_square(x: Any, mask: Any, count: Any, axes: tuple[int, ...], dtype: Any) -> Any:
    return saturate(_mean_of_squares(x, mask, count, axes, dtype), dtype)


def _rms(x: Any, mask: Any, count: Any, axes: tuple[int, ...], dtype: Any) -> Any:
    return saturate(jnp.sqrt(_mean_of_squares(x, mask, count, axes, dtype)), dtype)


_SUM = reduction_kernel("reduce_sum", _sum)


def _sum_dtype(dtype: np.dtype) -> np.dtype:
    if is_float(dtype):
        return dtype
    return np.dtype(np.int64 if dtype.kind == "i" else np.uint64)


def _chosen(dtype: DTypeLike | None, default: np.dtype) -> np.dtype:
    return default if dtype is None else numpy_dtype(dtype)


@operator("reductions.sum")
def sum(
    input: Spec,
    /,
    *,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    dtype: DTypeLike | None = None,
    keep_dims: bool = False,
) -> Output:
    """The sum of the elements along some axes.

    Args:
        input: any type.
        axes: the axes to reduce; negative ones count from the end. Default: all.
        axis_names: the same by letters of the layout, alternatively.
        dtype: type of the result; sums of integers wrap in it. Default: uint64 for unsigned
            integers and bools, int64 for signed ones, else the input's. Inside `jit` without
            JAX's 64-bit mode 64-bit integers have 32 bits.
        keep_dims: keep the reduced axes with an extent of 1.

    Returns:
        The sums; layout without the reduced axes.

    Raises:
        IndexError: no such axis; at the call.
        OperatorError: a letter that is not in the layout.

    Source: DALI `reductions.Sum`, which supports fewer types.

    Example:
        >>> np.asarray(dynjax.reductions.sum([[3, 1], [2, 5]], axes=[1])).tolist()
        [4, 7]
    """
    out = _chosen(dtype, _sum_dtype(input.dtype))
    return reduction("reductions.sum", _SUM, input, out, axes, axis_names, keep_dims)


# Not an f-string in the rule: its docstring is the users' help.
_DOC = """{summary} along some axes; nan without elements.

    Args:
        input: any type.
        axes: the axes to reduce; negative ones count from the end. Default: all.
        axis_names: the same by letters of the layout, alternatively.
        dtype: type of the result; integers are rounded and clamped. Default: float32 for integers,
            else the input's.
        keep_dims: keep the reduced axes with an extent of 1.

    Returns:
        Data of that type; layout without the reduced axes.

    Raises:
        IndexError: no such axis; at the call.
        OperatorError: a letter that is not in the layout.

    Source: DALI `reductions.{source}`, which supports fewer types.

    Example:
        >>> np.asarray(dynjax.reductions.{name}([[1, 7], [2, 14]], axes=[1])).tolist()
        {example}
    """


def _average(name: str, function: Function, source: str, summary: str, example: str) -> Operator:
    """A reduction to floating-point numbers; `example` is the result in the example of its help."""
    what = f"reductions.{name}"
    kernel = reduction_kernel(f"reduce_{name}", function)

    def rule(
        input: Spec,
        /,
        *,
        axes: list[int] | None = None,
        axis_names: str | None = None,
        dtype: DTypeLike | None = None,
        keep_dims: bool = False,
    ) -> Output:
        out = _chosen(dtype, float_of(input.dtype))
        return reduction(what, kernel, input, out, axes, axis_names, keep_dims)

    rule.__doc__ = _DOC.format(name=name, source=source, summary=summary, example=example)
    return operator(what)(rule)


mean = _average("mean", _mean, "Mean", "The mean of the elements", "[4.0, 8.0]")
mean_square = _average(
    *("mean_square", _mean_square, "MeanSquare"),
    *("The mean of the squares of the elements", "[25.0, 100.0]"),
)
rms = _average("rms", _rms, "RMS", "The root of the mean of the squares", "[5.0, 10.0]")
