"""The eager call of an operator: bind, ask the rule, compute.

What depends only on the inputs' shapes and types and on constant arguments is done once for each
call signature and kept. Ragged batches of shapes not seen before take the long way, but share
their programs.
"""

import functools
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
from .arguments import NotConstantError, bind, frozen, late_inputs
from .calls import batching, check_nbytes, with_layout
from .context import chosen_num_threads, limited
from .deferred import DeferredCall
from .keys import CallKey, LazyKeys, take_key
from .modes import is_deferred, is_synchronous
from .step import Step
from .traced import call_traced, inside_transformation, is_tracer

# Work below this (bytes read, and bytes written times the kernel's cost) is done in place: handing
# it to the background thread takes as long.
INLINE_WORK = 1 << 18


@final
class Prepared:
    """The outputs of one call signature.

    Attributes:
        outputs: how each is computed.
        specs: their descriptions.
        count, batched: see `batching`.
        prepare: gives the inputs to use instead of the call's; see `Apply.prepared`.
        nbytes: size of the results in memory.
        keyed: whether a step needs the keys of a random operator's samples.
        small: whether the work is better done in place.
        joins: whether the call may become part of a larger compiled program.
    """

    __slots__ = (
        *("batched", "count", "joins", "keyed", "nbytes", "outputs", "prepare", "small", "specs"),
    )

    def __init__(
        self,
        outputs: Sequence[Step | Known],
        inputs: Sequence[Spec],
        count: int,
        batched: bool,
        prepare: Any,
    ):
        self.outputs = outputs
        self.specs = [_spec(o, count, batched) for o in outputs]
        self.count = count
        self.batched = batched
        self.prepare = prepare
        steps = [o for o in outputs if isinstance(o, Step)]
        self.nbytes = sum(o.nbytes for o in steps)
        self.keyed = any(o.keyed for o in steps)
        uniform = all(s.uniform for s in inputs)
        self.joins = uniform and len(steps) == len(outputs) and all(o.joins for o in steps)
        work = sum(s.nbytes for s in inputs) + sum(o.nbytes * o.cost for o in steps)
        self.small = work < INLINE_WORK


def _spec(output: Step | Known, count: int, batched: bool) -> Spec:
    if isinstance(output, Step):
        return output.spec
    shape = (len(output.columns),)
    return Spec(count, shape, output.dtype, output.layout, batched, Device.CPU)


_prepared: dict[Any, Prepared] = {}
_prepared_lock = threading.Lock()  # for writers: two threads may evict at once
_MAX_PREPARED = 4096


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
    data = [x if isinstance(x, Data) else _input(record, x) for x in inputs]
    for d in data:
        d.settle()
    target = None if device is None else _target(record, device)
    key = take_key(record, given, traced=False) if record.random else None
    try:
        if record.reads_data and batch_size is not None:
            data = _repeated(record, data, batch_size)
        prepared = _prepare(record, data, batch_size, given, key)
    except (RuntimeError, ValueError, IndexError) as error:
        if getattr(error, "at_call", False) or _synchronous(data):
            raise
        return _failed(record, error, data, batch_size is not None)
    if prepared.joins and is_deferred() and target is None and not _synchronous(data):
        results = _deferred(record, prepared, data, batch_size, given, key)
    else:
        results = _compute(record, prepared, data, target, key)
    return results[0] if len(results) == 1 else tuple(results)


def joins(record: Operator, inputs: Sequence[Any], batch_size: Any, given: dict[str, Any]) -> bool:
    """Whether a call may become part of a larger compiled program."""
    if record.reads_data:
        return False
    try:
        if record.late_inputs:
            inputs, given = late_inputs(record, tuple(inputs), given)
        data = [x if isinstance(x, Data) else _input(record, x) for x in inputs]
        key = take_key(record, dict(given), traced=False) if record.random else None
        given = {name: v for name, v in given.items() if name not in ("key", "rng")}
        return _prepare(record, data, batch_size, given, key).joins
    except (RuntimeError, ValueError, TypeError, IndexError):
        return False


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
        lambda inputs: _limited_run(threads, record, prepared, inputs, None, key),
    )
    return call.hand_out(lambda pending: _wrapped(prepared, data, None, None, pending))


_schema.set_caller(call)


def _input_range(record: Operator) -> str:
    low, high = record.min_inputs, record.max_inputs
    return str(low) if low == high else f"{low} to {high}"


