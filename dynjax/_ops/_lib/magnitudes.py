"""Magnitude and power of complex spectra, in JAX."""

from typing import Any

import jax.numpy as jnp


def magnitudes(spectrum: Any, power: int) -> Any:
    """`|spectrum| ** power` for a power of 1 or 2; the derivative at 0 is 0."""
    squares = spectrum.real * spectrum.real + spectrum.imag * spectrum.imag
    if power == 2:
        return squares
    positive = squares > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, squares, 1)), 0)
