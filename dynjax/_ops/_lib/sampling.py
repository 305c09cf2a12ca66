"""Reading an image between its pixels, in JAX; natively `ops/warp/`.

Positions are in pixels from the image's corner: the centre of pixel i lies at i + 0.5.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ..._types.enums import DALIInterpType
from ..._types.errors import OperatorError
from .borders import CONSTANT, source_index
from .rounding import saturate

NEAREST = int(DALIInterpType.INTERP_NN)
LINEAR = int(DALIInterpType.INTERP_LINEAR)
CUBIC = int(DALIInterpType.INTERP_CUBIC)

# Farther away nothing changes but the risk of an overflow.
_FAR = 2.0**30
# The sharpness of the cubic filter that is usual for warping.
_CUBIC_A = -0.75


def interpolation(what: str, chosen: DALIInterpType, accepted: Sequence[int]) -> int:
    """The number of an interpolation that the operator has."""
    if int(chosen) not in accepted:
        names = ", ".join(DALIInterpType(k).name for k in accepted)
        raise OperatorError(f"{what}: interp_type={chosen!r}; expected one of {names}.")
    return int(chosen)


def sample_at(
    image: Any,
    positions: Sequence[Any],
    extents: Sequence[Any],
    *,
    interp: int,
    border: int,
    fill: Any,
    dtype: Any,
) -> Any:
    """Reads an image at given positions.

    Args:
        image: `[*slot, C]`, of one to three spatial axes.
        positions: for each spatial axis where to read, float32, all of one shape.
        extents: true sizes of the spatial axes.
        interp: `NEAREST`, `LINEAR` or `CUBIC`.
        border: position in `borders.MODES`.
        fill: float32 `[1]` or `[C]`, what is outside where the border is constant.
        dtype: of the result.

    Returns:
        `[*positions, C]`.
    """
    slot, channels = image.shape[:-1], image.shape[-1]
    flat = image.reshape(-1, channels)
    positions = [_finite(p) for p in positions]
    if interp == NEAREST:
        taps = [[(jnp.floor(p), 1.0)] for p in positions]
    else:
        taps = [_linear(p - 0.5) if interp == LINEAR else _cubic(p - 0.5) for p in positions]
    settled = [
        [(*_settled(number, n, border), weight) for number, weight in axis]
        for axis, n in zip(taps, extents, strict=True)
    ]
    outside = saturate(fill, dtype) if interp == NEAREST else fill
    total: Any = None
    for corner in itertools.product(*settled):
        index: Any = 0
        inside: Any = True
        weight: Any = 1.0
        for (number, within, share), size in zip(corner, slot, strict=True):
            index = index * size + number
            inside = inside & within
            weight = weight * share
        value = jnp.take(flat, index, axis=0, mode="clip")
        if interp == NEAREST:
            value = saturate(value, dtype) if value.dtype != dtype else value
        else:
            value = value.astype(jnp.float32)
        if border == CONSTANT:
            value = jnp.where(inside[..., None], value, outside)
        if interp == NEAREST:
            return value
        value = value * weight[..., None]
        total = value if total is None else total + value
    return saturate(total, dtype)


def _finite(position: Any) -> Any:
    return jnp.clip(jnp.where(jnp.isnan(position), -_FAR, position), -_FAR, _FAR)


def _linear(centre: Any) -> list[tuple[Any, Any]]:
    """The two pixels about a position, and their weights."""
    first = jnp.floor(centre)
    share = centre - first
    return [(first, 1.0 - share), (first + 1.0, share)]


def _cubic(centre: Any) -> list[tuple[Any, Any]]:
    """The four pixels about a position, and the weights of Keys' filter."""
    first = jnp.floor(centre)
    t = centre - first
    a = _CUBIC_A

    def outer(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    def inner(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    weights = [outer(t + 1), inner(t), inner(1 - t)]
    weights.append(1.0 - weights[0] - weights[1] - weights[2])
    return [(first + k - 1.0, w) for k, w in enumerate(weights)]


def _settled(number: Any, extent: Any, border: int) -> tuple[Any, Any]:
    """A pixel's number moved into the image, and whether it was there."""
    i = number.astype(jnp.int32)
    return source_index(i, extent, border), (i >= 0) & (i < extent)
