"""Logarithmic scale: `dynjax.to_decibels`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, Table, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import signals
from .reductions.valid import inside, masked


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    del out_extent, out_shape
    x = inputs[0]
    multiplier, reference, least = tables[0]
    largest = jnp.max(masked(x, inside(x, extents[0], range(x.ndim)), 0), initial=0)
    reference = jnp.where(reference == 0, largest, reference)
    reference = jnp.where(reference == 0, 1, reference)
    ratio = jnp.maximum(x / reference, least)
    return (multiplier * jnp.log10(ratio)).astype(dtype)


_kernel = Kernel("to_decibels", _sample, cost=8)


@operator("to_decibels")
def to_decibels(
    magnitude: Spec,
    /,
    *,
    cutoff_db: float = -200.0,
    multiplier: float = 10.0,
    reference: float = 0.0,
) -> Output:
    """Converts magnitudes or powers to decibels.

        out = multiplier log10(max(x / reference, 10^(cutoff_db / multiplier)))

    Args:
        magnitude: float32.
        cutoff_db: the smallest result, in dB.
        multiplier: 10 for powers, 20 for magnitudes.
        reference: what counts as 0 dB. Default, and for 0: the largest element of each sample; 1
            where that is not positive.

    Returns:
        float32 in the input's shape and layout.

    Raises:
        OperatorError: another type, a `multiplier` of 0.

    Source: DALI `ToDecibels`; definition checked against recordings.

    Example:
        >>> decibels = dynjax.to_decibels(np.float32([1, 10, 0]), cutoff_db=-80.0)
        >>> np.asarray(decibels).round(3).tolist()
        [-10.0, 0.0, -80.0]
    """
    signals.check_float("to_decibels", magnitude)
    if multiplier == 0:
        raise OperatorError("to_decibels: multiplier=0; expected 10 (powers) or 20 (magnitudes).")
    # No less than what float32 holds: the logarithm of 0 has no derivative.
    least = max(10.0 ** min(cutoff_db / multiplier, 38.0), float(np.finfo(np.float32).tiny))
    return Apply(
        _kernel,
        magnitude.shape,
        np.dtype(np.float32),
        magnitude.layout,
        tables=(Table(np.float32, (multiplier, reference, least)),),
    )
