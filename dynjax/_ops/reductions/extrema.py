"""The smallest and the largest element: `dynjax.reductions.min`, `dynjax.reductions.max`."""

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Operator, Output, operator
from ..._types.spec import Spec
from .reduction import Function, reduction, reduction_kernel
from .valid import masked


def _extreme(choose: Callable[..., Any], sign: int) -> Callable[..., Any]:
    """`sign` is 1 for the smallest and -1 for the largest element."""

    def function(x: Any, mask: Any, count: Any, axes: tuple[int, ...], dtype: Any) -> Any:
        if jnp.issubdtype(dtype, jnp.bool_):
            return function(x.astype(jnp.uint8), mask, count, axes, jnp.dtype(jnp.uint8)) != 0
        if not jnp.issubdtype(dtype, jnp.floating):
            info = jnp.iinfo(dtype)
            neutral: Any = info.max if sign > 0 else info.min
            filled = masked(x, mask, neutral)
            return choose(filled, axis=axes, keepdims=True, initial=np.asarray(neutral, dtype))
        # Where there is nothing to choose from, the original gives the largest finite number.
        numbers = mask & ~jnp.isnan(x)
        found = choose(
            *(masked(x, numbers, sign * jnp.inf), axes),
            keepdims=True,
            initial=jnp.asarray(sign * jnp.inf, dtype),
        )
        largest = jnp.asarray(jnp.finfo(dtype).max, dtype) * sign
        return jnp.where(jnp.any(numbers, axes, keepdims=True), found, largest)

    return function


# Not an f-string in the rule: its docstring is the users' help.
_DOC = """The {which} element along some axes. nan does not count.

    Args:
        input: any type.
        axes: the axes to reduce; negative ones count from the end. Default: all.
        axis_names: the same by letters of the layout, alternatively.
        keep_dims: keep the reduced axes with an extent of 1.

    Returns:
        The input's type; layout without the reduced axes. Without elements: the {neutral} number of
        the type.

    Raises:
        IndexError: no such axis; at the call.
        OperatorError: a letter that is not in the layout.

    Source: DALI `reductions.{source}`.

    Example:
        >>> np.asarray(dynjax.reductions.{name}([[3, 1], [2, 5]], axes=[1])).tolist()
        {example}
    """


def _extremum(name: str, function: Function, **documentation: str) -> Operator:
    what = f"reductions.{name}"
    kernel = reduction_kernel(f"reduce_{name}", function)

    def rule(
        input: Spec,
        /,
        *,
        axes: list[int] | None = None,
        axis_names: str | None = None,
        keep_dims: bool = False,
    ) -> Output:
        return reduction(what, kernel, input, input.dtype, axes, axis_names, keep_dims)

    rule.__doc__ = _DOC.format(name=name, source=name.capitalize(), **documentation)
    return operator(what)(rule)


min = _extremum(
    *("min", _extreme(jnp.min, 1)), which="smallest", neutral="largest", example="[1, 2]"
)
max = _extremum(
    *("max", _extreme(jnp.max, -1)), which="largest", neutral="lowest", example="[3, 5]"
)
