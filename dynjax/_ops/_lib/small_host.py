"""Pointwise functions of little data in host memory, by NumPy.

XLA's dispatch takes longer than the whole of it. Beyond some size XLA is faster.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..._types.columns import Shape, is_constant
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Storage
from .host_buffers import new_array

_MAX_BYTES = 1 << 17

Host = Callable[[Sequence[Storage]], Storage | None]


def small_host(
    function: Callable[..., Any],
    operands: Sequence[Spec],
    shape: Shape,
    dtype: np.dtype,
    computed: np.dtype,
) -> Host | None:
    """The host way of a pointwise function, or None if the result is large or its form is not met.

    Args:
        function: of NumPy arrays that broadcast.
        operands: the inputs; where they are ragged, all but the scalars have the result's extents.
        shape: of the result.
        dtype: of the result.
        computed: type to which the operands are converted first.
    """
    batches = [s for s in operands if s.batched]
    uniform = all(map(is_constant, shape))
    result_shape: tuple[int, ...] = ()
    if uniform:
        count = batches[0].count if batches else 1
        result_shape = (*((count,) if batches else ()), *map(int, shape))
        if count * math.prod(shape) * dtype.itemsize > _MAX_BYTES:
            return None
    elif sum(s.nbytes for s in operands) > _MAX_BYTES:
        return None
    # NumPy's own functions write where they are told and convert the operands on the way.
    direct = isinstance(function, np.ufunc) and dtype == computed and dtype.kind != "V"

    def applied(values: Sequence[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
        with np.errstate(all="ignore"):
            if direct:
                out = new_array(shape, dtype)
                return function(*values, out=out, dtype=computed, casting="unsafe")
            result = function(*(v.astype(computed, copy=False) for v in values))
        return np.asarray(result).astype(dtype, copy=False)

    def host(storages: Sequence[Storage]) -> Storage | None:
        if uniform:
            if not all(type(s) is Dense for s in storages):
                return None
            pairs = zip(storages, operands, strict=True)
            aligned = [_aligned(s, spec, len(shape)) for s, spec in pairs]
            return Dense(applied(aligned, result_shape), bool(batches))
        packed = next((s for s in storages if type(s) is Packed), None)
        if packed is None:
            return None
        used = int(packed.offsets[-1])
        flat = []
        for s, spec in zip(storages, operands, strict=True):
            if type(s) is Packed:
                flat.append(np.asarray(s.array)[:used])
            elif type(s) is Dense and not spec.batched and not spec.ndim:
                flat.append(np.asarray(s.array))
            else:
                return None
        return Packed(applied(flat, (used,)), packed.extent)

    return host


def _aligned(storage: Storage, spec: Spec, rank: int) -> np.ndarray:
    """An operand whose axes are broadcast by NumPy as they are sample by sample."""
    array = np.asarray(storage.array)
    if not spec.batched or spec.ndim == rank:
        return array
    return array.reshape(spec.count, *[1] * (rank - spec.ndim), *array.shape[1:])
