"""`Step`: one output of an operator call, ready to be computed from the inputs' data."""

import math
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from .._direct import NO_BUFFER, direct_call
from .._ops._lib.host_buffers import new_array
from .._schema import Apply, Table
from .._types import storage as forms
from .._types.columns import table
from .._types.device import Device
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Scattered, Storage
from .forks import check_usable
from .in_flight import hold
from .in_jax import InJax
from .keys import LazyKeys
from .programs import constant_operand, native_program, recycles, run_native
from .threads import apply_num_threads

# Smaller results are computed by NumPy where it gives them, whose treatment of tiny numbers XLA's
# programs do not share, and are not worth a program of their own.
JOINS_FROM = 1 << 17


@final
class Step:
    """How one output is computed: everything but the input data.

    Attributes:
        spec: description of the output.
        nbytes: size of the result in memory.
        cost: of the kernel, for each byte written.
        check: looks at the values of the inputs first, or None.
        keyed: whether a table holds the keys of the samples, which differ from call to call.
    """

    __slots__ = (
        *("_host", "_in_extents", "_in_jax", "_inputs", "_kernel", "_key_table", "_on_cpu"),
        *("_out_extent", "_programs", "_put_off", "_recycled", "_result_shape", "_static"),
        *("_tables", "_way"),
        *("check", "cost", "keyed", "nbytes", "spec"),
    )

    def __init__(self, apply: Apply, inputs: Sequence[Spec], count: int, batched: bool, kept: bool):
        """`kept` says that the step will serve more than one call."""
        device = _common_device(inputs)
        self.spec = Spec(count, tuple(apply.shape), apply.dtype, apply.layout, batched, device)
        self._kernel = apply.kernel
        self.cost = apply.kernel.cost
        self.check = apply.check
        self._host = apply.host
        self._inputs = inputs
        self._on_cpu = device == Device.CPU
        self._static = tuple(apply.static.items())
        self._programs: dict[bool, Any] = {}  # by whether the inputs are told by address
        self._in_jax: InJax | None = None
        self._out_extent: Any = table(apply.shape, count, np.int32)
        self._key_table = _key_table(apply.tables)
        self.keyed = self._key_table is not None
        if self.spec.uniform:
            sizes = tuple(int(c) for c in apply.shape)
            elements = math.prod(sizes) * count
            self._result_shape = (count, *sizes)
        else:
            # In float, which does not wrap around.
            elements = int(self._out_extent.prod(axis=1, dtype=np.float64).sum())
            self._result_shape = (forms.capacity(elements),)
        self.nbytes = math.prod(self._result_shape) * apply.dtype.itemsize
        self._recycled = recycles(elements * apply.dtype.itemsize)
        # None: the host way.
        self._way = None if self._on_cpu and apply.host is not None else self._kernel_way()
        self._tables: list[Any] = []
        self._in_extents: list[Any] = []
        # What serves the kernel only is put off where the host way is likely to do.
        self._put_off: tuple[Sequence[Table], bool] | None = (apply.tables, kept)
        if self._way is not None:
            self._set_up()

    def _set_up(self) -> None:
        """Makes the tables that the kernel takes."""
        if (put_off := self._put_off) is None:
            return
        given, kept = put_off
        count = self.spec.count
        tables: list[Any] = [
            None if k == self._key_table else table(t.columns, count, t.dtype)
            for k, t in enumerate(given)
        ]
        extents: list[Any] = [
            np.broadcast_to(np.asarray(s.shape, np.int32), (count, s.ndim)) if s.uniform else None
            for s in self._inputs
        ]
        native = self._way is Step._run_native
        if not native:
            # Contiguous, as a direct call takes them.
            extents = [None if e is None else e.copy() for e in extents]
        # Tables of ragged batches differ from batch to batch: moving them ahead would not pay.
        constant = kept and all(s.uniform for s in self._inputs)
        if constant and (native or self._way is Step._run_in_jax):
            where = self.spec.device.jax_device
            if native:
                self._out_extent = constant_operand(self._out_extent, where)
                extents = [constant_operand(e, where) for e in extents]
            tables = [None if t is None else constant_operand(t, where) for t in tables]
        # At once: another thread may be here too.
        self._tables, self._in_extents, self._put_off = tables, extents, None

    def retable(self, before: Sequence[Table], given: Sequence[Table]) -> None:
        """Takes other tables, of the same types and widths; nobody else may run the step.

        Args:
            before: those that the step has.
            given: the others; what is one object with what was before stays.
        """
        assert self._put_off is None
        assert self._key_table is None
        assert self._way is Step._run_direct or self._way is Step._run_native
        pairs = zip(self._tables, before, given, strict=True)
        self._tables = [
            made if t is old else table(t.columns, self.spec.count, t.dtype)
            for made, old, t in pairs
        ]

    def _kernel_way(self) -> Callable[["Step", Any, list[Any]], tuple[Storage, Any]]:
        if not self._on_cpu or not self._kernel.native:
            return Step._run_in_jax
        return Step._run_native if self._recycled else Step._run_direct

    @property
    def joins(self) -> bool:
        """Whether the compiler sees the arithmetic, so that calls may be joined in one program."""
        sampled = self._kernel.joins and not (self._on_cpu and self._kernel.native)
        return sampled and self.spec.uniform and self.check is None and self.nbytes > JOINS_FROM

    @property
    def compiles(self) -> bool:
        """Whether it runs as a program that was compiled for its size."""
        return self._way is Step._run_in_jax or self._way is Step._run_native

    def run(self, storages: Sequence[Any], keys: np.ndarray | None = None) -> tuple[Storage, Any]:
        """Computes the output; also the status table of kernels that report one.

        Args:
            storages: of the inputs.
            keys: of the samples, uint32 `[N, 2]`, if the step is `keyed`.
        """
        check_usable()
        if not self.spec.count and self._on_cpu:
            # Some kernels cannot tell the width of a table that has no rows.
            return self._stored(new_array(self._result_shape, self.spec.dtype)), None
        way = self._way
        if way is None:
            assert self._host is not None
            apply_num_threads()  # some call native kernels
            result = self._host(storages)
            if result is not None:
                return self._repeated(result), None
            self._set_up()
            way = self._kernel_way()
        tables = [keys if t is None else t for t in self._tables] if self.keyed else self._tables
        return way(self, storages, tables)

    def _repeated(self, storage: Storage) -> Storage:
        """One result for all samples, where no input belongs to a batch."""
        if not self.spec.batched or not isinstance(storage, Dense) or storage.batched:
            return storage
        if any(s.batched for s in self._inputs):
            return storage
        return Dense(np.repeat(np.asarray(storage.array)[None], self.spec.count, axis=0))

    def _run_direct(self, storages: Sequence[Storage], tables: list[Any]) -> tuple[Storage, Any]:
        # Only a sample beside a batch, and files, have to be told by address.
        addressed = not all(
            type(s) is not Scattered and spec.batched == self.spec.batched
            for spec, s in zip(self._inputs, storages, strict=True)
        )
        call = self._programs.get(addressed)
        if call is None:
            dtypes = tuple(s.dtype for s in self._inputs)
            kinds = tuple(t.dtype for t in tables)
            apply_num_threads()
            call = self._programs[addressed] = direct_call(
                *(self._kernel.name, self._static, addressed),
                *(dtypes, kinds, self.spec.dtype, self._kernel.reports),
            )
        if addressed:
            storages = [forms.without_gaps(s) for s in storages]
            sources = self._sources(storages, addressed)
        else:
            sources = self._host_sources(storages)
        operands = [NO_BUFFER, *sources, self._out_extent, *tables]
        results = [new_array(self._result_shape, self.spec.dtype)]
        if self._kernel.reports:
            results.append(np.empty((self.spec.count, 2), np.int32))
        call(operands, results)
        return self._stored(results[0]), results[1] if self._kernel.reports else None

    def _host_sources(self, storages: Sequence[Storage]) -> list[Any]:
        """The inputs as they lie in host memory, and their extents."""
        operands = []
        for spec, storage, extent in zip(self._inputs, storages, self._in_extents, strict=True):
            array = storage.array
            if type(array) is not np.ndarray:
                array = np.asarray(array)
            # The flat buffer of one sample is that of a batch of one.
            operands.append(array if spec.batched or type(storage) is Packed else array[None])
            if extent is None:
                extent = np.ascontiguousarray(
                    storage.extents(spec.shape, self.spec.count), np.int32
                )
            operands.append(extent)
        return operands

    def _run_native(self, storages: Sequence[Storage], tables: list[Any]) -> tuple[Storage, Any]:
        # A JAX array of constant shape is an ordinary operand; anything else is read by address.
        addressed = not all(
            type(s) is Dense and s.batched == self.spec.batched and type(s.array) is not np.ndarray
            for s in storages
        )
        if addressed:
            storages = [forms.without_gaps(s) for s in storages]
        operands = [*self._sources(storages, addressed), self._out_extent, *tables]
        program = self._programs.get(addressed)
        if program is None:
            program = self._programs[addressed] = native_program(
                *(self._kernel, self._static, addressed),
                self._inputs[0].dtype if self._inputs else np.dtype(np.uint8),
                *(self._result_shape, self.spec.dtype, self.spec.count, self._recycled),
            )
        results = run_native(program, operands, self._result_shape, self.spec.dtype, self._recycled)
        if addressed:
            hold(results[0], storages)
        status = np.asarray(results[1]) if self._kernel.reports else None
        return self._stored(results[0]), status

    def _sources(self, storages: Sequence[Storage], addressed: bool) -> list[Any]:
        """The inputs, or where their samples lie, and their extents."""
        count = self.spec.count
        operands: list[Any] = []
        for spec, storage, extent in zip(self._inputs, storages, self._in_extents, strict=True):
            if addressed:
                addresses = storage.addresses(count)
                operands.append(addresses.view(np.int32).reshape(count, 2))
                if type(storage) is Scattered:  # the rule's own inputs, not those of `_inputs`
                    extent = None
            else:
                operands.append(storage.array if spec.batched else storage.array[None])
            operands.append(storage.extents(spec.shape, count) if extent is None else extent)
        return operands

    def _stored(self, array: Any) -> Storage:
        if not self.spec.uniform:
            return Packed(array, np.asarray(self._out_extent), self._recycled)
        if self.spec.batched:
            return Dense(array, recyclable=self._recycled)
        # Dropping the leading axis on the host costs no program.
        return Dense(np.asarray(array)[0, ...], batched=False)

    def _run_in_jax(self, storages: Sequence[Storage], tables: list[Any]) -> tuple[Storage, Any]:
        in_jax = self._in_jax
        if in_jax is None:
            in_jax = self._in_jax = InJax(
                *(self._kernel, self._static, self._inputs, self.spec, self._result_shape),
                *(self._out_extent, self._recycled),
            )
        return in_jax(storages, tables), None


def _common_device(inputs: Sequence[Spec]) -> Device:
    """Where the work is done: on a device if any input is there."""
    for spec in inputs:
        if spec.device.device_type != "cpu":
            return spec.device
    return Device.CPU


def _key_table(tables: Sequence[Table]) -> int | None:
    """Which table holds the keys of the samples, if the rule handed them on unread."""
    for k, t in enumerate(tables):
        if isinstance(t.columns, LazyKeys) and not t.columns.read:
            return k
    return None
