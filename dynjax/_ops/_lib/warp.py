"""The kernel of `rotate`, `warp_affine` and `experimental.warp_perspective`.

One sample in JAX; natively `ops/warp/`. A map takes the positions of the result to those of the
image, in pixels from the corner: `q = A p + b`, or that divided by its last coordinate.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Bound, Kernel, Table
from ..._types.columns import Column, by_frame
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .affine import Matrix
from .layouts import spatial_axes
from .sampling import sample_at


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axes: tuple[int, ...],
    interp: int,
    border: int,
    perspective: bool,
    channel_first: bool,
) -> Any:
    del out_extent
    entries, fill = tables
    image = inputs[0]
    first, d = axes[0], len(axes)
    frames = math.prod(image.shape[:first])
    slot = [image.shape[a] for a in axes]
    pictures = image.reshape(frames, *slot, math.prod(image.shape[axes[-1] + 1 :]))
    maps = entries.reshape(-1, d + int(perspective), d + 1)
    if len(maps) > 1:
        # Frames come first; what follows them, such as channels, shares their map.
        within = math.prod(image.shape[1:first])
        maps = maps[jnp.minimum(jnp.arange(frames) // within, len(maps) - 1)]
    if channel_first:
        fill = fill[jnp.arange(frames) % fill.shape[0]][:, None]
    target = [out_shape[a] for a in axes]
    grid = jnp.meshgrid(*(jnp.arange(n, dtype=jnp.float32) + 0.5 for n in target), indexing="ij")

    def one(picture: Any, matrix: Any, outside: Any) -> Any:
        return sample_at(
            picture,
            _mapped(matrix, grid, perspective),
            [extents[0][a] for a in axes],
            interp=interp,
            border=border,
            fill=outside,
            dtype=dtype,
        )

    each = (0, 0 if len(maps) > 1 else None, 0 if channel_first else None)
    warped = jax.vmap(one, in_axes=each)
    return warped(pictures, maps if len(maps) > 1 else maps[0], fill).reshape(out_shape)


def _mapped(matrix: Any, grid: Sequence[Any], perspective: bool) -> list[Any]:
    """Positions in the image, in the order of its axes; a matrix takes x first."""
    d = len(grid)
    point = list(reversed(grid))
    result = []
    for row in matrix:
        value = row[d]
        for factor, coordinate in zip(row, point, strict=False):
            value = value + factor * coordinate
        result.append(value)
    if perspective:
        scale = result.pop()
        # On the horizon the corner is read, as OpenCV does.
        scale = jnp.where(scale != 0, 1.0 / jnp.where(scale != 0, scale, 1.0), 0.0)
        result = [value * scale for value in result]
    return result[::-1]


kernel = Kernel("warp", _sample, cost=8, chains=True)


def warped(
    spec: Spec,
    matrix: Matrix,
    sizes: Sequence[Column],
    *,
    dtype: np.dtype,
    interp: int,
    border: int,
    fill: Sequence[float],
    perspective: bool = False,
    bound: Bound | None = None,
    frames: int = 1,
) -> Apply:
    """The output that reads the image through a map.

    Args:
        spec: the image, sequence or volume.
        matrix: the map of all frames, or of each of `frames`.
        sizes: the result's spatial extents.
        dtype: of the result.
        interp, border: see `sample_at`.
        fill: one value, or one for each channel.
        perspective: the map has a last row, by which positions are divided.
        bound: see `Apply.bound`.
        frames: how many the matrix is given for; 1: one map serves all.
    """
    assert spec.layout is not None
    axes = spatial_axes(spec.layout)
    shape = list(spec.shape)
    for axis, size in zip(axes, sizes, strict=True):
        shape[axis] = size
    entries = by_frame([entry for row in matrix for entry in row], frames)
    return Apply(
        kernel,
        tuple(shape),
        dtype,
        spec.layout,
        tables=(Table(np.float32, entries), Table(np.float32, fill)),
        static={
            "axes": axes,
            "interp": interp,
            "border": border,
            "perspective": perspective,
            "channel_first": "C" in spec.layout[: axes[0]],
        },
        bound=bound,
    )


@functools.lru_cache(maxsize=256)  # NumPy works out the name of a type each time
def check_warp_types(
    what: str, given: np.dtype, wanted: np.dtype, accepted: tuple[str, ...]
) -> None:
    """Refuses types that the original refuses too."""
    if given.name not in accepted:
        raise OperatorError(
            f"{what}: the input is {given.name}; expected one of {', '.join(accepted)}. Convert it "
            "with dynjax.cast."
        )
    if wanted != given and wanted != np.float32:
        raise OperatorError(
            f"{what}: dtype={wanted.name}; expected the input's {given.name} or float32."
        )
