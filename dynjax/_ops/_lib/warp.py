"""The kernel of `rotate`, `warp_affine` and `experimental.warp_perspective`.

One sample in JAX; natively `ops/warp/`. A map takes the positions of the result to those of the
image, in pixels from the corner: `q = A p + b`, or that divided by its last coordinate.
"""

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Bound, Kernel, Table
from ..._types.columns import Column, any_of, by_frame
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .affine import Matrix
from .convert import convert, convert_host
from .layouts import spatial_axes
from .rounding import saturate
from .sampling import NEAREST, sample_at


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
    # Only floats become other integers: they are read as they are first.
    read_as = dtype if dtype == image.dtype else np.dtype(np.float32)
    empty = functools.reduce(operator.or_, [extents[0][a] == 0 for a in axes])
    grid = jnp.meshgrid(*(jnp.arange(n, dtype=jnp.float32) + 0.5 for n in target), indexing="ij")

    def one(picture: Any, matrix: Any, outside: Any) -> Any:
        nothing = saturate(jnp.broadcast_to(outside, (*target, picture.shape[-1])), read_as)
        if 0 in slot:
            return nothing
        read = sample_at(
            picture,
            _mapped(matrix, grid, perspective),
            [extents[0][a] for a in axes],
            interp=interp,
            border=border,
            fill=outside,
            dtype=read_as,
        )
        return jnp.where(empty, nothing, read)

    each = (0, 0 if len(maps) > 1 else None, 0 if channel_first else None)
    warped = jax.vmap(one, in_axes=each)
    result = warped(pictures, maps if len(maps) > 1 else maps[0], fill).reshape(out_shape)
    return convert(result, dtype)


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
# What the native kernel does not take: floats that become integers, images without pixels.
_kernel_of_the_rest = Kernel("warp", _sample, native=False, cost=8)


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
        fill: one value, or one for each channel; what an image without pixels shows.
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
    native = dtype in (spec.dtype, np.float32) and not any(
        any_of(spec.shape[axis] == 0) for axis in axes
    )
    return Apply(
        kernel if native else _kernel_of_the_rest,
        tuple(shape),
        dtype,
        spec.layout,
        tables=(
            Table(np.float32, entries),
            Table(np.float32, _as_pixels(fill, spec.dtype, dtype, interp)),
        ),
        static={
            "axes": axes,
            "interp": interp,
            "border": border,
            "perspective": perspective,
            "channel_first": "C" in spec.layout[: axes[0]],
        },
        bound=bound,
    )


def _as_pixels(
    fill: Sequence[float], source: np.dtype, target: np.dtype, interp: int
) -> list[float]:
    """Values that fill as the result's type holds them, and as the image's where they blend."""
    values = convert_host(np.asarray(fill, np.float32), target)
    if interp != NEAREST:
        values = convert_host(values, source)
    return values.astype(np.float64).tolist()


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
    if given == np.float32:
        if wanted.name not in accepted:
            raise OperatorError(
                f"{what}: dtype={wanted.name}; expected one of {', '.join(accepted)}."
            )
    elif wanted != given and wanted != np.float32:
        raise OperatorError(
            f"{what}: dtype={wanted.name}; expected the input's {given.name} or float32."
        )
