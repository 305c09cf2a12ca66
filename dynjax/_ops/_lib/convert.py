"""Conversion between element types as the operator `cast` defines it, in NumPy and in JAX.

float to integer: to nearest, halves away from zero, then clamped; NaN as in the original.
integer to integer: clamped. Anything to bool: rounded, then compared with 0.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._types.construct import cast_rounded
from .rounding import round_half_away


def convert_host(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Converts a NumPy array; the array itself if there is nothing to convert."""
    if dtype.kind not in "iu" or dtype.itemsize > 4 or x.dtype.name not in ("float16", "float32"):
        with np.errstate(invalid="ignore"):  # inf - inf
            return cast_rounded(x, dtype)
    # The sum is exact in double precision, and so are the limits.
    wide = x.astype(np.float64)
    wide = np.atleast_1d(np.trunc(wide + np.copysign(0.5, wide)))
    info = np.iinfo(dtype)
    np.clip(wide, info.min, info.max, out=wide)
    missing = np.isnan(wide)
    if missing.any():
        wide[missing] = _of_nan(dtype)
    return wide.astype(dtype).reshape(x.shape)


def convert(x: Any, dtype: Any) -> Any:
    """Converts a JAX array."""
    source, target = np.dtype(x.dtype), np.dtype(dtype)
    if source == target:
        return x
    real = jnp.issubdtype(source, jnp.floating)
    if target.kind == "b":
        return (round_half_away(x) if real else x) != 0
    if target.kind not in "iu":
        return x.astype(target)
    if source.kind == "b":
        return x.astype(target)
    info = np.iinfo(target)
    if not real:
        held = np.iinfo(source)
        low, high = max(info.min, held.min), min(info.max, held.max)
        return jnp.clip(x, source.type(low), source.type(high)).astype(target)
    if x.dtype.itemsize < 4:
        x = x.astype(jnp.float32)
    rounded = round_half_away(x)
    # float32 cannot hold 2**31 - 1: what is at least 2**31 is replaced, not clamped.
    limit = float(info.max) + 1.0
    inside = (rounded >= float(info.min)) & (rounded < limit)
    whole = jnp.where(inside, rounded, 0).astype(target)
    whole = jnp.where(rounded >= limit, target.type(info.max), whole)
    whole = jnp.where(rounded < float(info.min), target.type(info.min), whole)
    return jnp.where(jnp.isnan(x), target.type(_of_nan(target)), whole).astype(target)


def _of_nan(target: np.dtype) -> int:
    """What the original makes of NaN, by the processor's own conversion."""
    return int(np.iinfo(target).min) if target.name in ("int32", "int64") else 0
