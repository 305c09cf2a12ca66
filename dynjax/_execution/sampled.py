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
    count: int,
    shared: Sequence[bool] = (),
) -> Any:
    """Applies `kernel.sample` to every sample.

    Args:
        arrays: inputs `[N, *slot]`.
        extents: for each input its true sizes, int32 `[N, rank]`, or a tuple of ints if all are
            equal.
        out_extent: the same for the result.
        tables: per-sample parameters `[N, k]`.
        out_shape: the result's slot, without the sample axis.
        count: N.
        shared: which inputs are one sample for all, without the sample axis.

    Returns:
        `[N, *out_shape]`, zero outside `out_extent`.
    """
    if kernel.sample is None:
        raise NotImplementedError(f"{kernel.name} runs on the host only")
    function = functools.partial(
        kernel.sample, out_shape=out_shape, dtype=jnp.dtype(out_dtype), **static
    )

    def one(arrays, extents, out_extent, tables, _):
        scalars = [_scalars(e) for e in extents]
        result = function(list(arrays), scalars, _scalars(out_extent), list(tables))
        return _masked(result, out_extent)

    constant = isinstance(out_extent, tuple)
    alone = [*shared, *[False] * (len(arrays) - len(shared))]
    axes = (
        [None if s else 0 for s in alone],
        [None if isinstance(e, tuple) else 0 for e in extents],
        None if constant else 0,
        [0] * len(tables),
        0,  # so that there is something to map over even if there is no input
    )
    mapped = jax.vmap(one, in_axes=axes)
    return mapped(list(arrays), list(extents), out_extent, list(tables), jnp.arange(count))


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


# Samples are unpacked and computed in groups whose slots take about this much memory.
_GROUP_BYTES = 256 << 20


@functools.cache
def sampled_program(
    kernel: Kernel,
    static: tuple[tuple[str, Any], ...],
    in_extents: tuple[tuple[int, ...] | None, ...],
    shared: tuple[bool, ...],
    out_constant: tuple[int, ...] | None,
    out_shape: tuple[int, ...],
    out_dtype: np.dtype,
    count: int,
    batched: bool,
    recycled: bool = False,
) -> Any:
    """`(into, arrays, extents, out_extent, tables) -> result`, compiled.

    For dense and padded inputs. `in_extents` and `out_constant` give the sizes that are the same
    for all samples; for the others the program takes a table. A result that is not `batched` has no
    sample axis. A `recycled` one is written to the memory of `into`.
    """
    parameters = dict(static)

    def program(into, arrays, extents, out_extent, tables):
        del into
        extents = [e if c is None else c for c, e in zip(in_extents, extents, strict=True)]
        target = out_extent if out_constant is None else out_constant
        result = map_samples(
            *(kernel, parameters, arrays, extents, target, tables, out_shape, out_dtype, count),
            shared,
        )
        return result if batched else result[0]

    return _compiled(program, kernel, recycled)


def _compiled(program: Any, kernel: Kernel, recycled: bool) -> Any:
    """A program whose first argument is not read.

    A recycled result gets its memory. On the CPU it also holds the program there: NumPy arrays
    alone would follow JAX's default device.
    """
    program.__name__ = program.__qualname__ = f"dynjax_{kernel.name}"
    return jax.jit(program, donate_argnums=(0,) if recycled else (), keep_unused=True)


@functools.cache
def flat_program(
    kernel: Kernel,
    static: tuple[tuple[str, Any], ...],
    kinds: tuple[str, ...],
    out_dtype: np.dtype,
    recycled: bool = False,
) -> Any:
    """`(into, arrays, ends, tables) -> result`, compiled, for a pointwise kernel on flat buffers.

    Args:
        kinds: of each input: `"flat"` (a buffer), `"each"` (one scalar for each sample, `[N]`) or
            `"one"` (one scalar).
    """
    assert kernel.sample is not None
    function = functools.partial(kernel.sample, dtype=jnp.dtype(out_dtype), **dict(static))

    def program(into, arrays, ends, tables):
        del into
        capacity = arrays[kinds.index("flat")].shape[0]
        sample = None
        if "each" in kinds or tables:
            # The sample of each element; the unused tail counts for the last one.
            sample = jnp.searchsorted(ends, jnp.arange(capacity), side="right")
            sample = jnp.minimum(sample, len(ends) - 1)
        spread = [a[sample] if k == "each" else a for a, k in zip(arrays, kinds, strict=True)]
        columns = [t[sample].T for t in tables]
        return function(spread, [], (), columns, out_shape=(capacity,))

    return _compiled(program, kernel, recycled)


@functools.cache
def packed_program(
    kernel: Kernel,
    static: tuple[tuple[str, Any], ...],
    slot: tuple[int, ...],
    out_shape: tuple[int, ...],
    out_dtype: np.dtype,
) -> Any:
    """`(buffer, offsets, extent, out_extent, tables) -> result` for one packed input on a device.

    Only a group of samples is unpacked at a time: slots of the largest size for all of them could
    take many times the memory of the batch.
    """
    parameters = dict(static)

    def program(buffer, offsets, extent, out_extent, tables):
        def one(operands):
            offset, size, out_size, rows = operands
            image = _unpacked(buffer, offset, size, slot)
            arguments = ([image[None]], [size[None]], out_size[None], [r[None] for r in rows])
            return map_samples(kernel, parameters, *arguments, out_shape, out_dtype, 1)[0]

        size = int(np.prod(slot, dtype=np.int64)) * 4
        group = max(1, min(len(offsets), _GROUP_BYTES // max(size, 1)))
        return jax.lax.map(one, (offsets, extent, out_extent, list(tables)), batch_size=group)

    program.__name__ = program.__qualname__ = f"dynjax_{kernel.name}"
    return jax.jit(program)


def _unpacked(buffer: Any, offset: Any, extent: Any, slot: tuple[int, ...]) -> Any:
    """One sample of a packed buffer in a slot, zero outside its extent."""
    position: Any = jnp.zeros((), jnp.int32)
    inside: Any = True
    for axis, size in enumerate(slot):
        shape = [1] * len(slot)
        shape[axis] = -1
        index = jnp.arange(size, dtype=jnp.int32).reshape(shape)
        position = position * extent[axis] + index
        inside = inside & (index < extent[axis])
    values = jnp.take(buffer, offset + position, mode="clip")
    return jnp.where(inside, values, jnp.zeros((), buffer.dtype))
