"""A kernel's JAX form over a batch: one sample's function, mapped.

Used inside `jit`, on devices without native kernels, and for kernels that have none.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._schema import Kernel


def map_samples(
    kernel: Kernel,
    static: dict[str, Any],
    arrays: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    out_shape: tuple[int, ...],
    out_dtype: np.dtype,
) -> Any:
    """Applies `kernel.sample` to every sample.

    Args:
        arrays: inputs `[N, *slot]`.
        extents: for each input its true sizes, int32 `[N, rank]`, or a tuple of ints if all are
            equal.
        out_extent: the same for the result.
        tables: per-sample parameters `[N, k]`.
        out_shape: the result's slot, without the sample axis.

    Returns:
        `[N, *out_shape]`, zero outside `out_extent`.
    """
    if kernel.sample is None:
        raise NotImplementedError(f"{kernel.name} runs on the host only")
    function = functools.partial(
        kernel.sample, out_shape=out_shape, dtype=jnp.dtype(out_dtype), **static
    )

    def one(arrays, extents, out_extent, tables):
        scalars = [_scalars(e) for e in extents]
        result = function(list(arrays), scalars, _scalars(out_extent), list(tables))
        return _masked(result, out_extent)

    constant = isinstance(out_extent, tuple)
    axes = (
        [0] * len(arrays),
        [None if isinstance(e, tuple) else 0 for e in extents],
        None if constant else 0,
        [0] * len(tables),
    )
    return jax.vmap(one, in_axes=axes)(list(arrays), list(extents), out_extent, list(tables))


def _scalars(extent: Any) -> tuple[Any, ...]:
    return extent if isinstance(extent, tuple) else tuple(extent[a] for a in range(len(extent)))


def _masked(result: Any, extent: Any) -> Any:
    """Zeroes what lies outside the extent, so that padding never carries data."""
    if isinstance(extent, tuple):
        return result
    for axis in range(result.ndim):
        inside = jnp.arange(result.shape[axis]) < extent[axis]
        shape = [1] * result.ndim
        shape[axis] = -1
        result = jnp.where(inside.reshape(shape), result, jnp.zeros((), result.dtype))
    return result


@functools.cache
def sampled_program(
    kernel: Kernel,
    static: tuple[tuple[str, Any], ...],
    in_extents: tuple[tuple[int, ...] | None, ...],
    out_constant: tuple[int, ...] | None,
    out_shape: tuple[int, ...],
    out_dtype: np.dtype,
) -> Any:
    """`(arrays, extents, out_extent, tables) -> result`, compiled.

    `in_extents` and `out_constant` give the sizes that are the same for all samples; for the others
    the program takes a table.
    """
    parameters = dict(static)

    def program(arrays, extents, out_extent, tables):
        extents = [e if c is None else c for c, e in zip(in_extents, extents, strict=True)]
        target = out_extent if out_constant is None else out_constant
        return map_samples(
            kernel, parameters, arrays, extents, target, tables, out_shape, out_dtype
        )

    program.__name__ = program.__qualname__ = f"dynjax_{kernel.name}"
    return jax.jit(program)
