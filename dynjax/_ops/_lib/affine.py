"""The entries of affine matrices, `transforms.*`, as columns.

A matrix is a list of `d` rows of `d + 1` columns (see `_types/columns.py`): `out = A p + b`.
That of several frames has columns as in `ColumnsByFrame`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._types.columns import Column, array_module, as_double, is_constant, is_traced
from ..._types.errors import OperatorError

Matrix = list[list[Column]]


def applied(function: str, value: Column) -> Column:
    """A NumPy function of a column, in double precision on the host."""
    if is_constant(value):
        return float(getattr(math, function)(value))
    if is_traced(value):
        return getattr(array_module(value), function)(value)
    return getattr(np, function)(as_double(value))


def radians(angle_deg: Column) -> Column:
    """Degrees to radians."""
    return angle_deg * (math.pi / 180)


def divided(a: Column, b: Column) -> Column:
    """`a / b`; division by 0 gives an infinity or NaN, as elsewhere in floating point."""
    if is_traced(a, b):
        return a / b
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.divide(a, b)
    return float(quotient) if np.ndim(quotient) == 0 else quotient


def repeated(
    what: str, name: str, values: Sequence[Column] | None, d: int, default: float
) -> list[Column]:
    """`d` columns of an argument of which one value may stand for all."""
    if values is None:
        return [default] * d
    if len(values) == 1:
        return [values[0]] * d
    if len(values) != d:
        raise OperatorError(
            f"{what}: {name} has {len(values)} values; expected {d}, one for each dimension."
        )
    return list(values)


def about(rows: Matrix, center: Sequence[Column] | None, what: str) -> Matrix:
    """A linear map (`d` rows of `d`) that leaves `center` where it is."""
    d = len(rows)
    if center is None:
        return [[*row, 0.0] for row in rows]
    c = repeated(what, "center", center, d, 0.0)
    result = []
    for i, row in enumerate(rows):
        moved: Any = 0.0
        for a, x in zip(row, c, strict=True):
            moved = moved + a * x
        result.append([*row, c[i] - moved])
    return result


def about_axis(cos: Column, sin: Column, axis: Sequence[Column]) -> Matrix:
    """The rotation about an axis through the origin, as rows of three (Rodrigues' formula)."""
    length = applied("sqrt", axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2])
    u = [divided(a, length) for a in axis]
    turned = [[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]]
    return [
        [cos * (i == j) + (1 - cos) * u[i] * u[j] + sin * turned[i][j] for j in range(3)]
        for i in range(3)
    ]
