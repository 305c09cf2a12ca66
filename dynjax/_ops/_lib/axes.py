"""Axes given by position or by the letters of a layout."""

from collections.abc import Sequence
from typing import Any

from ..._types.columns import is_constant
from ..._types.errors import OperatorError
from ..._types.spec import Spec


def constants(what: str, name: str, values: Sequence[Any]) -> list[int]:
    """Per-sample integers that must be the same for all samples, such as axes."""
    result = []
    for value in values:
        if not is_constant(value):
            distinct = sorted(set(value.tolist()))
            if len(distinct) != 1:
                raise OperatorError(f"{what}: {name} must be the same for all samples.")
            value = distinct[0]
        result.append(int(value))
    return result


def position(what: str, axis: int, ndim: int) -> int:
    """An axis counted from the start; negative ones count from the end."""
    if not -ndim <= axis < ndim:
        raise OperatorError(
            f"{what}: axis {axis} does not exist; expected {-ndim} to {ndim - 1} for {ndim} axes."
        )
    return axis % ndim


def named(what: str, names: str, layout: str | None) -> list[int]:
    """The positions of letters in a layout."""
    found = []
    for letter in names:
        axis = (layout or "").find(letter)
        if axis < 0:
            raise OperatorError(
                f"{what}: axis {letter!r} is not in the input's layout {layout!r}. Name the axes "
                "by position, or set the layout with dynjax.as_batch(data, layout=...)."
            )
        found.append(axis)
    return found


def chosen(what: str, spec: Spec, axes: Sequence[Any] | None, axis_names: str | None) -> list[int]:
    """Axes from either argument, distinct and counted from the start; all if neither is given."""
    if axis_names:
        found = named(what, axis_names, spec.layout)
    elif axes is None:
        return list(range(spec.ndim))
    else:
        found = [position(what, a, spec.ndim) for a in constants(what, "axes", axes)]
    if len(set(found)) != len(found):
        raise OperatorError(f"{what}: an axis is given twice: {found}.")
    return found
