"""Affine matrices of `transforms.*`: entries as columns, and the kernel that composes them.

A matrix is a list of `d` rows of `d + 1` columns (see `_types/columns.py`): `out = A p + b`.
"""

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column, array_module, is_constant, is_traced, table
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from ..._types.storage import Dense, Storage

Matrix = list[list[Column]]
LAYOUT = "**"


def applied(function: str, value: Column) -> Column:
    """A NumPy function of a column, in double precision on the host."""
    if is_constant(value):
        return float(getattr(math, function)(value))
    if not is_traced(value):
        value = np.asarray(value, np.float64)
    return getattr(array_module(value), function)(value)


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


def input_dimensions(what: str, spec: Spec) -> int:
    """`d` of an input `[d, d + 1]`, which must be known."""
    if spec.ndim == 2 and spec.dtype.kind != "b":
        sizes = [_one_size(c) for c in spec.shape]
        if sizes[0] is not None and sizes[0] > 0 and sizes[1] == sizes[0] + 1:
            return sizes[0]
    shape = spec.sample_shape(0) if not is_traced(*spec.shape) else "unknown"
    raise OperatorError(
        f"{what}: an input has type {spec.dtype.name} and shape {shape}; expected affine matrices "
        "of shape (d, d + 1)."
    )


def _one_size(column: Column) -> int | None:
    if is_constant(column):
        return int(column)
    if is_traced(column) or len(set(column.tolist())) != 1:
        return None
    return int(column[0])


def compose(xp: Any, outer: Any, inner: Any, d: int) -> Any:
    """The map that applies `inner` first; arrays `[..., d, d + 1]`."""
    exact: dict[str, Any] = {} if xp is np else {"precision": jax.lax.Precision.HIGHEST}
    linear = xp.matmul(outer[..., :d], inner[..., :d], **exact)
    offset = xp.matmul(outer[..., :d], inner[..., d:], **exact) + outer[..., d:]
    return xp.concatenate([linear, offset], axis=-1)


def _chained(xp: Any, matrices: Sequence[Any], d: int) -> Any:
    """The maps of the list, the first applied first."""
    result = matrices[0]
    for matrix in matrices[1:]:
        result = compose(xp, matrix, result, d)
    return result


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, int],
    dtype: Any,
    reverse: bool,
) -> Any:
    del extents, out_extent
    d, width = out_shape
    matrices = [x[:d, :width].astype(dtype) for x in inputs]
    matrices += [t.reshape(out_shape).astype(dtype) for t in tables]
    return _chained(jnp, matrices[::-1] if reverse else matrices, d)


AFFINE = Kernel("affine", _sample, native=False)


def transform(what: str, matrix: Matrix, x: Spec | None, reverse_order: bool) -> Apply:
    """The output of an operator that makes a matrix, composed with its input if there is one."""
    d = len(matrix)
    if x is not None and input_dimensions(what, x) != d:
        raise OperatorError(
            f"{what}: the input maps {input_dimensions(what, x)} dimensions, the arguments {d}."
        )
    entries = [e for row in matrix for e in row]
    return chain(d, [] if x is None else [x], entries, reverse_order)


def chain(d: int, inputs: Sequence[Spec], entries: Sequence[Column], reverse: bool) -> Apply:
    """The output that applies the inputs in turn, then the matrix of these entries, if any."""
    varying = [e for e in entries if not is_constant(e)]
    batched = [s.count for s in inputs if s.batched] or [len(e) for e in varying]
    tables = [Table(np.float32, entries)] if entries else []

    def host(storages: Sequence[Storage]) -> Storage:
        matrices = [_stacked(s, spec) for s, spec in zip(storages, inputs, strict=True)]
        if entries:
            matrices.append(table(entries, batched[0], np.float32).reshape(-1, d, d + 1))
        result = _chained(np, matrices[::-1] if reverse else matrices, d)
        return Dense(np.ascontiguousarray(result))

    return Apply(
        AFFINE,
        (d, d + 1),
        np.dtype(np.float32),
        LAYOUT,
        tables=tables,
        static={"reverse": bool(reverse)},
        # The count of a call without a batch among its values is not known here.
        host=host if batched and not is_traced(*varying) else None,
    )


def _stacked(storage: Storage, spec: Spec) -> np.ndarray:
    """Matrices `[N, d, d + 1]` of an input."""
    if not spec.batched:
        return storage.sample(0)[None].astype(np.float32)
    return np.stack([storage.sample(i) for i in range(spec.count)]).astype(np.float32)
