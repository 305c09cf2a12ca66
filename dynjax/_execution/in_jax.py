"""`InJax`: computes an output by its kernel's JAX form."""

from collections.abc import Sequence
from typing import Any, final

import jax
import numpy as np

from .._schema import Kernel
from .._types import storage as forms
from .._types.batch import Batch
from .._types.columns import is_constant
from .._types.data import padded
from .._types.device import Device
from .._types.dtypes import is_wide
from .._types.errors import OperatorError
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Padded, Storage
from .programs import result_buffer
from .sampled import flat_program, packed_program, sampled_program

_MAX_ELEMENTS = 2**31 - 1


@final
class InJax:
    """Computes an output by the program that suits the forms in which the samples are stored."""

    __slots__ = (
        *("_dense_program", "_extent", "_inputs", "_kernel", "_on_cpu", "_result_shape"),
        *("_reuses", "_spec", "_static", "_wide"),
    )

    def __init__(
        self,
        kernel: Kernel,
        static: tuple[tuple[str, Any], ...],
        inputs: Sequence[Spec],
        spec: Spec,
        result_shape: tuple[int, ...],
        extent: Any,
        recycled: bool,
    ):
        """Everything but the data.

        Args:
            kernel, static: see `Apply`.
            inputs, spec: descriptions of the inputs and of the output.
            result_shape: of the array that holds the output.
            extent: true sizes of the output's samples, int32 `[N, rank]`.
            recycled: whether such a result may take the memory of an earlier one.
        """
        self._kernel = kernel
        self._static = static
        self._inputs = inputs
        self._spec = spec
        self._result_shape = result_shape
        self._extent = extent
        self._on_cpu = spec.device == Device.CPU
        self._wide = is_wide(spec.dtype) or any(is_wide(s.dtype) for s in inputs)
        self._reuses = recycled and self._on_cpu and spec.batched
        self._dense_program: Any = None

    def __call__(self, storages: Sequence[Storage], tables: list[Any]) -> Storage:
        """The output, from the inputs and the tables of parameters."""
        if self._wide:
            with jax.enable_x64(True):
                return self._run(storages, tables)
        return self._run(storages, tables)

    def _run(self, storages: Sequence[Storage], tables: list[Any]) -> Storage:
        if self._spec.uniform and all(type(s) is Dense for s in storages):
            return self._dense(storages, tables)
        if self._kernel.pointwise and self._is_flat(storages):
            return self._flat(storages, tables)
        return self._mapped(storages, tables)

    def _operand(self, storage: Storage) -> Any:
        """The array of an input as a program takes it."""
        return storage.operand() if self._on_cpu else storage.array

    def _dense(self, storages: Sequence[Storage], tables: list[Any]) -> Storage:
        """Without extents: all samples of an input have one shape, those of the result too."""
        batched = self._spec.batched
        program = self._dense_program
        if program is None:
            program = self._dense_program = sampled_program(
                *(self._kernel, self._static),
                tuple(tuple(int(c) for c in s.shape) for s in self._inputs),
                tuple(not s.batched for s in self._inputs),
                *(self._result_shape[1:], self._result_shape[1:]),
                *(self._spec.dtype, self._spec.count, batched, self._reuses),
            )
        arrays = [self._operand(s) for s in storages]
        result = program(self._into(self._reuses), arrays, [None] * len(arrays), None, tables)
        return Dense(result, batched, self._reuses)

    def _into(self, reuses: bool) -> Any:
        """Memory for the result, or what holds a program on the CPU that reads NumPy arrays."""
        if not self._on_cpu:
            return None
        return result_buffer(self._result_shape, self._spec.dtype, reuses)

    def _is_flat(self, storages: Sequence[Storage]) -> bool:
        """Whether all that is not a scalar lies in flat buffers, element beside element."""
        extents = [np.asarray(self._extent)]
        for spec, storage in zip(self._inputs, storages, strict=True):
            if type(storage) is Packed and spec.batched == self._spec.batched:
                extents.append(storage.extent)
            elif type(storage) is not Dense or spec.ndim:
                return False
        return len(extents) > 1 and all(np.array_equal(e, extents[0]) for e in extents[1:])

    def _flat(self, storages: Sequence[Storage], tables: list[Any]) -> Storage:
        extent = np.asarray(self._extent)
        kinds = tuple(
            "flat" if type(s) is Packed else "each" if spec.batched else "one"
            for spec, s in zip(self._inputs, storages, strict=True)
        )
        if self._on_cpu:
            storages = forms.in_common_capacity(storages)
        packed = next(s for s in storages if type(s) is Packed)
        # The result's buffer is as long as the operands', whatever its own capacity would be.
        reuses = self._reuses and packed.array.shape == self._result_shape
        program = flat_program(self._kernel, self._static, kinds, self._spec.dtype, reuses)
        ends = None
        if tables or "each" in kinds:
            ends = _small_offsets(self._kernel, packed)[1:]
        result = program(self._into(reuses), [self._operand(s) for s in storages], ends, tables)
        return Packed(result, extent, reuses)

    def _mapped(self, storages: Sequence[Storage], tables: list[Any]) -> Storage:
        extent = np.asarray(self._extent)
        slot = _slot(self._spec.shape, extent)
        if not self._on_cpu and len(storages) == 1 and type(storages[0]) is Packed:
            result = self._packed_slots(storages[0], extent, slot, tables)
        else:
            result = self._slotted(storages, extent, slot, tables)
        if self._spec.uniform:
            return Dense(result, self._spec.batched)
        return Padded(result, extent if self._spec.batched else extent[0], self._spec.batched)

    def _packed_slots(
        self, storage: Packed, extent: np.ndarray, slot: tuple[int, ...], tables: list[Any]
    ) -> Any:
        in_slot = _slot(self._inputs[0].shape, storage.extent)
        program = packed_program(self._kernel, self._static, in_slot, slot, self._spec.dtype)
        offsets = _small_offsets(self._kernel, storage)[:-1]
        return program(storage.array, offsets, storage.extent, extent, tables)

    def _slotted(
        self,
        storages: Sequence[Storage],
        extent: np.ndarray,
        slot: tuple[int, ...],
        tables: list[Any],
    ) -> Any:
        arrays, extents, constants = [], [], []
        for spec, storage in zip(self._inputs, storages, strict=True):
            if not spec.batched and self._spec.batched and not isinstance(storage, Dense):
                storage = Dense(storage.sample(0), batched=False)
            if not isinstance(storage, Dense | Padded):
                storage = padded(Batch._make(spec.replace(batched=True), storage), storage)
            arrays.append(self._operand(storage))
            if isinstance(storage, Dense):
                extents.append(None)
                constants.append(tuple(storage.array.shape[1 if spec.batched else 0 :]))
            else:
                extents.append(storage.extents(spec.shape, spec.count))
                constants.append(None)
        uniform = self._spec.uniform
        program = sampled_program(
            *(self._kernel, self._static, tuple(constants)),
            tuple(not s.batched for s in self._inputs),
            *(slot if uniform else None, slot, self._spec.dtype, self._spec.count),
            self._spec.batched,
        )
        sizes = None if uniform else extent
        return program(self._into(False), arrays, extents, sizes, tables)


def _small_offsets(kernel: Kernel, storage: Packed) -> np.ndarray:
    """Where samples begin, and the last ends, int32: what compiled programs count with.

    Raises:
        OperatorError: the batch holds too many elements for that.
    """
    total = int(storage.offsets[-1])
    if total > _MAX_ELEMENTS:
        raise OperatorError(
            f"{kernel.name}: the batch holds {total} elements; a ragged batch of more than "
            f"{_MAX_ELEMENTS} cannot be computed at once. Split it."
        )
    return storage.offsets.astype(np.int32)


def _slot(shape: Sequence[Any], extent: np.ndarray) -> tuple[int, ...]:
    """The slot that holds samples of these extents: exact where an axis is constant."""
    largest = extent.max(axis=0, initial=0)
    return tuple(
        int(c) if is_constant(c) else forms.bucket(int(n))
        for c, n in zip(shape, largest, strict=True)
    )
