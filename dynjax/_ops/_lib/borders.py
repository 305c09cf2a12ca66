"""What filters read beyond the border of an image, in JAX."""

from typing import Any

import jax.numpy as jnp

# The native kernels know them by their number.
MODES = ("reflect_101", "reflect_1001", "wrap", "clamp", "constant")
CONSTANT = MODES.index("constant")


def source_index(index: Any, extent: Any, mode: int) -> Any:
    """The element inside `[0, extent)` that stands for an index anywhere."""
    last = jnp.maximum(extent - 1, 0)
    if MODES[mode] == "reflect_101":
        period = jnp.maximum(2 * extent - 2, 1)
        index = jnp.mod(index, period)
        index = jnp.minimum(index, period - index)
    elif MODES[mode] == "reflect_1001":
        period = jnp.maximum(2 * extent, 1)
        index = jnp.mod(index, period)
        index = jnp.minimum(index, period - 1 - index)
    elif MODES[mode] == "wrap":
        index = jnp.mod(index, jnp.maximum(extent, 1))
    return jnp.clip(index, 0, last)


def widened(
    image: Any, axis: int, extent: Any, before: Any, size: int, mode: int, fill: Any = 0.0
) -> Any:
    """The image with a border along one axis.

    Args:
        image: an array in a slot that may be larger than its true `extent` along the axis.
        before: where element 0 of the result lies: `-before`.
        size: the result's size along the axis.
        mode: an index into `MODES`.
        fill: what a constant border holds.
    """
    index = jnp.arange(size) - before
    widened = jnp.take(image, source_index(index, extent, mode), axis=axis, mode="clip")
    if mode == CONSTANT:
        inside = (index >= 0) & (index < extent)
        shape = [1] * image.ndim
        shape[axis] = -1
        widened = jnp.where(inside.reshape(shape), widened, jnp.asarray(fill, image.dtype))
    return widened
