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
    # float32 cannot hold 2**31 - 1: clamping to the largest float below it keeps the cast defined.
    high = float(info.max) if info.bits < 32 else float(info.max) * (1 - 2.0**-24)
    return jnp.clip(round_half_away(x), float(info.min), high).astype(dtype)
