"""The kernel of `filter`: correlation with a small image; natively `ops/filters/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Kernel
from .borders import widened
from .rounding import saturate


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first_axis: int,
    border: int,
    spread: bool,
) -> Any:
    del out_extent
    image, window, *fills = inputs
    window = window.astype(jnp.float32)
    fill = fills[0].astype(jnp.float32) if fills else jnp.float32(0)
    anchors = tables[0].reshape(-1, 2)
    extent = extents[0][first_axis - spread :]

    def apply(image: Any, window: Any, fill: Any, anchor: Any, axis: int) -> Any:
        image = image.astype(jnp.float32)
        for k in range(2):
            size = out_shape[first_axis + k] + window.shape[k] - 1
            image = widened(image, axis + k, extent[k], anchor[k], size, border, fill)
        return saturate(_correlated(image, window, axis), dtype)

    if not (spread or window.ndim == 3 or fill.ndim or len(anchors) > 1):
        return apply(image, window, fill, anchors[0], first_axis)
    # One of each for each frame, or one for all.
    frames = jnp.arange(out_shape[0])
    windows = _of_frames(window, 3, frames, extents[1])
    fills = _of_frames(fill, 1, frames, extents[2] if fills else ())
    anchors = anchors[jnp.minimum(frames, len(anchors) - 1)]

    def of_frame(image: Any, window: Any, fill: Any, anchor: Any) -> Any:
        return apply(image, window, fill, anchor, first_axis - 1)

    each = jax.vmap(of_frame, in_axes=(None if spread else 0, 0, 0, 0))
    return each(image, windows, fills, anchors)


def _of_frames(values: Any, ndim: int, frames: Any, extent: Sequence[Any]) -> Any:
    """One of the values for each frame, the last for all frames after it."""
    if values.ndim < ndim:
        return jnp.broadcast_to(values, (len(frames), *values.shape))
    return values[jnp.minimum(frames, jnp.maximum(extent[0] - 1, 0))]


def _correlated(image: Any, window: Any, first_axis: int) -> Any:
    """Correlation along two axes, wherever the window fits."""
    # One plane for each frame and channel. Outside its own extent the window is zero.
    planes = jnp.moveaxis(image, (first_axis, first_axis + 1), (-2, -1))
    lead = planes.shape[:-2]
    filtered = jax.lax.conv_general_dilated(
        planes.reshape(-1, 1, *planes.shape[-2:]),
        window[None, None],
        window_strides=(1, 1),
        padding="VALID",
        precision=jax.lax.Precision.HIGHEST,
    )
    filtered = filtered.reshape(*lead, *filtered.shape[-2:])
    return jnp.moveaxis(filtered, (-2, -1), (first_axis, first_axis + 1))


correlate = Kernel("correlate", _sample, cost=32)
correlate_filled = Kernel("correlate_filled", _sample, cost=32)
