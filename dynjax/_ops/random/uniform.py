"""Uniformly distributed numbers: `dynjax.random.uniform`."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column, any_of
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib import draws
from .._lib.rounding import saturate


def _ranged(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents
    key, (low, high) = tables
    first, second = draws.words(key, draws.element_index(out_extent, out_shape))
    if dtype == jnp.float64:
        low, high = low.astype(dtype), high.astype(dtype)
        value = low + draws.unit_double(first, second) * (high - low)
    else:
        value = low + draws.unit(first ^ second) * (high - low)
    # The sum may round up to the end, which is excluded.
    return saturate(jnp.where(value < high, value, jnp.nextafter(high, low)), dtype)


def _picked(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents
    key, values = tables
    first, second = draws.words(key, draws.element_index(out_extent, out_shape))
    chosen = draws.below(first ^ second, values.shape[0])
    return saturate(values[chosen.astype(jnp.int32)], dtype)


_uniform = Kernel("uniform", _ranged, cost=2, joins=True)
_uniform_values = Kernel("uniform_values", _picked, native=False, cost=16)


@operator("random.uniform", random=True, alone=True)
def uniform(
    shape_like: Spec | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    range: PerSample[list[float]] = (-1.0, 1.0),
    shape: PerSample[list[int]] | None = None,
    values: PerSample[list[float]] | None = None,
    key: Sequence[Column],
) -> Output:
    """Draws numbers uniformly from a range, or from a list of values.

    Args:
        shape_like: data whose shape the result takes.
        dtype: an integer type, float32 or float64; integers are the rounded real draws, so that
            both ends have half the weight. Default: float32.
        range: `[low, high)`, ends of the range.
        shape: extents of the result. Default: a scalar.
        values: numbers to pick from instead.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Numbers without a layout.

    Raises:
        OperatorError: `low >= high`, not two ends, no values, both shapes, another dtype.

    Source: DALI `random.Uniform`; the bits are JAX's.

    Example:
        >>> dynjax.random.uniform(range=[0, 10], shape=[2, 3], key=jax.random.key(1)).shape
        (2, 3)
    """
    extents = draws.drawn_shape("random.uniform", shape_like, shape)
    out_dtype = draws.drawn_dtype("random.uniform", dtype, np.float32, draws.REAL_DTYPES)
    keys = Table(np.uint32, key)
    if values is not None:
        if not values:
            raise OperatorError("random.uniform: values is empty; expected at least one number.")
        numbers = Table(np.float32, tuple(values))
        return Apply(_uniform_values, extents, out_dtype, None, tables=(keys, numbers))
    if len(range) != 2:
        raise OperatorError(f"random.uniform: range has {len(range)} numbers; expected 2.")
    low, high = range
    if any_of((low >= high) | (low != low) | (high != high)):
        raise OperatorError(f"random.uniform: range=[{low}, {high}); expected low < high.")
    return Apply(_uniform, extents, out_dtype, None, tables=(keys, Table(np.float32, (low, high))))
