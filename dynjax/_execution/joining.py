"""Batches put one behind another, and taken apart again, on the host."""

from collections.abc import Sequence

import numpy as np

from .._ops._lib.host_buffers import new_array
from .._types.batch import Batch
from .._types.columns import is_constant
from .._types.device import Device
from .._types.dtypes import enum_name
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Storage


def joined(batches: Sequence[Batch]) -> Batch | None:
    """One batch of the samples of several batches of one size; None if they differ in kind or form.

    Batches in memory that the user may change are not joined either.
    """
    specs = [b.spec for b in batches]
    first = specs[0]
    if first.device != Device.CPU or any(b.external for b in batches):
        return None
    if not all(_are_alike(first, s) for s in specs):
        return None
    storage = _joined([b.storage for b in batches])
    if storage is None:
        return None
    columns = zip(*(s.shape for s in specs), strict=True)
    shape = tuple(c[0] if is_constant(c[0]) else np.concatenate(c) for c in columns)
    count = first.count * len(batches)
    spec = Spec(count, shape, first.dtype, first.layout, True, Device.CPU)
    return Batch._make(spec, storage)


def _are_alike(a: Spec, b: Spec) -> bool:
    """Whether both have as many samples, of one kind, and the same constant extents."""
    if a is b:
        return True
    if (a.count, a.ndim, a.layout, a.device) != (b.count, b.ndim, b.layout, b.device):
        return False
    if a.dtype != b.dtype or enum_name(a.dtype) != enum_name(b.dtype):
        return False
    constant = [c if is_constant(c) else None for c in a.shape]
    return constant == [c if is_constant(c) else None for c in b.shape]


def _joined(storages: Sequence[Storage]) -> Storage | None:
    kinds = {type(s) for s in storages}
    if kinds == {Dense}:
        arrays = [np.asarray(s.array) for s in storages]
        rows = sum(map(len, arrays))
        return Dense(_concatenated(arrays, (rows, *arrays[0].shape[1:])))
    if kinds == {Packed}:
        flat, extents = [], []
        for s in storages:
            assert isinstance(s, Packed)
            flat.append(np.asarray(s.array)[: s.offsets[-1]])
            extents.append(s.extent)
        return Packed(_concatenated(flat, (sum(map(len, flat)),)), np.concatenate(extents))
    return None


def _concatenated(arrays: Sequence[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Host arrays one behind another. NumPy would give the GIL away, which is slow to come back."""
    out = new_array(shape, arrays[0].dtype)
    into, start = _bytes_of(out), 0
    for array in arrays:
        end = start + array.nbytes
        into[start:end] = _bytes_of(np.ascontiguousarray(array))
        start = end
    return out


def _bytes_of(array: np.ndarray) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def specs_of_parts(spec: Spec, count: int) -> list[Spec]:
    """The descriptions of so many equal parts of a batch."""
    size = spec.count // count
    if spec.uniform:
        return [Spec(size, spec.shape, spec.dtype, spec.layout, True, spec.device)] * count
    parts = []
    for start in range(0, spec.count, size):
        shape = tuple(c if is_constant(c) else c[start : start + size] for c in spec.shape)
        parts.append(Spec(size, shape, spec.dtype, spec.layout, True, spec.device))
    return parts


def parts(batch: Batch, specs: Sequence[Spec]) -> list[Batch]:
    """The parts of a batch that are described so: views of its memory."""
    storage = batch.storage
    array = np.asarray(storage.array)
    made, start = [], 0
    for spec in specs:
        end = start + spec.count
        if isinstance(storage, Packed):
            flat = array[storage.offsets[start] : storage.offsets[end]]
            part: Storage = Packed(flat, storage.extent[start:end])
        else:
            part = Dense(array[start:end])
        made.append(Batch._make(spec, part))
        start = end
    return made
