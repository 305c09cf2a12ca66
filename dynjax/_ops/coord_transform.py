"""Affine maps of points: `dynjax.coord_transform`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._schema import Apply, DTypeLike, Kernel, Output, PerFrame, Table, operator
from .._types.columns import Column, is_constant, is_traced, table
from .._types.construct import cast_rounded
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.frames import as_frames, frame_count
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Storage
from ._lib.by_frame import by_frame
from ._lib.matrices import matrix_rows
from ._lib.rounding import saturate

_WHAT = "coord_transform"


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    size: tuple[int, int],
    spread: bool,
) -> Any:
    del extents, out_extent
    rows, n = size

    def apply(points: Any, row: Any, dropped: int) -> Any:
        del dropped
        matrix = row[: rows * n].reshape(rows, n)
        moved = jnp.matmul(points, matrix.T, precision=jax.lax.Precision.HIGHEST)
        return saturate(moved + row[rows * n :], dtype)

    points = inputs[0][..., :n].astype(jnp.float32)
    maps = tables[0].reshape(-1, rows * (n + 1))
    if spread:
        result = jax.vmap(lambda row: apply(points, row, 1))(maps)
    else:
        result = by_frame(apply, points, maps)
    # Points beyond the extent are cut off or never were in the slot.
    return result[tuple(slice(0, s) for s in out_shape)]


COORD_TRANSFORM = Kernel("coord_transform", _sample, native=False)


@operator(_WHAT)
def coord_transform(
    x: Spec,
    /,
    *,
    M: PerFrame[list[list[float]]] | None = None,  # noqa: N803 the original's name
    MT: PerFrame[list[list[float]]] | None = None,  # noqa: N803
    T: PerFrame[list[float]] | None = None,  # noqa: N803
    dtype: DTypeLike | None = None,
) -> Output:
    """Maps each point along the last axis: `out = M p + T`.

    Args:
        x: points, any shape `[..., n]`.
        M: matrix `[m, n]`, as rows or as a flat list (row i gives coordinate i of the result); or
            one number, by which all coordinates are multiplied. Default: the identity. May vary by
            sample or frame, as the next two; points without frames give one result for each.
        MT: both in one, `[m, n + 1]`, such as `dynjax.transforms` makes; instead of M and T.
        T: what is added, `m` numbers or one for all. Default: 0.
        dtype: of the result; integers are rounded to nearest and clamped. Default: float32.

    Returns:
        `[..., m]` in the layout of `x`, computed in float32; with frames in front where only the
        arguments have some.

    Raises:
        OperatorError: sizes or numbers of frames that do not fit, or MT beside M or T.

    Source: DALI `CoordTransform`.

    Example:
        >>> points = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
        >>> np.asarray(dynjax.coord_transform(points, M=[[0, 1], [1, 0]], T=10.0))
        array([[12., 11.],
               [14., 13.]], dtype=float32)
    """
    n = _coordinates(x)
    given = {"M": as_frames(M), "MT": as_frames(MT), "T": as_frames(T)}
    lengths = next((f.lengths for f in given.values() if f.lengths is not None), None)
    spread = lengths is not None and not x.has_frames
    seen = _with_frames(x, lengths) if spread else x
    frames = frame_count(_WHAT, seen, **given)
    maps = [_rows(n, *(f[k] for f in given.values())) for k in range(frames)]
    m = len(maps[0])
    entries: list[Column] = []
    for rows in maps:
        entries += [*(e for row in rows for e in row[:n]), *(row[n] for row in rows)]
    out = np.dtype(np.float32) if dtype is None else numpy_dtype(dtype)
    shape = (*seen.shape[:-1], m)
    on_host = x.batched and frames == 1 and not spread and not is_traced(*entries)
    return Apply(
        COORD_TRANSFORM,
        shape,
        out,
        None if x.layout is None else seen.layout,
        tables=[Table(np.float32, entries)],
        static={"size": (m, n), "spread": spread},
        bound=(lambda slots: (frames, *slots[0][:-1], m)) if spread else None,
        host=_host(x, entries, (m, n), out) if on_host else None,
    )


def _with_frames(x: Spec, frames: Any) -> Spec:
    layout = "F" + (x.layout or "*" * x.ndim)
    return Spec(x.count, (frames, *x.shape), x.dtype, layout, x.batched, x.device)


def _coordinates(x: Spec) -> int:
    """The size of the last axis, which all samples share."""
    if x.ndim == 0:
        raise OperatorError(f"{_WHAT}: the input is a scalar; expected points [..., n].")
    last = x.shape[-1]
    if is_constant(last):
        return int(last)
    if is_traced(last):
        raise OperatorError(
            f"{_WHAT}: inside jit the number of coordinates must be static. Give the points a "
            "layout that ends in C, such as 'NC', or call it outside jit."
        )
    sizes = sorted(set(last.tolist()))
    if len(sizes) != 1:
        raise OperatorError(f"{_WHAT}: samples have {sizes} coordinates; expected one number.")
    return int(sizes[0])


def _rows(
    n: int,
    matrix: Sequence[Any] | None,
    fused: Sequence[Any] | None,
    offset: Sequence[Column] | None,
) -> list[list[Column]]:
    """The rows of `[M | T]`."""
    if fused is not None:
        if matrix is not None or offset is not None:
            raise OperatorError(f"{_WHAT}: MT stands for M and T; expected only one of them.")
        return matrix_rows(_WHAT, "MT", fused, n + 1)
    if matrix is None or (len(matrix) == 1 and not isinstance(matrix[0], tuple)):
        factor = 1.0 if matrix is None else matrix[0]
        linear = [[factor if i == j else 0.0 for j in range(n)] for i in range(n)]
    else:
        linear = matrix_rows(_WHAT, "M", matrix, n)
    m = len(linear)
    added = [0.0] if offset is None else list(offset)
    if len(added) not in (1, m):
        raise OperatorError(f"{_WHAT}: T has {len(added)} values; expected 1 or {m}.")
    added = added * m if len(added) == 1 else added
    return [[*row, t] for row, t in zip(linear, added, strict=True)]


def _host(x: Spec, entries: Sequence[Column], size: tuple[int, int], dtype: np.dtype) -> Any:
    m, n = size

    def host(storages: Sequence[Storage]) -> Storage:
        parameters = table(entries, x.count, np.float32)
        storage = storages[0]
        results = []
        for i in range(x.count):
            matrix, offset = parameters[i, : m * n].reshape(m, n), parameters[i, m * n :]
            points = storage.sample(i).reshape(-1, n).astype(np.float32)
            results.append(cast_rounded(points @ matrix.T + offset, dtype))
        if x.uniform or all(map(is_constant, x.shape[:-1])):
            shape = tuple(int(c) for c in x.shape[:-1])
            return Dense(np.concatenate(results).reshape(x.count, *shape, m))
        extent = table((*x.shape[:-1], m), x.count, np.int32)
        return Packed(np.concatenate([r.reshape(-1) for r in results]), extent)

    return host
