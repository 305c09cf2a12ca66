"""The resampling kernel of all resize operators: one sample in JAX; natively `ops/resize/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Kernel
from ..._types.enums import DALIInterpType
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
    antialias: bool,
    border: int,
) -> Any:
    regions, filters = tables
    image = inputs[0].astype(jnp.float32)
    for k, axis in enumerate(axes):
        weights = _weights(
            *(regions[2 * k], regions[2 * k + 1], filters[k], extents[0][axis]),
            *(image.shape[axis], out_extent[axis], out_shape[axis], antialias, border),
        )
        moved = jnp.moveaxis(image, axis, -1)
        moved = jnp.einsum("...i,oi->...o", moved, weights, precision=jax.lax.Precision.HIGHEST)
        image = jnp.moveaxis(moved, -1, axis)
    return saturate(image, dtype)


def _weights(low, high, filter_, extent, slot, size, out_slot, antialias, border) -> Any:
    """The matrix `[out_slot, slot]` of one axis."""
    step = (high - low) / size
    centre = low + (jnp.arange(out_slot, dtype=jnp.float32)[:, None] + 0.5) * step - 0.5
    never = filter_ == DALIInterpType.INTERP_NN
    spread = jnp.maximum(jnp.abs(step), 1.0) if antialias else 1.0
    last = extent - 1
    nearest = jnp.clip(jnp.floor(centre + 0.5), 0, last)
    # Taps outside the image: with clamp they count for the edge pixel. They reach as far as the
    # widest filter does, which for a slot of this size is bounded.
    reach = 3 * slot + 4 if border == 0 else 0
    taps = jnp.arange(-reach, slot + reach)[None, :]
    weight = _filter(filter_, (taps - centre) / spread)
    weight = jnp.where((taps < 0) | (taps > last), weight if border == 0 else 0.0, weight)
    target = jnp.clip(taps[0], 0, last)
    folded = jnp.zeros((out_slot, slot), jnp.float32).at[:, target].add(weight)
    total = folded.sum(axis=1, keepdims=True)
    exact = (jnp.arange(slot)[None, :] == nearest).astype(jnp.float32)
    smooth = jnp.where(total != 0, folded / jnp.where(total != 0, total, 1.0), exact)
    return jnp.where(never, exact, smooth)


def _filter(filter_, t) -> Any:
    """The filter's value at distance `t` in units of its spread."""
    distance = jnp.abs(t)
    triangle = jnp.maximum(1.0 - distance, 0.0)
    inner = (1.5 * distance - 2.5) * distance * distance + 1.0
    outer = ((-0.5 * distance + 2.5) * distance - 4.0) * distance + 2.0
    cubic = jnp.where(distance < 1, inner, jnp.where(distance < 2, outer, 0.0))
    lanczos = jnp.where(distance < 3, jnp.sinc(t) * jnp.sinc(t / 3), 0.0)
    # Not at its very end, where a tap would come and go with the rounding of its position.
    gaussian = jnp.where(distance < 1 - 2.0**-18, jnp.exp(-4.0 * t * t), 0.0)
    kinds = [triangle, triangle, cubic, lanczos, triangle, gaussian]
    return jax.lax.select_n(
        jnp.broadcast_to(filter_, t.shape), *(jnp.broadcast_to(k, t.shape) for k in kinds)
    )


resample = Kernel("resample", _sample, chains=True)
