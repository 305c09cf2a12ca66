"""The eager call of an operator: bind, ask the rule, compute.

What depends only on the inputs' shapes and types and on constant arguments is done once for each
call signature and kept. Ragged batches of shapes not seen before take the long way, but share
their programs.
"""

from collections.abc import Sequence
from typing import Any, final

import jax
import numpy as np

from .. import _schema
from .._schema import Apply, Known, Operator
from .._statuses import sample_error
from .._types import storage as forms
from .._types.batch import Batch
from .._types.columns import is_constant, table
from .._types.construct import as_data
from .._types.data import Data, padded
from .._types.device import Device
from .._types.device import device as to_device_object
from .._types.errors import ArgumentError
from .._types.pending import Pending, at_call_site, call_site
from .._types.spec import Spec
from .._types.storage import Dense, Packed, Padded, Storage
from .._types.tensor import Tensor
from . import queue
from .arguments import NotConstantError, bind, frozen
from .calls import batching, with_layout
from .modes import EvalMode
from .programs import constant_operand, native_program, recycles, run_native
from .sampled import packed_program, sampled_program
from .traced import call_traced, is_tracer

# Work below this is done in place: handing it to the background thread costs as much.
INLINE_BYTES = 1 << 18


@final
class Step:
    """How one output is computed: everything but the input data."""

    __slots__ = (
        *("apply", "nbytes", "out_extent", "program_key", "recycled", "result_shape"),
        *("spec", "static", "tables"),
    )

    def __init__(self, apply: Apply, inputs: Sequence[Spec], batched: bool, constant: bool):
        count = inputs[0].count
        self.apply = apply
        device = inputs[0].device
        self.spec = Spec(count, tuple(apply.shape), apply.dtype, apply.layout, batched, device)
        self.static = tuple(apply.static.items())
        self.out_extent: Any = table(apply.shape, count, np.int32)
        self.tables: list[Any] = [table(t.columns, count, t.dtype) for t in apply.tables]
        if self.spec.uniform:
            sizes = tuple(int(c) for c in apply.shape)  # type: ignore[arg-type]
            self.result_shape = (count, *sizes) if batched else sizes
        else:
            elements = int(self.out_extent.prod(axis=1, dtype=np.int64).sum())
            self.result_shape = (forms.capacity(elements),)
        self.recycled = recycles(self.result_shape, apply.dtype)
        self.nbytes = int(np.prod(self.result_shape, dtype=np.int64)) * apply.dtype.itemsize
        if constant:  # the step will be used again, and not only for these very shapes
            where = device.jax_device
            self.out_extent = constant_operand(self.out_extent, where)
            self.tables = [constant_operand(t, where) for t in self.tables]

    def run(self, inputs: Sequence[Spec], storages: Sequence[Storage]) -> tuple[Storage, Any]:
        """Computes the output; also the status table of kernels that report one."""
        if self.apply.kernel.native and self.spec.device.device_type == "cpu":
            return self._run_native(inputs, storages)
        return self._run_sampled(inputs, storages), None

    def _run_native(self, inputs, storages) -> tuple[Storage, Any]:
        # A JAX array of constant shape is an ordinary operand; anything else is read by address.
        addressed = not all(type(s) is Dense and isinstance(s.array, jax.Array) for s in storages)
        operands = []
        for spec, storage in zip(inputs, storages, strict=True):
            storage = forms.without_gaps(storage)
            if addressed:
                addresses = storage.addresses(spec.count)
                operands.append(addresses.view(np.int32).reshape(spec.count, 2))
            else:
                operands.append(storage.array if spec.batched else storage.array[None])
            operands.append(storage.extents(spec.shape, spec.count))
        kernel = self.apply.kernel
        shape, dtype = self.result_shape, self.spec.dtype
        result_shape = shape if self.spec.batched or not self.spec.uniform else (1, *shape)
        program = native_program(
            *(kernel, self.static, addressed, inputs[0].dtype, result_shape, dtype),
            *(self.spec.count, self.recycled),
        )
        operands += [self.out_extent, *self.tables]
        results = run_native(program, operands, result_shape, dtype, self.recycled)
        status = np.asarray(results[1]) if kernel.reports else None
        return self._stored(results[0]), status

    def _run_sampled(self, inputs, storages) -> Storage:
        extent = np.asarray(self.out_extent)
        slot = tuple(
            int(c) if is_constant(c) else forms.bucket(int(n))
            for c, n in zip(self.spec.shape, extent.max(axis=0, initial=0), strict=True)
        )
        on_device = self.spec.device != Device.CPU
        if on_device and len(storages) == 1 and type(storages[0]) is Packed:
            result = self._run_packed(inputs[0], storages[0], extent, slot)
        else:
            result = self._run_slotted(inputs, storages, extent, slot)
        if self.spec.uniform:
            return Dense(result if self.spec.batched else result[0], self.spec.batched)
        if self.spec.batched:
            return Padded(result, extent)
        return Padded(result[0], extent[0], batched=False)

    def _run_packed(self, spec: Spec, storage: Packed, extent, slot) -> Any:
        in_slot = tuple(
            int(c) if is_constant(c) else forms.bucket(int(n))
            for c, n in zip(spec.shape, storage.extent.max(axis=0, initial=0), strict=True)
        )
        kernel = self.apply.kernel
        program = packed_program(kernel, self.static, in_slot, slot, self.spec.dtype)
        offsets = storage.offsets[:-1].astype(np.int32)
        return program(storage.array, offsets, storage.extent, extent, self.tables)

    def _run_slotted(self, inputs, storages, extent, slot) -> Any:
        arrays, extents, constants = [], [], []
        for spec, storage in zip(inputs, storages, strict=True):
            if isinstance(storage, Dense):
                arrays.append(storage.array if spec.batched else storage.array[None])
                extents.append(np.zeros(0, np.int32))
                constants.append(tuple(int(c) for c in spec.shape))
                continue
            if not isinstance(storage, Padded):
                storage = padded(Batch._make(spec.replace(batched=True), storage), storage)
            arrays.append(storage.array if storage.batched else storage.array[None])
            extents.append(storage.extents(spec.shape, spec.count))
            constants.append(None)
        uniform = self.spec.uniform
        program = sampled_program(
            *(self.apply.kernel, self.static, tuple(constants)),
            *(slot if uniform else None, slot, self.spec.dtype),
        )
        return program(arrays, extents, np.zeros(0, np.int32) if uniform else extent, self.tables)

    def _stored(self, array: Any) -> Storage:
        if not self.spec.uniform:
            return Packed(array, np.asarray(self.out_extent), self.recycled)
        if self.spec.batched:
            return Dense(array, recyclable=self.recycled)
        # Dropping the leading axis on the host costs no program.
        return Dense(np.asarray(array)[0], batched=False)


