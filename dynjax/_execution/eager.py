"""The eager call of an operator: bind, ask the rule, compute.

What depends only on the inputs' shapes and types and on constant arguments is done once for each
call signature and kept. Ragged batches of shapes not seen before take the long way, but share
their programs.
"""

import threading
from collections.abc import Sequence
from typing import Any, final

import jax
import numpy as np

from .. import _schema
from .._schema import Apply, Known, Operator
from .._statuses import sample_error
from .._types import storage as forms
from .._types.batch import Batch
from .._types.columns import table
from .._types.construct import as_data
from .._types.data import Data
from .._types.device import Device
from .._types.device import device as to_device_object
from .._types.errors import ArgumentError, OperatorError, at_call
from .._types.host import dense_batch
from .._types.pending import Pending, at_call_site, call_site
from .._types.spec import Spec
from .._types.storage import Dense, Storage
from .._types.tensor import Tensor
from . import queue
from .arguments import NotConstantError, bind, frozen
from .calls import batching, check_nbytes, with_layout
from .context import chosen_num_threads, limited
from .keys import CallKey, take_key
from .modes import EvalMode
from .step import Step
from .traced import call_traced, is_tracer

# Work below this (bytes written, times the kernel's cost) is done in place: handing it to the
# background thread takes as long.
INLINE_WORK = 1 << 18


@final
class Prepared:
    """The outputs of one call signature."""

    __slots__ = ("batched", "count", "nbytes", "outputs", "prepare", "work")

    def __init__(self, outputs: Sequence[Step | Known], count: int, batched: bool, prepare: Any):
        self.outputs = outputs
        self.count = count
        self.batched = batched
        self.prepare = prepare
        steps = [o for o in outputs if isinstance(o, Step)]
        self.nbytes = sum(o.nbytes for o in steps)
        self.work = sum(o.nbytes * o.cost for o in steps)


_prepared: dict[Any, Prepared] = {}
_prepared_lock = threading.Lock()  # for writers: two threads may evict at once
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
    key = take_key(record, given, traced=False) if record.random else None
    try:
        if record.reads_data and batch_size is not None:
            data = _repeated(record, data, batch_size)
        prepared = _prepare(record, data, batch_size, given, key)
    except (RuntimeError, ValueError, IndexError) as error:
        if getattr(error, "at_call", False) or _synchronous(data):
            raise
        return _failed(record, error, data, batch_size is not None)
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
    """Whether the call must be over when it returns."""
    for d in data:
        if d.external:
            return True  # the user may change the input then
    return EvalMode.current() >= EvalMode.sync_cpu


def _failed(record: Operator, error: Exception, data: Sequence[Data], batched: bool) -> Any:
    """Outputs of a call that failed: the error waits for whoever uses them."""
    at_call_site(error, call_site())
    kind = Batch if batched or any(isinstance(d, Batch) for d in data) else Tensor
    results = [kind._make(None, None, Pending.failed(error)) for _ in range(record.outputs)]
    return results[0] if len(results) == 1 else tuple(results)


def _prepare(record, data, batch_size, given, call_key: CallKey | None) -> Prepared:
    """The outputs' descriptions, from the cache if the call's signature has been seen."""
    key = _signature(record, data, batch_size, given)
    if call_key is not None:
        batch_size = call_key.batch_size(batch_size)
    if key is not None and (known := _prepared.get(key)) is not None:
        return known
    count, batched = batching(record, data, batch_size, given)
    specs = [with_layout(record, d.spec) for d in data]
    try:
        arguments = bind(record, given, count)
    except ValueError as error:
        raise at_call(error) from error.__cause__
    if call_key is not None:
        arguments["key"] = call_key.columns(count)
    first = data if record.reads_data else specs
    outputs = record.rule(*first, **arguments)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    prepare = outputs[0].prepared if isinstance(outputs[0], Apply) else None
    kept = key is not None
    steps = [Step(o, specs, count, batched, kept) if isinstance(o, Apply) else o for o in outputs]
    prepared = Prepared(steps, count, batched, prepare)
    check_nbytes(record, prepared.nbytes)
    if key is not None:
        with _prepared_lock:
            if len(_prepared) >= _MAX_PREPARED:
                del _prepared[next(iter(_prepared))]
            _prepared[key] = prepared
    return prepared


def _repeated(record: Operator, data: Sequence[Data], batch_size: Any) -> Sequence[Data]:
    """Tensors as batches that hold them again and again, for rules that look at every sample."""
    count, _ = batching(record, data, batch_size, {})
    return [
        d
        if isinstance(d, Batch)
        else dense_batch(np.repeat(d._dense_host()[None], count, axis=0), layout=d.layout)
        for d in data
    ]


def _signature(record, data, batch_size, given) -> Any:
    """A cache key of the call, or None if what it computes depends on data."""
    if record.reads_data or record.random or batch_size is not None:
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


def _compute(
    record: Operator, prepared: Prepared, data: Sequence[Data], target: Device | None
) -> tuple[Data, ...]:
    """Runs the steps now, or in the background if they are large."""
    threads = chosen_num_threads()
    wait = _synchronous(data)
    if wait or _is_small(prepared, data):
        try:
            with limited(threads):
                results = _run(record, prepared, data, target)
        except Exception as error:
            if wait:
                raise
            at_call_site(error, call_site())
            failed = Pending.failed(error)
            return tuple(
                _wrapped(o, prepared, data, target, pending=failed) for o in prepared.outputs
            )
        if wait:
            for storage in results:
                _wait(storage)
        return tuple(
            _wrapped(o, prepared, data, target, storage=r)
            for o, r in zip(prepared.outputs, results, strict=True)
        )
    pending = [Pending() for _ in prepared.outputs]
    site = call_site()

    def task():
        try:
            with limited(threads):
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

    def abandon(why: str) -> None:
        for p in pending:
            p.abandon(OperatorError(f"{record.name}: never computed: {why}."))

    outputs = tuple(
        _wrapped(o, prepared, data, target, pending=p)
        for o, p in zip(prepared.outputs, pending, strict=True)
    )
    queue.submit(task, prepared.nbytes, abandon)
    return outputs


def _is_small(prepared: Prepared, data: Sequence[Data]) -> bool:
    """Whether the work is better done in place."""
    if prepared.work >= INLINE_WORK:
        return False
    for d in data:  # noqa: SIM110 a generator costs more than this loop
        if d.pending is not None:
            return False
    return True


def _wait(storage: Storage) -> None:
    if isinstance(storage.array, jax.Array):
        storage.array.block_until_ready()


def _run(record, prepared: Prepared, data, target: Device | None) -> list[Storage]:
    storages = [d.storage for d in data]
    if prepared.prepare is not None and (own := prepared.prepare()) is not None:
        storages = own
    results = []
    for output in prepared.outputs:
        if isinstance(output, Known):
            result = _known(output, prepared.batched, prepared.count)
        else:
            if output.check is not None:
                output.check([np.asarray(s.array) for s in storages])
            result, status = output.run(storages)
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


def _wrapped(
    output: Step | Known, prepared: Prepared, data, target, storage=None, pending=None
) -> Data:
    if isinstance(output, Known):
        shape = (len(output.columns),)
        spec = Spec(
            *(prepared.count, shape, output.dtype, output.layout, prepared.batched, Device.CPU)
        )
    else:
        spec = output.spec
    if target is not None:
        spec = spec.replace(device=target)
    kind = Batch if spec.batched else Tensor
    source = next((d.source for d in data if d.spec.batched == prepared.batched), None)
    return kind._make(spec, storage, pending, source)
