"""Maps of positions, as matrices of columns, and the extents of what they produce."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._types.columns import (
    Column,
    absolute,
    any_of,
    as_double,
    as_integer,
    first_of,
    is_constant,
    maximum,
    round_half_away,
    trunc,
    value_at,
)
from ..._types.errors import ArgumentError, OperatorError
from ..._types.frames import Frames
from ..._types.spec import Spec
from .affine import Matrix
from .layouts import spatial_axes
from .matrices import matrix_rows

_MAX_SIZE = 2.0**31  # kernels count in 32 bits


def given_map(
    what: str, name: str, matrices: Frames, frames: int, rows: int, width: int, inverse_map: bool
) -> Matrix:
    """The user's matrix from the result to the image, of so many frames.

    Raises:
        OperatorError: a matrix of another shape.
        ArgumentError: a matrix that has to be inverted, and is singular.
    """
    values = matrix_rows(what, name, matrices.columns(frames), width)
    matrix = [[as_double(e) for e in row] for row in values]
    if len(matrix) != rows:
        raise OperatorError(
            f"{what}: {name} has {len(matrix)} rows; expected a matrix of shape ({rows}, {width})."
        )
    return matrix if inverse_map else _inverse(what, name, matrix)


def _inverse(what: str, name: str, matrix: Matrix) -> Matrix:
    """The inverse of an affine map `[d, d + 1]` or of a projective one `[3, 3]`."""
    d = len(matrix)
    square = [row[:d] for row in matrix]
    determinant = _determinant(square)
    if any_of(wrong := determinant == 0):
        sample = first_of(wrong) if np.ndim(wrong) < 2 else first_of(wrong.any(axis=1))
        raise ArgumentError(
            f"{what}: sample {sample}: {name} is singular and has no inverse. "
            "Pass inverse_map=True if it maps the result to the input."
        )
    linear = [[_cofactor(square, j, i) / determinant for j in range(d)] for i in range(d)]
    if len(matrix[0]) == d:
        return linear
    offsets = [row[d] for row in matrix]
    return [[*row, 0.0 - _dot(row, offsets)] for row in linear]


def _dot(a: Sequence[Column], b: Sequence[Column]) -> Column:
    total: Any = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def _determinant(m: Matrix) -> Column:
    if len(m) == 1:
        return m[0][0]
    return _dot(m[0], [_cofactor(m, 0, j) for j in range(len(m))])


def _cofactor(m: Matrix, i: int, j: int) -> Column:
    minor = [[*row[:j], *row[j + 1 :]] for k, row in enumerate(m) if k != i]
    return _determinant(minor) * (-1) ** (i + j)


def output_sizes(
    what: str,
    spec: Spec,
    size: Sequence[Column] | None,
    *,
    one_for_all: bool = False,
    truncates: bool = False,
) -> list[Column]:
    """The result's spatial extents: those asked for, or the input's.

    Args:
        what: the operator, for messages.
        spec: the input.
        size: depth, height and width as the layout has them; rounded to nearest, at least 1.
        one_for_all: a single value serves all axes.
        truncates: sizes for each sample are rounded down instead.
    """
    assert spec.layout is not None
    extents = [spec.shape[a] for a in spatial_axes(spec.layout)]
    if not size:
        return extents
    if len(size) == 1 and one_for_all:
        size = [size[0]] * len(extents)
    if len(size) != len(extents):
        raise OperatorError(
            f"{what}: size has {len(size)} values; expected {len(extents)}, one for each of "
            f"{', '.join(x for x in spec.layout if x in 'DHW')}."
        )
    sizes: list[Column] = []
    for value in size:
        possible = absolute(value) < _MAX_SIZE  # NaN is not
        if any_of(possible == False) or any_of(value <= 0):  # noqa: E712 a column
            i = first_of((possible == False) | (value <= 0))  # noqa: E712
            raise OperatorError(
                f"{what}: sample {i}: a size of {value_at(value, i)} pixels; expected more than 0."
            )
        if truncates and not is_constant(value):
            sizes.append(as_integer(trunc(as_double(value))))
        else:
            sizes.append(maximum(as_integer(round_half_away(as_double(value))), 1))
    return sizes


def check_pixels(what: str, spec: Spec) -> None:
    """Refuses images without pixels, of which there is nothing to read."""
    assert spec.layout is not None
    for axis in spatial_axes(spec.layout):
        empty = spec.shape[axis] == 0
        if any_of(empty):
            raise OperatorError(
                f"{what}: sample {first_of(empty)}: the input has no pixels: its shape is "
                f"{spec.sample_shape(first_of(empty))}."
            )
