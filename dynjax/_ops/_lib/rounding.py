"""Conversion of real results to the output's type, in JAX."""

from typing import Any

import jax.numpy as jnp


def round_half_away(x: Any) -> Any:
    """To the nearest integer, halves away from zero."""
    whole = jnp.trunc(x)
    return whole + jnp.sign(x) * (jnp.abs(x - whole) >= 0.5)


def saturate(x: Any, dtype: Any) -> Any:
    """Converts a float result: integers are rounded to nearest and clamped."""
    if not jnp.issubdtype(dtype, jnp.integer):
        return x.astype(dtype)
    info = jnp.iinfo(dtype)
    whole = round_half_away(x)
    if info.bits < 32:
        return jnp.clip(whole, float(info.min), float(info.max)).astype(dtype)
    # Floats cannot hold 2**31 - 1, and a cast of 2**31 is undefined: the largest float below it.
    high = float(info.max) * (1 - 2.0 ** -(jnp.finfo(x.dtype).nmant + 1))
    inside = jnp.clip(whole, float(info.min), high).astype(dtype)
    return jnp.where(whole > high, jnp.asarray(info.max, dtype), inside)