@final
class Prepared:
    """The outputs of one call signature."""

    __slots__ = ("nbytes", "outputs", "prepare", "specs")

    def __init__(self, outputs: Sequence[Step | Known], specs: Sequence[Spec], prepare):
        self.outputs = outputs
        self.specs = specs
        self.prepare = prepare
        self.nbytes = sum(o.nbytes for o in outputs if isinstance(o, Step))


_prepared: dict[Any, Prepared] = {}
_MAX_PREPARED = 4096


def call(record: Operator, inputs: tuple, batch_size, device, given: dict[str, Any]) -> Any:
    """Calls an operator; see `_schema.Operator`."""
    if is_tracer(inputs, given):
        return call_traced(record, inputs, batch_size, given)
    if not record.min_inputs <= len(inputs) <= record.max_inputs:
        expected = _input_range(record)
        raise TypeError(f"{record.name}: got {len(inputs)} inputs; expected {expected}.")
    data = [_input(record, x) for x in inputs]
    target = _target(record, data, device)
    try:
        prepared, data = _prepare(record, data, batch_size, given)
    except (RuntimeError, ValueError, IndexError) as error:
        if getattr(error, "at_call", False) or _synchronous(data):
            raise
        return _failed(record, error, data)
    results = _compute(record, prepared, data, target)
    return results[0] if len(results) == 1 else results


_schema.set_caller(call)


def _input_range(record: Operator) -> str:
    low, high = record.min_inputs, record.max_inputs
    return str(low) if low == high else f"{low} to {high}"


def _input(record: Operator, value: Any) -> Data:
    if isinstance(value, Data):
        return value
    if value is None:
        raise TypeError(f"{record.name}: an input is None; expected data.")
    return as_data(value)


def _target(record: Operator, data: Sequence[Data], device: Any) -> Device | None:
    """Where the results shall go, if not where the inputs are."""
    if device is None:
        return None
    target = to_device_object(device)
    assert target is not None
    if target.device_type not in record.devices:
        raise ArgumentError(
            f'Invalid device "{target}" for operator `{record.name}`; it runs on '
            f"{', '.join(record.devices)}."
        )
    return target


def _synchronous(data: Sequence[Data]) -> bool:
    return EvalMode.current() >= EvalMode.sync_cpu or any(d.external for d in data)


def _failed(record: Operator, error: Exception, data: Sequence[Data]) -> Any:
    """Outputs of a call that failed: the error waits for whoever uses them."""
    at_call_site(error, call_site())
    kind = Batch if any(isinstance(d, Batch) for d in data) else Tensor
    results = [kind._make(None, None, Pending.failed(error)) for _ in range(record.outputs)]
    return results[0] if len(results) == 1 else tuple(results)


