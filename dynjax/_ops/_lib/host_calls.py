"""Native kernels called on host data without a compiled program.

A program would be compiled for each size of a dense result; data movements take as many sizes as
users have slices.
"""

import functools
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from ..._native import FFI_DTYPE, native
from ..._schema import Table
from ..._types.columns import Shape, is_constant, table
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Padded, Storage, capacity, without_gaps
from .host_buffers import new_array

_NO_BUFFER = np.zeros(1, np.int32)  # stands for the recycled buffer of a compiled program


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
        self._uniform = all(map(is_constant, shape))
        self._operands: list[np.ndarray] | None = None
        self._result_shape: tuple[int, ...] = ()

    def __call__(self, storages: Sequence[Storage]) -> Storage:
        operands = self._operands
        if operands is None:
            # Not before: inside `jit` the tables are traced, and nobody calls this.
            operands = self._operands = self._prepared()
        slotted = len(storages) == 1 and type(storages[0]) is Padded and self._order is None
        if slotted:
            sources = self._slots(storages[0])
        else:
            pairs = [self._samples(s) for s in storages]
            sources = _interleaved(pairs) if self._listed else list(pairs[0])
        run = _handler(
            *(self._kernel, self._static, not slotted, self._specs[0].dtype),
            *(tuple(t.dtype for t in self._tables), self._dtype),
        )
        out = new_array(self._result_shape, self._dtype)
        # bfloat16 has no buffer protocol; the type that counts was given to the handler.
        bits = out.view(np.uint16) if self._dtype.kind == "V" else out
        run([_NO_BUFFER, *sources, *operands], [bits])
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
        return [extent, *map(np.ascontiguousarray, tables)]

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

    def _slots(self, storage: Storage) -> list[np.ndarray]:
        assert isinstance(storage, Padded)
        array, extent = np.asarray(storage.array), np.asarray(storage.extent, np.int32)
        if not storage.batched:
            array, extent = array[None], extent[None]
        if len(extent) != self._count:
            array = np.repeat(array, self._count, axis=0)
            extent = np.repeat(extent, self._count, axis=0)
        bits = array.view(np.uint16) if array.dtype.kind == "V" else array
        return [np.ascontiguousarray(bits), np.ascontiguousarray(extent)]


def _interleaved(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[np.ndarray]:
    return [np.stack(parts, axis=1) for parts in zip(*pairs, strict=True)]


@functools.lru_cache(maxsize=1024)
def _repeated(shape: tuple[int, ...], count: int) -> np.ndarray:
    extent = np.empty((count, len(shape)), np.int32)
    extent[...] = shape
    return extent


@functools.cache
def _handlers() -> dict[str, Any]:
    return native.registrations()


@functools.lru_cache(maxsize=1024)
def _handler(
    kernel: str,
    static: tuple[tuple[str, Any], ...],
    addressed: bool,
    source_dtype: np.dtype,
    table_dtypes: tuple[Any, ...],
    out_dtype: np.dtype,
) -> Any:
    """`run(operands, results)`, which writes the results in place."""
    attributes = {name: _plain(value) for name, value in static}
    attributes["addressed"] = addressed
    attributes["source_dtype"] = FFI_DTYPE[source_dtype.name]
    int32 = FFI_DTYPE["int32"]
    types = [int32, int32 if addressed else FFI_DTYPE[source_dtype.name], int32, int32]
    types += [FFI_DTYPE[np.dtype(t).name] for t in table_dtypes]
    types.append(FFI_DTYPE[out_dtype.name])
    return native.DirectCall(_handlers()[kernel], attributes, types).run


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str) else [int(v) for v in value]
