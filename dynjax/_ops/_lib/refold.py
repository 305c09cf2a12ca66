"""The kernel of `reshape` and its relatives: the same elements under other extents."""

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Bound, Kernel
from ..._types.columns import Column, Shape, any_of, first_of, is_constant, is_traced, table
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Storage, without_gaps
from .host_samples import batching


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    bits: bool = False,
) -> Any:
    x = inputs[0]
    if bits:
        return _bit_cast(x, out_shape, dtype)
    if all(isinstance(n, int) for n in (*extents[0], *out_extent)):
        return x.reshape(out_shape)
    # Element by element: where it stands in the result, in the row of elements, in the input.
    number: Any = jnp.zeros((), jnp.int32)
    for axis, size in enumerate(out_shape):
        index = jnp.arange(size).reshape([-1 if a == axis else 1 for a in range(len(out_shape))])
        number = number * out_extent[axis] + index
    position, rest = [], number
    for n in reversed(extents[0]):
        position.append(rest % jnp.maximum(n, 1))
        rest = rest // jnp.maximum(n, 1)
    if not position:
        return jnp.broadcast_to(x, out_shape)
    return jnp.broadcast_to(x[tuple(reversed(position))], out_shape)


def _bit_cast(x: Any, out_shape: tuple[int, ...], dtype: Any) -> Any:
    """Other types over the same bytes; sizes are constants here."""
    old, new = x.dtype.itemsize, np.dtype(dtype).itemsize
    flat = x.reshape(-1)
    if new > old:
        flat = flat.reshape(-1, new // old)
    return jax.lax.bitcast_convert_type(flat, dtype).reshape(out_shape)


_kernel = Kernel("refold", _sample, native=False)


def refolded(
    what: str,
    spec: Spec,
    shape: Shape,
    layout: str | None,
    *,
    dtype: np.dtype | None = None,
    bound: Bound | None = None,
) -> Apply:
    """The output that holds the input's elements (or bytes) under another shape.

    On the host it shares the input's memory unless that may be the user's.

    Raises:
        OperatorError: the sizes differ, or the layout does not fit the shape.
    """
    out_dtype = spec.dtype if dtype is None else dtype
    if layout is not None and len(layout) != len(shape):
        raise OperatorError(
            f"{what}: layout {layout!r} has {len(layout)} letters; the result has {len(shape)} "
            "axes."
        )
    _check_volume(what, spec, shape, out_dtype)
    count, batched = batching([spec], *(shape if spec.uniform or spec.batched else ()))

    def host(storages: Sequence[Storage]) -> Storage:
        storage = without_gaps(storages[0]) if not spec.uniform else storages[0]
        array = (
            _shareable(storage.array).view(out_dtype)
            if dtype is not None
            else _shareable(storage.array)
        )
        if not all(map(is_constant, shape)):
            flat = array.reshape(-1)
            if batched and not spec.batched:
                flat = np.tile(flat, count)
            return Packed(flat, table(shape, count, np.int32))
        if isinstance(storage, Packed):
            array = array.reshape(-1)[: count * int(np.prod(shape, dtype=np.int64))]
        if batched and not spec.batched:
            array = np.repeat(array[None], count, axis=0)
        return Dense(array.reshape((count, *shape) if batched else shape), batched)

    def whole(slots: Sequence[Sequence[int]]) -> list[int | None]:
        """The given bound; one extent that is free can hold what the others leave."""
        given = bound(slots) if callable(bound) else bound
        sizes: list[int | None] = list(given or [None] * len(shape))
        sizes = [int(c) if is_constant(c) else n for c, n in zip(shape, sizes, strict=True)]
        # An extent taken over from the input may be as small as 1.
        taken = {id(c) for c in spec.shape}
        free = [a for a, c in enumerate(shape) if sizes[a] is None and id(c) not in taken]
        if len(free) == 1:
            constants = math.prod(int(c) for c in shape if is_constant(c))
            nbytes = math.prod(slots[0]) * spec.dtype.itemsize
            sizes[free[0]] = nbytes // out_dtype.itemsize // max(constants, 1)
        return sizes

    static = {"bits": True} if out_dtype != spec.dtype else {}
    return Apply(_kernel, shape, out_dtype, layout, static=static, bound=whole, host=host)


def _shareable(array: Any) -> np.ndarray:
    """The array in host memory that nobody else can write to."""
    held = np.asarray(array)
    if held.flags.writeable or not held.flags.c_contiguous:
        return held.copy()
    return held


def volume(shape: Shape) -> Column:
    """How many elements a sample has."""
    total: Column = 1
    for extent in shape:
        total = total * extent
    return total


def _check_volume(what: str, spec: Spec, shape: Shape, dtype: np.dtype) -> None:
    have = volume(spec.shape) * spec.dtype.itemsize
    want = volume(shape) * dtype.itemsize
    if is_traced(have, want):
        return
    if any_of(have != want):
        i = first_of(have != want)
        shapes = [
            Spec(1, s, dtype, None, True, spec.device).sample_shape(i) for s in (spec.shape, shape)
        ]
        raise OperatorError(
            f"{what}: sample {i}: shape {shapes[0]} ({spec.dtype.name}) does not hold as much as "
            f"{shapes[1]} ({dtype.name})."
        )
