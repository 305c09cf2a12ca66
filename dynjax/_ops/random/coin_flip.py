"""Yes or no at random: `dynjax.random.coin_flip`."""

from collections.abc import Sequence

import numpy as np

from ..._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column
from ..._types.spec import Spec
from .._lib import draws


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents
    key, (probability,) = tables
    first, second = draws.words(key, draws.element_index(out_extent, out_shape))
    return (draws.unit(first ^ second) < probability).astype(dtype)


_coin_flip = Kernel("coin_flip", _sample, cost=2, joins=True)


@operator("random.coin_flip", random=True, alone=True)
def coin_flip(
    shape_like: Spec | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    probability: PerSample[float] = 0.5,
    shape: PerSample[list[int]] | None = None,
    key: Sequence[Column],
) -> Output:
    """Draws 1 with a given probability, else 0.

    Args:
        shape_like: data whose shape the result takes.
        dtype: bool, uint8 or int32. Default: int32.
        probability: of 1, from 0 to 1; values outside count as the nearer end.
        shape: extents of the result. Default: a scalar.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Zeros and ones without a layout.

    Raises:
        OperatorError: both shapes, another dtype.

    Source: DALI `random.CoinFlip`.

    Example:
        >>> np.asarray(dynjax.random.coin_flip(probability=1.0, shape=2, key=jax.random.key(1)))
        array([1, 1], dtype=int32)
    """
    extents = draws.drawn_shape("random.coin_flip", shape_like, shape)
    accepted = ("bool", "uint8", "int32")
    out_dtype = draws.drawn_dtype("random.coin_flip", dtype, np.int32, accepted)
    tables = (Table(np.uint32, key), Table(np.float32, (probability,)))
    return Apply(_coin_flip, extents, out_dtype, None, tables=tables)
