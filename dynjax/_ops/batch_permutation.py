"""Sample numbers in random order: `dynjax.batch_permutation`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._random.threefry import threefry2x32
from .._schema import Apply, Kernel, Output, Table, operator
from .._types.columns import Column, array_module
from .._types.storage import Dense


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del inputs, extents, out_extent, out_shape
    return tables[0][0].astype(dtype)


_batch_permutation = Kernel("batch_permutation", _sample, native=False)


@operator("batch_permutation", random=True, batch_only=True, devices=("cpu",))
def batch_permutation(
    *,
    allow_repetitions: bool = False,
    no_fixed_points: bool = False,
    key: Sequence[Column],
) -> Output:
    """Draws a permutation of the numbers of a batch's samples, for `permute_batch`.

    Args:
        batch_size: number of samples; required.
        allow_repetitions: draw each number independently; some samples may then be missing.
        no_fixed_points: never map a sample to itself (with one sample there is no other way). The
            permutation is then one cycle through all samples.
        key: a JAX key. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        A batch of scalars, int32.

    Raises:
        ArgumentError: `batch_size` is missing.

    Source: DALI `BatchPermutation`.

    Example:
        >>> order = dynjax.batch_permutation(batch_size=3, key=jax.random.key(1))
        >>> sorted(np.asarray(dynjax.as_tensor(order)).tolist())
        [0, 1, 2]
    """
    count = len(key[0])
    drawn = _words(key, count)
    xp = array_module(drawn)
    if allow_repetitions:
        order = _independent(drawn, count, no_fixed_points)
    else:
        order = xp.argsort(drawn, stable=True)
        if no_fixed_points:
            order = xp.roll(order, 1)[xp.argsort(order)]
    order = order.astype(np.int32)
    return Apply(
        _batch_permutation,
        (),
        np.dtype(np.int32),
        None,
        tables=(Table(np.int32, (order,)),),
        host=None if xp is jnp else lambda _: Dense(order),
    )


def _words(key: Sequence[Column], count: int) -> Any:
    """A word for each sample; the key of the first one speaks for the batch."""
    xp = array_module(*key)
    index = xp.arange(count, dtype=np.uint32)
    return threefry2x32((key[0][:1], key[1][:1]), (index ^ index, index))[0]


def _independent(words: Any, count: int, no_fixed_points: bool) -> Any:
    """A number for each sample; the bias of the remainder is below 1e-6 for 4096 samples."""
    xp = array_module(words)
    if no_fixed_points and count > 1:
        offset = words % np.uint32(count - 1)
        return (xp.arange(count, dtype=np.uint32) + np.uint32(1) + offset) % np.uint32(count)
    return words % np.uint32(max(count, 1))
