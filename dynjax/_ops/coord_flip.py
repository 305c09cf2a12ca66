"""Mirrored points: `dynjax.coord_flip`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, Table, operator
from .._types.columns import Column, is_constant, is_traced
from .._types.errors import OperatorError, at_call
from .._types.spec import Spec
from ._lib.rows import mapped_rows


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    del extents, out_extent, out_shape, dtype
    points = inputs[0]
    flip, center = tables[0] != 0, tables[1]
    return jnp.where(flip, 2.0 * center - points, points)


_kernel = Kernel("coord_flip", _sample, native=False)


@operator("coord_flip")
def coord_flip(
    points: Spec,
    /,
    *,
    center_x: PerSample[float] = 0.5,
    center_y: PerSample[float] = 0.5,
    center_z: PerSample[float] = 0.5,
    flip_x: PerSample[int] = 1,
    flip_y: PerSample[int] = 0,
    flip_z: PerSample[int] = 0,
    layout: str = "",
) -> Output:
    """Mirrors points about a centre, as `flip` mirrors their image.

        p' = 2 * center - p

    Args:
        points: float32 `[..., n]` with n coordinates, 1 to 3.
        center_x, center_y, center_z: coordinates of the centre. Default: 0.5, the middle of an
            image for relative coordinates.
        flip_x, flip_y, flip_z: not 0: that coordinate is mirrored. Default: x alone.
        layout: the order of the coordinates, such as `"yx"`. Default: `"xyz"`, as many as there
            are.

    Returns:
        Points in the shape and layout of the input.

    Raises:
        OperatorError: points that are not float32, another number of coordinates, an order that
            does not name them.

    Source: DALI `CoordFlip`.

    Example:
        >>> np.asarray(dynjax.coord_flip(np.array([[0.25, 0.5]], np.float32)))
        array([[0.75, 0.5 ]], dtype=float32)
    """
    if points.dtype != np.float32:
        raise at_call(
            OperatorError(
                f"coord_flip: points are {points.dtype.name}; expected float32. Use dynjax.cast "
                "before."
            )
        )
    n = _coordinates(points)
    order = _order(layout, n)
    flips = {"x": flip_x, "y": flip_y, "z": flip_z}
    centers = {"x": center_x, "y": center_y, "z": center_z}
    flip = [flips[name] for name in order]
    center = [centers[name] for name in order]
    return Apply(
        _kernel,
        points.shape,
        points.dtype,
        points.layout,
        tables=(Table(np.int32, flip), Table(np.float32, center)),
        host=mapped_rows(points, n, [*flip, *center], _mirrored),
    )


def _coordinates(points: Spec) -> int:
    last: Column = points.shape[-1] if points.ndim else 0
    if is_traced(last):
        raise OperatorError(
            "coord_flip: inside jit the number of coordinates must be static. Give the points a "
            "layout that ends in C, such as 'NC', or call it outside jit."
        )
    sizes = {int(last)} if is_constant(last) else set(np.asarray(last).tolist())
    if len(sizes) != 1 or not sizes <= {1, 2, 3}:
        raise OperatorError(
            f"coord_flip: points have {sorted(sizes)} coordinates; expected 1 to 3 along the last "
            "axis."
        )
    return sizes.pop()


def _order(layout: str, n: int) -> str:
    order = layout or "xyz"[:n]
    names = order[:n]
    if len(names) != n or set(names) != set("xyz"[:n]):
        raise OperatorError(
            f"coord_flip: layout={layout!r} does not name {n} coordinates; expected an order of "
            f"{'xyz'[:n]!r}."
        )
    return names


def _mirrored(points: np.ndarray, *parameters: Any) -> np.ndarray:
    out = points.copy()
    n = points.shape[1]
    for k in range(n):
        flip, center = parameters[k], parameters[n + k]
        column = points[:, k : k + 1]
        mirrored = np.float32(2) * np.float32(center) - column
        out[:, k : k + 1] = np.where(np.not_equal(flip, 0), mirrored, column)
    return out
