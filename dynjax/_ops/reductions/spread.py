"""Spread about a given mean: `dynjax.reductions.variance`, `dynjax.reductions.std_dev`."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Apply, Kernel, Operator, Output, operator
from ..._types.spec import Spec
from .._lib.promotion import float_of
from .._lib.slots import fitted
from .axes import reduced_axes, reduced_layout, reduced_shape
from .given import form_of, laid_out
from .sums import precise
from .valid import elements, inside, masked


def _spread_kernel(name: str, of_variance: Callable[[Any], Any]) -> Kernel:
    def sample(
        inputs: Sequence[Any],
        extents: Sequence[Sequence[Any]],
        out_extent: Any,
        tables: Any,
        *,
        out_shape: tuple[int, ...],
        dtype: Any,
        axes: tuple[int, ...],
        keep_dims: bool,
        ddof: int,
        form: str,
    ) -> Any:
        del out_extent, tables
        dtype = jax.dtypes.canonicalize_dtype(dtype)
        x = inputs[0].astype(precise(inputs[0].dtype, dtype))
        mean = laid_out(inputs[1].astype(x.dtype), form, x, axes)
        distance = masked(x - mean, inside(x, extents[0], axes), 0)
        total = jnp.sum(distance * distance, axes, keepdims=True)
        count = jnp.asarray(elements(extents[0], axes) - ddof, x.dtype)
        result = of_variance(total / count)
        result = result if keep_dims else jnp.squeeze(result, axes)
        return fitted(result, out_shape).astype(dtype)

    return Kernel(name, sample, native=False)


# Not an f-string in the rule: its docstring is the users' help.
_DOC = """The {summary} from a given mean along some axes.

        {formula}

    Args:
        data: any type.
        mean: one number, or the means along the same axes, with or without `keep_dims`.
        axes: the axes to reduce; negative ones count from the end. Default: all.
        axis_names: the same by letters of the layout, alternatively.
        ddof: subtracted from the number of elements; 1 gives the unbiased estimate.
        keep_dims: keep the reduced axes with an extent of 1.

    Returns:
        float32 for integers, else the input's type; layout without the reduced axes.

    Raises:
        IndexError: no such axis; at the call.
        OperatorError: a letter that is not in the layout, or a mean of another shape.

    Source: DALI `reductions.{source}`.

    Example:
        >>> dynjax.reductions.{name}([1.0, 5.0], 3.0).item()
        {example}
    """


def _spread(name: str, of_variance: Callable[[Any], Any], **documentation: str) -> Operator:
    what = f"reductions.{name}"
    kernel = _spread_kernel(f"reduce_{name}", of_variance)

    def rule(
        data: Spec,
        mean: Spec,
        /,
        *,
        axes: list[int] | None = None,
        axis_names: str | None = None,
        ddof: int = 0,
        keep_dims: bool = False,
    ) -> Output:
        reduced = reduced_axes(what, data, axes, axis_names)
        form = form_of(what, "the mean", mean, data, reduced)
        return Apply(
            kernel,
            reduced_shape(data.shape, reduced, keep_dims),
            float_of(data.dtype),
            reduced_layout(data.layout, reduced, keep_dims),
            static={"axes": reduced, "keep_dims": keep_dims, "ddof": ddof, "form": form},
        )

    rule.__doc__ = _DOC.format(name=name, **documentation)
    return operator(what)(rule)


variance = _spread(
    *("variance", lambda v: v),
    source="Variance",
    summary="mean square distance",
    formula="sum((data - mean)**2) / (n - ddof)",
    example="4.0",
)
std_dev = _spread(
    *("std_dev", jnp.sqrt),
    source="StdDev",
    summary="root of the mean square distance",
    formula="sqrt(sum((data - mean)**2) / (n - ddof))",
    example="2.0",
)
