"""Normally distributed numbers: `dynjax.random.normal`."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column
from ..._types.spec import Spec
from .._lib import draws
from .._lib.normal_draws import normal as standard
from .._lib.rounding import saturate


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents
    key, (mean, stddev) = tables
    z = standard(*draws.words(key, draws.element_index(out_extent, out_shape)))
    return saturate(jnp.asarray(mean + stddev * z), dtype)


_normal = Kernel("normal", _sample, cost=4)


@operator("random.normal", random=True, alone=True)
def normal(
    shape_like: Spec | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    mean: PerSample[float] = 0.0,
    shape: PerSample[list[int]] | None = None,
    stddev: PerSample[float] = 1.0,
    key: Sequence[Column],
) -> Output:
    """Draws numbers from a normal distribution.

    Args:
        shape_like: data whose shape the result takes.
        dtype: an integer type (rounded and clamped), float32 or float64. Default: float32.
        mean: of the distribution.
        shape: extents of the result. Default: a scalar.
        stddev: standard deviation; a negative one counts as its absolute value.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Numbers without a layout.

    Raises:
        OperatorError: both shapes, another dtype.

    Source: DALI `random.Normal`.

    Example:
        >>> dynjax.random.normal(mean=5.0, shape=4, key=jax.random.key(1)).shape
        (4,)
    """
    extents = draws.drawn_shape("random.normal", shape_like, shape)
    out_dtype = draws.drawn_dtype("random.normal", dtype, np.float32, draws.REAL_DTYPES)
    tables = (Table(np.uint32, key), Table(np.float32, (mean, stddev)))
    return Apply(_normal, extents, out_dtype, None, tables=tables)