def _input(record: Operator, value: Any) -> Data:
    if type(value) in (int, float, bool):
        return _number(value)
    if value is None:
        raise TypeError(f"{record.name}: an input is None; expected data.")
    return as_data(value, record.name)


@functools.lru_cache(maxsize=1024, typed=True)
def _number(value: float) -> Data:
    """A Python number as an operand, which expressions like `2 * a` repeat."""
    return as_data(value)


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


def _prepare(record, data, batch_size, given, call_key: CallKey | None) -> Prepared:
    """The outputs' descriptions, from the cache if the call's signature has been seen."""
    if call_key is not None:
        batch_size = call_key.batch_size(batch_size)
    key = _signature(record, data, batch_size, given)
    if key is not None and (known := _prepared.get(key)) is not None:
        return known
    count, batched = batching(record, data, batch_size, given)
    keys: LazyKeys | None = None
    specs = [with_layout(record, d.spec) for d in data]
    try:
        arguments = bind(record, given, count)
    except ValueError as error:
        raise at_call(error) from error.__cause__
    if call_key is not None:
        arguments["key"] = keys = LazyKeys(call_key, count)
    first = data if record.reads_data else specs
    outputs = record.rule(*first, **arguments)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    prepare = outputs[0].prepared if isinstance(outputs[0], Apply) else None
    # What a rule made of the keys of one call does not serve the next one.
    kept = key is not None and (keys is None or _independent(keys, outputs))
    steps = [Step(o, specs, count, batched, kept) if isinstance(o, Apply) else o for o in outputs]
    prepared = Prepared(steps, specs, count, batched, prepare)
    check_nbytes(record, prepared.nbytes)
    if kept:
        with _prepared_lock:
            if len(_prepared) >= _MAX_PREPARED:
                del _prepared[next(iter(_prepared))]
            _prepared[key] = prepared
    return prepared


def _independent(keys: LazyKeys, outputs: Sequence[Apply | Known]) -> bool:
    """Whether the outputs are described without looking at the keys of this call."""
    return not keys.read and all(isinstance(o, Apply) and o.host is None for o in outputs)


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
    if record.reads_data:
        return None
    parts: list[Any] = [record]
    for d in data:
        key = d.spec.key
        if key is None:
            return None
        parts.append(key)
    try:
        parts.append(frozen(batch_size))
        for name, value in given.items():
            parts.append(name)
            parts.append(frozen(value))
    except NotConstantError:
        return None
    return tuple(parts)


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
        results = _limited_run(chosen_num_threads(), record, prepared, data, target, key)
    except Exception as error:
        if wait:
            raise
        at_call_site(error, call_site())
        failed = Pending.failed(error)
        return _wrapped(prepared, data, target, None, [failed] * len(prepared.outputs))
    if wait:
        for storage in results:
            _wait(storage)
    return _wrapped(prepared, data, target, results, None)


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
            results = _limited_run(threads, record, prepared, data, target, key)
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

    outputs = _wrapped(prepared, data, target, None, pending)
    queue.submit(task, prepared.nbytes, abandon)
    return outputs


def _wait(storage: Storage) -> None:
    if isinstance(storage.array, jax.Array):
        storage.array.block_until_ready()


def _limited_run(threads: int, *call: Any) -> list[Storage]:
    """`_run` on so many threads; 0 for the process's number."""
    if not threads:
        return _run(*call)
    with limited(threads):
        return _run(*call)


def _run(
    record: Operator,
    prepared: Prepared,
    data: Sequence[Data],
    target: Device | None,
    key: CallKey | None,
) -> list[Storage]:
    storages: Sequence[Any] = [d.storage for d in data]
    if prepared.prepare is not None and (own := prepared.prepare()) is not None:
        storages = own
    keys = None if key is None or not prepared.keyed else key.table(prepared.count)
    results = []
    for output in prepared.outputs:
        if isinstance(output, Known):
            result = _known(output, prepared.batched, prepared.count)
        else:
            if output.check is not None:
                output.check([np.asarray(s.array) for s in storages])
            result, status = output.run(storages, keys)
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
    prepared: Prepared,
    data: Sequence[Data],
    target: Device | None,
    storages: Sequence[Storage] | None,
    pending: Sequence[Pending] | None,
) -> list[Data]:
    """The outputs, with either their storages or what will deliver them."""
    source = _source(data, prepared.batched)
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
