"""The eager call of an operator: bind, ask the rule, compute.

Small work is done in the caller, large work in the background.
"""

from collections.abc import Sequence
from typing import Any

import jax

from .. import _schema
from .._schema import Operator
from .._types.batch import Batch
from .._types.call_sites import at_call_site, call_site
from .._types.data import Data
from .._types.device import Device
from .._types.device import device as to_device_object
from .._types.errors import ArgumentError, OperatorError
from .._types.pending import Pending
from .._types.storage import Storage
from .._types.tensor import Tensor
from . import queue
from .arguments import late_inputs
from .context import chosen_num_threads
from .deferred import DeferredCall
from .keys import CallKey, take_key
from .modes import is_deferred, is_synchronous
from .preparation import Prepared, as_input, prepare, repeated
from .running import run, wait_for
from .traced import call_traced, inside_transformation, is_tracer


def call(record: Operator, inputs: tuple, batch_size, device, given: dict[str, Any]) -> Any:
    """Calls an operator; see `_schema.Operator`."""
    if not record.min_inputs <= len(inputs) <= record.max_inputs:
        expected = _input_range(record)
        raise TypeError(f"{record.name}: got {len(inputs)} inputs; expected {expected}.")
    if record.late_inputs:
        inputs, given = late_inputs(record, inputs, given)
    if is_tracer(inputs, given):
        return call_traced(record, inputs, batch_size, given)
    if inside_transformation():
        # Otherwise the programs would become part of the function that is being traced.
        with jax.ensure_compile_time_eval():
            return _call(record, inputs, batch_size, device, given)
    return _call(record, inputs, batch_size, device, given)


def _call(record: Operator, inputs: tuple, batch_size, device, given: dict[str, Any]) -> Any:
    """The call on data that exist."""
    data = [x if isinstance(x, Data) else as_input(record, x) for x in inputs]
    for d in data:
        d.settle()
    target = None if device is None else _target(record, device)
    key = take_key(record, given, traced=False) if record.random else None
    try:
        if record.reads_data and batch_size is not None:
            data = repeated(record, data, batch_size)
        prepared = prepare(record, data, batch_size, given, key)
    except (RuntimeError, ValueError, IndexError) as error:
        if getattr(error, "at_call", False) or _synchronous(data):
            raise
        return _failed(record, error, data, batch_size is not None)
    if prepared.joins and is_deferred() and target is None and not _synchronous(data):
        results = _deferred(record, prepared, data, batch_size, given, key)
    else:
        results = _compute(record, prepared, data, target, key)
    return results[0] if len(results) == 1 else tuple(results)


def _deferred(
    record: Operator,
    prepared: Prepared,
    data: Sequence[Data],
    batch_size: Any,
    given: dict[str, Any],
    key: CallKey | None,
) -> list[Data]:
    """Outputs that are computed when they are used."""
    threads = chosen_num_threads()
    call = DeferredCall(
        *(record, list(data), batch_size, given, key, prepared.specs),
        lambda inputs: run(threads, record, prepared, inputs, None, key),
    )
    return call.hand_out(lambda pending: wrapped(prepared, data, None, None, pending))


_schema.set_caller(call)


def _input_range(record: Operator) -> str:
    low, high = record.min_inputs, record.max_inputs
    return str(low) if low == high else f"{low} to {high}"


def _target(record: Operator, device: Any) -> Device:
    """Where the results shall go."""
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
    return is_synchronous()


def _failed(record: Operator, error: Exception, data: Sequence[Data], batched: bool) -> Any:
    """Outputs of a call that failed: the error waits for whoever uses them."""
    at_call_site(error, call_site())
    kind = Batch if batched or any(isinstance(d, Batch) for d in data) else Tensor
    results = [kind._make(None, None, Pending.failed(error)) for _ in range(record.outputs)]
    return results[0] if len(results) == 1 else tuple(results)


def _compute(
    record: Operator,
    prepared: Prepared,
    data: Sequence[Data],
    target: Device | None,
    key: CallKey | None,
) -> list[Data]:
    """Runs the steps now, or in the background if they are large."""
    wait = _synchronous(data)
    if not wait and not (prepared.small and _all_exist(data)):
        return _in_background(record, prepared, data, target, key)
    try:
        results = run(chosen_num_threads(), record, prepared, data, target, key)
    except Exception as error:
        if wait:
            raise
        at_call_site(error, call_site())
        failed = Pending.failed(error)
        return wrapped(prepared, data, target, None, [failed] * len(prepared.outputs))
    if wait:
        for storage in results:
            wait_for(storage)
    return wrapped(prepared, data, target, results, None)


def _all_exist(data: Sequence[Data]) -> bool:
    """Whether no input is still being computed."""
    for d in data:  # noqa: SIM110 a generator costs more than this loop
        if d.pending is not None:
            return False
    return True


def _in_background(
    record: Operator,
    prepared: Prepared,
    data: Sequence[Data],
    target: Device | None,
    key: CallKey | None,
) -> list[Data]:
    pending = [Pending() for _ in prepared.outputs]
    threads = chosen_num_threads()
    site = call_site()

    def task():
        try:
            results = run(threads, record, prepared, data, target, key)
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

    outputs = wrapped(prepared, data, target, None, pending)
    queue.submit(task, prepared.nbytes, abandon)
    return outputs


def wrapped(
    prepared: Prepared,
    data: Sequence[Data],
    target: Device | None,
    storages: Sequence[Storage] | None,
    pending: Sequence[Pending] | None,
) -> list[Data]:
    """The outputs, with either their storages or what will deliver them.

    Args:
        prepared: what is known of the call.
        data: its inputs.
        target: the device that the results were placed on; None: where they were computed.
        storages: of the results, if they are there.
        pending: what delivers them otherwise.
    """
    source = _source(data, prepared.batched) if prepared.source is None else prepared.source
    results = []
    for k, spec in enumerate(prepared.specs):
        kind = Batch if spec.batched else Tensor
        if target is not None:
            spec = spec.replace(device=target)
        storage = None if storages is None else storages[k]
        results.append(kind._make(spec, storage, None if pending is None else pending[k], source))
    return results


def _source(data: Sequence[Data], batched: bool) -> Any:
    """Which samples of a reader the results belong to: those of the first input of their form."""
    for d in data:
        if d.spec.batched == batched:
            return d.source
    return None
