"""The kernel of `filter`: correlation with a small image; natively `ops/filters/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Kernel
from .borders import widened
from .by_frame import by_frame
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
) -> Any:
    del out_extent
    window = inputs[1].astype(jnp.float32)
    fill = inputs[2].astype(jnp.float32) if len(inputs) > 2 else 0.0

    def apply(image: Any, anchor: Any, dropped: int) -> Any:
        image = image.astype(jnp.float32)
        for k in range(2):
            axis = first_axis + k
            size = out_shape[axis] + window.shape[k] - 1
            extent = extents[0][axis]
            image = widened(image, axis - dropped, extent, anchor[k], size, border, fill)
        return saturate(_correlated(image, window, first_axis - dropped), dtype)

    return by_frame(apply, inputs[0], tables[0].reshape(-1, 2))


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
