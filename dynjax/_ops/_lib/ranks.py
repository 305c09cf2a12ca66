"""The kernel of `median_blur`: the middle value of a rectangle; natively `ops/filters/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Kernel
from .borders import MODES, widened

LARGEST_WINDOW = 1023  # a side; the native kernel takes memory for the area
_CLAMP = MODES.index("clamp")


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first_axis: int,
    sizes: tuple[int, int],
) -> Any:
    del out_extent
    window = tables[0]
    image = inputs[0]
    for k, size in enumerate(sizes):
        axis = first_axis + k
        width = out_shape[axis] + size - 1
        image = widened(image, axis, extents[0][axis], window[k] // 2, width, _CLAMP)
    # Last in the order, behind other NaNs too.
    beyond = jnp.nan if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).max
    pieces = []
    for i in range(sizes[0]):
        rows = jax.lax.slice_in_dim(image, i, i + out_shape[first_axis], axis=first_axis)
        for j in range(sizes[1]):
            axis = first_axis + 1
            piece = jax.lax.slice_in_dim(rows, j, j + out_shape[axis], axis=axis)
            inside = (i < window[0]) & (j < window[1])
            pieces.append(jnp.where(inside, piece, jnp.asarray(beyond, image.dtype)))
    ordered = jnp.sort(jnp.stack(pieces), axis=0)
    return ordered[window[0] * window[1] // 2].astype(dtype)


median = Kernel("median", _sample, cost=16)
