"""`Step`: one output of an operator call, ready to be computed from the inputs' data."""

import contextlib
import math
from collections.abc import Sequence
from typing import Any, final

import jax
import numpy as np

from .._schema import Apply
from .._types import storage as forms
from .._types.batch import Batch
from .._types.columns import is_constant, table
from .._types.data import padded
from .._types.device import Device
from .._types.dtypes import is_wide
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Padded, Scattered, Storage
from .forks import check_usable
from .in_flight import hold
from .programs import constant_operand, native_program, recycles, run_native
from .sampled import flat_program, packed_program, sampled_program


@final
class Step:
    """How one output is computed: everything but the input data.

    Attributes:
        spec: description of the output.
        nbytes: size of the result in memory.
        cost: of the kernel, for each byte written.
        check: looks at the values of the inputs first, or None.
    """

    __slots__ = (
        *("_host", "_in_extents", "_inputs", "_kernel", "_out_extent", "_programs", "_recycled"),
        *("_result_shape", "_static", "_tables", "_wide", "check", "cost", "nbytes", "spec"),
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
        self._wide = is_wide(apply.dtype) or any(is_wide(s.dtype) for s in inputs)
        self._static = tuple(apply.static.items())
        self._programs: dict[bool, Any] = {}
        self._out_extent: Any = table(apply.shape, count, np.int32)
        self._tables: list[Any] = [table(t.columns, count, t.dtype) for t in apply.tables]
        if self.spec.uniform:
            sizes = tuple(int(c) for c in apply.shape)
            self._result_shape = (count, *sizes)
        else:
            # In float, which does not wrap around.
            elements = int(self._out_extent.prod(axis=1, dtype=np.float64).sum())
            self._result_shape = (forms.capacity(elements),)
        self.nbytes = math.prod(self._result_shape) * apply.dtype.itemsize
        self._recycled = recycles(self.nbytes)
        self._in_extents: list[Any] = [
            np.broadcast_to(np.asarray(s.shape, np.int32), (count, s.ndim)) if s.uniform else None
            for s in inputs
        ]
        if kept and all(s.uniform for s in inputs):
            # Tables of ragged batches differ from batch to batch: moving them ahead would not pay.
            where = device.jax_device
            self._out_extent = constant_operand(self._out_extent, where)
            self._in_extents = [constant_operand(e, where) for e in self._in_extents]
            self._tables = [constant_operand(t, where) for t in self._tables]

    def run(self, storages: Sequence[Storage]) -> tuple[Storage, Any]:
        """Computes the output; also the status table of kernels that report one."""
        check_usable()
        if self._host is not None and self.spec.device.device_type == "cpu":
            return self._repeated(self._host(storages)), None
        if self._kernel.native and self.spec.device.device_type == "cpu":
            return self._run_native(storages)
        return self._run_sampled(storages), None

    def _repeated(self, storage: Storage) -> Storage:
        """One result for all samples, where no input belongs to a batch."""
        alone = self.spec.batched and not any(s.batched for s in self._inputs)
        if not alone or not isinstance(storage, Dense) or storage.batched:
            return storage
        return Dense(np.repeat(np.asarray(storage.array)[None], self.spec.count, axis=0))

    def _run_native(self, storages: Sequence[Storage]) -> tuple[Storage, Any]:
        # A JAX array of constant shape is an ordinary operand; anything else is read by address.
        addressed = not all(
            type(s) is Dense and s.batched == self.spec.batched and type(s.array) is not np.ndarray
            for s in storages
        )
        count = self.spec.count
        if addressed:
            storages = [forms.without_gaps(s) for s in storages]
        operands = []
        for spec, storage, extent in zip(self._inputs, storages, self._in_extents, strict=True):
            if addressed:
                addresses = storage.addresses(count)
                operands.append(addresses.view(np.int32).reshape(count, 2))
                if type(storage) is Scattered:  # the rule's own inputs, not those of `_inputs`
                    extent = None
            else:
                operands.append(storage.array if spec.batched else storage.array[None])
            operands.append(storage.extents(spec.shape, count) if extent is None else extent)
        operands.append(self._out_extent)
        operands += self._tables
        program = self._programs.get(addressed)
        if program is None:
            program = self._programs[addressed] = native_program(
                *(self._kernel, self._static, addressed, self._inputs[0].dtype),
                *(self._result_shape, self.spec.dtype, count, self._recycled),
            )
        results = run_native(program, operands, self._result_shape, self.spec.dtype, self._recycled)
        if addressed:
            hold(results[0], storages)
        status = np.asarray(results[1]) if self._kernel.reports else None
        return self._stored(results[0]), status

    def _stored(self, array: Any) -> Storage:
        if not self.spec.uniform:
            return Packed(array, np.asarray(self._out_extent), self._recycled)
        if self.spec.batched:
            return Dense(array, recyclable=self._recycled)
        # Dropping the leading axis on the host costs no program.
        return Dense(np.asarray(array)[0], batched=False)

    def _run_sampled(self, storages: Sequence[Storage]) -> Storage:
        with jax.enable_x64(True) if self._wide else contextlib.nullcontext():
            if self._kernel.pointwise and self._is_flat(storages):
                return self._run_flat(storages)
            return self._run_mapped(storages)

    def _is_flat(self, storages: Sequence[Storage]) -> bool:
        """Whether all that is not a scalar lies in flat buffers, element beside element."""
        extents = [np.asarray(self._out_extent)]
        for spec, storage in zip(self._inputs, storages, strict=True):
            if type(storage) is Packed and spec.batched == self.spec.batched:
                extents.append(storage.extent)
            elif type(storage) is not Dense or spec.ndim:
                return False
        return len(extents) > 1 and all(np.array_equal(e, extents[0]) for e in extents[1:])

    def _run_flat(self, storages: Sequence[Storage]) -> Storage:
        extent = np.asarray(self._out_extent)
        kinds = tuple(
            "flat" if type(s) is Packed else "each" if spec.batched else "one"
            for spec, s in zip(self._inputs, storages, strict=True)
        )
        buffers = [s for s in storages if type(s) is Packed]
        program = flat_program(self._kernel, self._static, kinds, self.spec.dtype)
        ends = buffers[0].offsets[1:].astype(np.int32)
        return Packed(program([s.array for s in storages], ends, self._tables), extent)

    def _run_mapped(self, storages: Sequence[Storage]) -> Storage:
        extent = np.asarray(self._out_extent)
        slot = _slot(self.spec.shape, extent)
        on_device = self.spec.device != Device.CPU
        if on_device and len(storages) == 1 and type(storages[0]) is Packed:
            result = self._run_packed(storages[0], extent, slot)
        else:
            result = self._run_slotted(storages, extent, slot)
        if self.spec.uniform:
            return Dense(result if self.spec.batched else result[0], self.spec.batched)
        if self.spec.batched:
            return Padded(result, extent)
        return Padded(result[0], extent[0], batched=False)

    def _run_packed(self, storage: Packed, extent: np.ndarray, slot: tuple[int, ...]) -> Any:
        in_slot = _slot(self._inputs[0].shape, storage.extent)
        program = packed_program(self._kernel, self._static, in_slot, slot, self.spec.dtype)
        offsets = storage.offsets[:-1].astype(np.int32)
        return program(storage.array, offsets, storage.extent, extent, self._tables)

    def _run_slotted(
        self, storages: Sequence[Storage], extent: np.ndarray, slot: tuple[int, ...]
    ) -> Any:
        arrays, extents, constants, shared = [], [], [], []
        for spec, storage in zip(self._inputs, storages, strict=True):
            alone = not spec.batched and self.spec.batched
            shared.append(alone)
            if alone and not isinstance(storage, Dense):
                storage = Dense(storage.sample(0), batched=False)
            if isinstance(storage, Dense):
                arrays.append(storage.array if spec.batched or alone else storage.array[None])
                extents.append(np.zeros(0, np.int32))
                constants.append(tuple(storage.array.shape[1 if spec.batched else 0 :]))
                continue
            if not isinstance(storage, Padded):
                storage = padded(Batch._make(spec.replace(batched=True), storage), storage)
            arrays.append(storage.array if storage.batched else storage.array[None])
            extents.append(storage.extents(spec.shape, spec.count))
            constants.append(None)
        uniform = self.spec.uniform
        program = sampled_program(
            *(self._kernel, self._static, tuple(constants), tuple(shared)),
            *(slot if uniform else None, slot, self.spec.dtype, self.spec.count),
        )
        return program(arrays, extents, np.zeros(0, np.int32) if uniform else extent, self._tables)


def _slot(shape: Sequence[Any], extent: np.ndarray) -> tuple[int, ...]:
    """The slot that holds samples of these extents: exact where an axis is constant."""
    largest = extent.max(axis=0, initial=0)
    return tuple(
        int(c) if is_constant(c) else forms.bucket(int(n))
        for c, n in zip(shape, largest, strict=True)
    )


def _common_device(inputs: Sequence[Spec]) -> Device:
    """Where the work is done: on a device if any input is there."""
    for spec in inputs:
        if spec.device.device_type != "cpu":
            return spec.device
    return Device.CPU