def _prepare(record, data, batch_size, given) -> tuple[Prepared, Sequence[Data]]:
    """The outputs' descriptions, from the cache if the call's signature has been seen."""
    key = _signature(record, data, batch_size, given)
    if key is not None and (known := _prepared.get(key)) is not None:
        return known, data
    count, batched = batching(record, data, batch_size, given)
    if batched:
        data = [_repeated(d, count) for d in data]
    specs = [with_layout(record, d.spec) for d in data]
    arguments = bind(record, given, count)
    first = data if record.reads_data else specs
    outputs = record.rule(*first, **arguments)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    prepare = outputs[0].prepared if isinstance(outputs[0], Apply) else None
    constant = key is not None and all(s.uniform for s in specs)
    steps = [Step(o, specs, batched, constant) if isinstance(o, Apply) else o for o in outputs]
    prepared = Prepared(steps, specs, prepare)
    if key is not None:
        if len(_prepared) >= _MAX_PREPARED:
            del _prepared[next(iter(_prepared))]
        _prepared[key] = prepared
    return prepared, data


def _signature(record, data, batch_size, given) -> Any:
    """A cache key of the call, or None if what it computes depends on data."""
    if record.reads_data or batch_size is not None:
        return None
    try:
        parts: list[Any] = [record]
        for d in data:
            key = d.spec.key
            if key is None:
                return None
            parts.append(key)
        for name, value in given.items():
            parts.append(name)
            parts.append(frozen(value))
        return tuple(parts)
    except NotConstantError:
        return None


def _repeated(data: Data, count: int) -> Data:
    """A tensor as a batch in which every sample is that tensor."""
    if data.spec.batched:
        return data
    sample = data._dense_host()
    array = np.repeat(sample[None], count, axis=0)
    shape = tuple(array.shape[1:])
    spec = Spec(count, shape, data.spec.dtype, data.spec.layout, True, Device.CPU)
    return Batch._make(spec, Dense(array), source=None, external=data.external)


def _compute(
    record: Operator, prepared: Prepared, data: Sequence[Data], target: Device | None
) -> tuple[Data, ...]:
    """Runs the steps now, or in the background if they are large."""
    mode = EvalMode.current()
    small = prepared.nbytes < INLINE_BYTES and all(d.pending is None for d in data)
    if small or mode >= EvalMode.sync_cpu or any(d.external for d in data):
        results = _run(record, prepared, data, target)
        return tuple(
            _wrapped(o, data, target, storage=r)
            for o, r in zip(prepared.outputs, results, strict=True)
        )
    pending = [Pending() for _ in prepared.outputs]
    site = call_site()

    def task():
        try:
            results = _run(record, prepared, data, target)
        except Exception as error:
            at_call_site(error, site)
            for p in pending:
                p.set_error(error)
        else:
            for p, result in zip(pending, results, strict=True):
                p.set_value(result)
        finally:
            site.clear()

    outputs = tuple(
        _wrapped(o, data, target, pending=p) for o, p in zip(prepared.outputs, pending, strict=True)
    )
    queue.submit(task, prepared.nbytes)
    return outputs


def _run(record, prepared: Prepared, data, target: Device | None) -> list[Storage]:
    storages = [d.storage for d in data]
    if prepared.prepare is not None and (own := prepared.prepare()) is not None:
        storages = own
    results = []
    for output in prepared.outputs:
        if isinstance(output, Known):
            result = _known(output, data[0].spec.batched, data[0].spec.count)
        else:
            result, status = output.run(prepared.specs, storages)
            if status is not None and status[:, 0].any():
                raise sample_error(record.name, status, data[0].source)
        results.append(result if target is None else _placed(result, target))
    return results


def _placed(storage: Storage, target: Device) -> Storage:
    if target == Device.CPU:
        return forms.to_host(storage)
    return forms.to_device(storage, target.jax_device)


def _known(output: Known, batched: bool, count: int) -> Storage:
    values = table(output.columns, count, output.dtype)
    return Dense(values if batched else values[0], batched)


def _wrapped(output: Step | Known, data, target, storage=None, pending=None) -> Data:
    if isinstance(output, Known):
        first = data[0].spec
        shape = (len(output.columns),)
        spec = Spec(first.count, shape, output.dtype, output.layout, first.batched, Device.CPU)
    else:
        spec = output.spec
    if target is not None:
        spec = spec.replace(device=target)
    kind = Batch if spec.batched else Tensor
    source = data[0].source if data else None
    return kind._make(spec, storage, pending, source)
