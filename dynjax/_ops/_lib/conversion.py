"""The kernel of `cast` and `cast_like`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._schema import Apply, Kernel
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Padded, Storage
from .convert import convert, convert_host


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    del extents, out_extent, tables, out_shape
    return convert(inputs[0], dtype)


_kernel = Kernel("cast", _sample, native=False, pointwise=True)


def converted(spec: Spec, dtype: np.dtype, beside: Spec | None = None) -> Apply:
    """The output of a conversion of the first input; `beside` is the second one, if any."""
    repeated = beside is not None and beside.batched and not spec.batched

    def host(storages: Sequence[Storage]) -> Storage:
        storage = storages[0]
        array = np.asarray(storage.array)
        if isinstance(storage, Packed):
            # What lies beyond the samples need not be converted.
            array = array[: int(storage.offsets[-1])]
        result = _own(array, dtype)
        if isinstance(storage, Packed):
            return Packed(result, storage.extent)
        if isinstance(storage, Padded):
            return Padded(result, storage.extent, storage.batched)
        assert isinstance(storage, Dense)
        if repeated:
            assert beside is not None
            return Dense(np.repeat(result[None], beside.count, axis=0))
        return Dense(result, storage.batched)

    # The kernel takes the first input only; a second one lends its type.
    return Apply(_kernel, spec.shape, dtype, spec.layout, host=host)


def _own(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    result = convert_host(array, dtype)
    return result.copy() if result is array else result
