"""Native kernels called on host data without a compiled program.

A program would be compiled for each size of a dense result; data movements take as many sizes as
users have slices.
"""

import functools
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from ..._direct import NO_BUFFER, direct_call
from ..._schema import Table
from ..._types.columns import Shape, is_constant, table
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Padded, Storage, capacity, without_gaps
from .host_buffers import new_array

MAX_RANK = 8  # axes of a sample; as in ops/base/samples.h
_MAX_IN_PLACE = 8  # inputs of a direct call; a longer list is told by addresses


@final
class HostCall:
    """The host way (`Apply.host`) of an output that a native kernel computes."""

    def __init__(
        self,
        kernel: str,
        specs: Sequence[Spec],
        shape: Shape,
        dtype: np.dtype,
        count: int,
        batched: bool,
        *,
        tables: Sequence[Table] = (),
        static: dict[str, Any] | None = None,
        listed: bool = False,
        order: np.ndarray | None = None,
        shared: Sequence[np.ndarray] = (),
    ):
        """Everything but the inputs' data.

        Args:
            kernel: name of the handler.
            specs: the inputs.
            shape, dtype: of the output.
            count, batched: of the call.
            tables, static: as in `Apply`.
            listed: the kernel takes all inputs as one list, those of the first sample first.
            order: which sample of the input is read for each sample of the output.
            shared: operands after the tables, the same for all samples.
        """
        self._kernel = kernel
        self._specs = specs
        self._shape = shape
        self._dtype = dtype
        self._count = count
        self._batched = batched
        self._tables = tables
        self._static = tuple((static or {}).items())
        self._listed = listed
        self._order = order
        self._shared = [a.view(np.uint16) if a.dtype.kind == "V" else a for a in shared]
        self._shared_types = tuple(a.dtype for a in shared)
        self._uniform = all(map(is_constant, shape))
        self._operands: list[np.ndarray] | None = None
        self._runs: dict[int, Any] = {}  # by number of operands, negative where they lie in place
        self._result_shape: tuple[int, ...] = ()

    def __call__(self, storages: Sequence[Storage]) -> Storage:
        operands = self._operands
        if operands is None:
            # Not before: inside `jit` the tables are traced, and nobody calls this.
            operands = self._operands = self._prepared()
        sources = self._in_place(storages)
        addressed = sources is None
        if sources is None:
            pairs = [self._samples(s) for s in storages]
            sources = _interleaved(pairs) if self._listed else list(pairs[0])
        form = len(sources) if addressed else -len(sources)
        run = self._runs.get(form)
        if run is None:
            run = self._runs[form] = direct_call(
                *(self._kernel, self._static, addressed),
                (self._specs[0].dtype,) * (len(sources) // 2),
                *((*(np.dtype(t.dtype) for t in self._tables), *self._shared_types), self._dtype),
            )
        out = new_array(self._result_shape, self._dtype)
        # bfloat16 has no buffer protocol; the type that counts was given to the handler.
        bits = out.view(np.uint16) if self._dtype.kind == "V" else out
        run([NO_BUFFER, *sources, *operands], [bits])
        out.flags.writeable = False  # so that views of it can be shared
        if not self._uniform:
            return Packed(out, operands[0])
        return Dense(out if self._batched else out.reshape(out.shape[1:]), self._batched)

    def _prepared(self) -> list[np.ndarray]:
        extent = np.ascontiguousarray(table(self._shape, self._count, np.int32))
        if self._uniform:
            self._result_shape = (self._count, *map(int, self._shape))
        else:
            elements = int(extent.prod(axis=1, dtype=np.int64).sum())
            self._result_shape = (capacity(elements),)
        tables = (table(t.columns, self._count, t.dtype) for t in self._tables)
        return [extent, *map(np.ascontiguousarray, tables), *self._shared]

    def _samples(self, storage: Storage) -> tuple[np.ndarray, np.ndarray]:
        """Addresses and extents of an input's samples; a single one serves every sample."""
        count = self._count
        if isinstance(storage, Padded):
            storage = without_gaps(storage)
        if isinstance(storage, Dense):
            shape = storage.array.shape
            extent = _repeated(shape[1:] if storage.batched else shape, count)
            addresses = storage.addresses(count)
        else:
            extent = np.asarray(storage.extents((), count), np.int32)
            addresses = storage.addresses(count)
            if len(extent) != count:
                extent = np.repeat(extent, count, axis=0)
                addresses = np.repeat(addresses, count)
        if self._order is not None:
            addresses, extent = addresses[self._order], extent[self._order]
        return addresses.view(np.int32).reshape(count, 2), np.ascontiguousarray(extent)

    def _in_place(self, storages: Sequence[Storage]) -> list[np.ndarray] | None:
        """The inputs as they lie and their extents, or None where addresses have to be told."""
        if self._order is not None or len(storages) > _MAX_IN_PLACE:
            return None
        sources: list[np.ndarray] = []
        for storage in storages if self._listed else storages[:1]:
            array, kind = storage.array, type(storage)
            if type(array) is not np.ndarray:
                array = np.asarray(array)
            if kind is Packed:
                extent = storage.extent  # type: ignore[attr-defined]
                if not extent.shape[1]:
                    return None  # scalars would have to fill the buffer
            elif kind is Dense or kind is Padded:
                if not storage.batched:  # type: ignore[attr-defined]
                    array = array[None]
                if kind is Dense:
                    extent = _repeated(array.shape[1:], len(array))
                else:
                    extent = np.asarray(storage.extent, np.int32)  # type: ignore[attr-defined]
                    extent = extent.reshape(-1, extent.shape[-1])
            else:
                return None
            if len(extent) != self._count or not array.flags.c_contiguous:
                return None
            sources.append(array.view(np.uint16) if array.dtype.kind == "V" else array)
            sources.append(np.ascontiguousarray(extent, np.int32))
        return sources


def _interleaved(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[np.ndarray]:
    return [np.stack(parts, axis=1) for parts in zip(*pairs, strict=True)]


@functools.lru_cache(maxsize=1024)
def _repeated(shape: tuple[int, ...], count: int) -> np.ndarray:
    extent = np.empty((count, len(shape)), np.int32)
    extent[...] = shape
    return extent
