"""What depends only on the inputs' shapes and types and on constant arguments, done once.

Ragged batches of shapes not seen before are described anew, but share their programs.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from .._schema import Apply, Known, Operator
from .._types.batch import Batch
from .._types.construct import as_data
from .._types.data import Data
from .._types.device import Device
from .._types.errors import ArgumentTypeError, at_call
from .._types.host import dense_batch
from .._types.spec import Spec
from .arguments import NotConstantError, bind, frozen, late_inputs
from .calls import batching, check_nbytes, with_layout
from .keys import AnyKey, LazyKeys, take_key
from .recent import Recent
from .step import Step
from .threads import apply_num_threads

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
        source: see `Apply.source`.
        joins: whether the call may become part of a larger compiled program.
        serves: whether it holds for every call of the signature.
    """

    __slots__ = (
        *(
            "batched",
            "count",
            "joins",
            "keyed",
            "nbytes",
            "outputs",
            "prepare",
            "serves",
            "small",
            "source",
            "specs",
        ),
    )

    def __init__(
        self,
        outputs: Sequence[Step | Known],
        inputs: Sequence[Spec],
        count: int,
        batched: bool,
        prepare: Any,
        source: Any,
    ):
        self.outputs = outputs
        self.source = source
        self.specs = [_spec(o, count, batched) for o in outputs]
        self.count = count
        self.batched = batched
        self.prepare = prepare
        steps = [o for o in outputs if isinstance(o, Step)]
        self.serves = False
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


_prepared: Recent[Prepared] = Recent(4096)


def as_input(record: Operator, value: Any) -> Data:
    kind = type(value)
    if kind is int or kind is bool or (kind is float and value):
        return _number(value)  # 0.0 and -0.0 would be one key
    if value is None:
        raise ArgumentTypeError(f"{record.name}: an input is None; expected data.")
    return as_data(value, record.name)


@functools.lru_cache(maxsize=1024, typed=True)
def _number(value: float) -> Data:
    """A Python number as an operand, which expressions like `2 * a` repeat."""
    return as_data(value)


def prepare(record, data, batch_size, given, call_key: AnyKey | None) -> Prepared:
    """The outputs' descriptions, from the cache if the call's signature has been seen."""
    if call_key is not None:
        batch_size = call_key.batch_size(batch_size)
    key = signature(record, data, batch_size, given)
    if key is not None and (known := _prepared.get(key)) is not None:
        return known
    count, batched = batching(record, data, batch_size, given)
    specs = [with_layout(record, d.spec) for d in data]
    outputs, keys = outputs_of(record, data if record.reads_data else specs, count, given, call_key)
    prepare = outputs[0].prepared if isinstance(outputs[0], Apply) else None
    source = outputs[0].source if isinstance(outputs[0], Apply) else None
    count = count if source is None else len(source)
    # What a rule made of the keys of one call does not serve the next one.
    kept = key is not None and (keys is None or _independent(keys, outputs))
    steps = [Step(o, specs, count, batched, kept) if isinstance(o, Apply) else o for o in outputs]
    prepared = Prepared(steps, specs, count, batched, prepare, source)
    check_nbytes(record, prepared.nbytes)
    if kept:
        prepared.serves = True
        _prepared.put(key, prepared)
    return prepared


def outputs_of(
    record: Operator,
    inputs: Sequence[Any],
    count: int,
    given: Mapping[str, Any],
    call_key: AnyKey | None,
) -> tuple[tuple[Apply | Known, ...], LazyKeys | None]:
    """What the rule says of a call.

    Args:
        record: the operator.
        inputs: their descriptions, or the data if the rule reads those.
        count: the number of samples.
        given: arguments, without key and generator.
        call_key: of a random operator.

    Returns:
        The outputs, and the keys that the rule was given.
    """
    try:
        arguments = bind(record, given, count)
    except ValueError as error:
        raise at_call(error) from error.__cause__
    keys = None
    if call_key is not None:
        arguments["key"] = keys = LazyKeys(call_key, count)
    if record.reads_data:
        apply_num_threads()  # some call native kernels
    outputs = record.rule(*inputs, **arguments)
    return (outputs if isinstance(outputs, tuple) else (outputs,)), keys


def _independent(keys: LazyKeys, outputs: Sequence[Apply | Known]) -> bool:
    """Whether the outputs are described without looking at the keys of this call."""
    return not keys.read and all(isinstance(o, Apply) and o.host is None for o in outputs)


def repeated(record: Operator, data: Sequence[Data], batch_size: Any) -> Sequence[Data]:
    """Tensors as batches that hold them again and again, for rules that look at every sample."""
    count, _ = batching(record, data, batch_size, {})
    return [
        d
        if isinstance(d, Batch)
        else dense_batch(np.repeat(d._dense_host()[None], count, axis=0), layout=d.layout)
        for d in data
    ]


def signature(record, data, batch_size, given) -> Any:
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


def joins(record: Operator, inputs: Sequence[Any], batch_size: Any, given: dict[str, Any]) -> bool:
    """Whether a call, of a random operator with its key, may become part of a larger program."""
    if record.reads_data or (record.random and given.get("key") is None):
        return False
    try:
        if record.late_inputs:
            inputs, given = late_inputs(record, tuple(inputs), given)
        data = [x if isinstance(x, Data) else as_input(record, x) for x in inputs]
        key = take_key(record, dict(given), traced=False) if record.random else None
        given = {name: v for name, v in given.items() if name not in ("key", "rng")}
        return prepare(record, data, batch_size, given, key).joins
    except (RuntimeError, ValueError, TypeError, IndexError):
        return False
