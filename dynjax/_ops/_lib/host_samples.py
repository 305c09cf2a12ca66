"""Results that NumPy makes on the host, sample by sample.

Data movement compiled by XLA would need a program for each size seen; NumPy needs none.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..._types.columns import Column, Shape, is_constant, table
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Storage, capacity
from .host_buffers import new_array

Write = Callable[[int, np.ndarray], None]


def batching(specs: Sequence[Spec], *columns: Column) -> tuple[int, bool]:
    """Number of samples of a call, and whether it is a batch call.

    Args:
        specs: the inputs.
        columns: of the per-sample arguments: one that varies makes the call a batch call even if
            no input is a batch.
    """
    for spec in specs:
        if spec.batched:
            return spec.count, True
    for column in columns:
        if not is_constant(column):
            # The sizes of a single sample may be a column too, of length 1.
            return len(column), len(column) > 1 or all(spec.uniform for spec in specs)
    return 1, False


def views(storage: Storage, spec: Spec, count: int) -> list[np.ndarray]:
    """The samples of an input; a single one serves every sample of the batch."""
    if not spec.batched:
        return [storage.sample(0)] * count
    if isinstance(storage, Packed):
        return _split(np.asarray(storage.array), storage.offsets.tolist(), storage.extent)
    if isinstance(storage, Dense):
        array = np.asarray(storage.array)
        return [array[i, ...] for i in range(count)]
    return [storage.sample(i) for i in range(count)]


def _split(flat: np.ndarray, ends: list[int], extent: np.ndarray) -> list[np.ndarray]:
    shapes = extent.tolist()
    return [flat[a:b].reshape(e) for a, b, e in zip(ends[:-1], ends[1:], shapes, strict=True)]


def whole(storage: Storage, spec: Spec) -> np.ndarray | None:
    """A dense input as one array, with or without the sample axis; None for ragged ones."""
    if not spec.uniform or not isinstance(storage, Dense):
        return None
    return np.asarray(storage.array)


def collected(shape: Shape, dtype: np.dtype, count: int, batched: bool, write: Write) -> Storage:
    """Storage of samples that `write(i, target)` fills one after another."""
    storage, targets = uninitialised(shape, dtype, count, batched)
    for i, target in enumerate(targets):
        write(i, target)
    return storage


def uninitialised(
    shape: Shape, dtype: np.dtype, count: int, batched: bool
) -> tuple[Storage, list[np.ndarray]]:
    """Storage of arbitrary content, and its samples: contiguous arrays to be filled."""
    if all(map(is_constant, shape)):
        out = new_array((count, *shape), dtype)
        # Arrays even of scalar samples.
        return Dense(out if batched else out[0, ...], batched), [out[i, ...] for i in range(count)]
    extent = table(shape, count, np.int32)
    buffer = new_array((capacity(int(extent.prod(axis=1, dtype=np.int64).sum())),), dtype)
    result = Packed(buffer, extent)
    return result, _split(buffer, result.offsets.tolist(), extent)


def mapped(
    spec: Spec,
    shape: Shape,
    dtype: np.dtype,
    function: Callable[[np.ndarray], Any],
    shifted: Callable[[np.ndarray], Any] | None = None,
) -> Callable[[Sequence[Storage]], Storage]:
    """The host way of an operator of one input whose parameters are the same for all samples.

    Args:
        spec: the input.
        shape, dtype: the output.
        function: of one sample.
        shifted: the same over an array `[N, *shape]`, if there is such a form.
    """
    count, batched = batching([spec])

    def host(storages: Sequence[Storage]) -> Storage:
        storage = storages[0]
        array = whole(storage, spec)
        if array is not None and (not batched or shifted is not None):
            one = shifted if batched and shifted is not None else function
            return Dense(np.ascontiguousarray(one(array), dtype), batched)

        samples = views(storage, spec, count)

        def write(i: int, target: np.ndarray) -> None:
            target[...] = function(samples[i])

        return collected(shape, dtype, count, batched, write)

    return host
