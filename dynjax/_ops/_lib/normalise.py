"""The kernel of `crop_mirror_normalize`: one sample in JAX; natively `ops/normalise/`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ..._schema import Kernel
from .rounding import saturate


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axes: tuple[int, ...],
    channel_axis: int,
    mirror_axis: int,
    perm: tuple[int, ...],
) -> Any:
    window, factors, fill = tables
    image = inputs[0]
    anchors = {axis: window[k] for k, axis in enumerate(axes)}
    mirrored = window[-1] != 0
    inside: Any = True
    for out_axis, axis in enumerate(perm):
        index = jnp.arange(out_shape[out_axis])
        if axis in anchors:
            if axis == mirror_axis:
                index = jnp.where(mirrored, out_extent[out_axis] - 1 - index, index)
            index = index + anchors[axis]
        elif axis != channel_axis:
            continue
        valid = (index >= 0) & (index < extents[0][axis])
        image = jnp.take(image, jnp.clip(index, 0, image.shape[axis] - 1), axis=axis)
        inside = inside & _along(valid, axis, image.ndim)
    channels = factors.shape[0] // 2  # their means, their factors, and the shift
    extra = (0, image.shape[channel_axis] - channels)
    mean = _along(jnp.pad(factors[:channels], extra), channel_axis, image.ndim)
    factor = _along(jnp.pad(factors[channels:-1], extra), channel_axis, image.ndim)
    scaled = (image.astype(jnp.float32) - mean) * factor + factors[-1]
    filled = jnp.where(inside, scaled, _along(fill, channel_axis, image.ndim))
    return saturate(jnp.transpose(filled, perm), dtype)


def _along(values: Any, axis: int, ndim: int) -> Any:
    """A vector as an array of `ndim` axes that varies along one of them."""
    shape = [1] * ndim
    shape[axis] = -1
    return values.reshape(shape)


crop_mirror_normalize = Kernel("crop_mirror_normalize", _sample, chains=True)
# The native kernel writes 0 to the channels that the image lacks.
kernel_that_fills_channels = Kernel("crop_mirror_normalize", _sample, native=False)
