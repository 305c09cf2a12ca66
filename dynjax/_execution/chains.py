"""Calls that take pictures from their files to the result, as one native call."""

from collections.abc import Mapping, Sequence
from typing import Any, final

from .._ops._lib.picture_chain import chained
from .._schema import Apply, Operator
from .._types.batch import Batch
from .._types.data import Data
from .._types.device import Device
from .._types.spec import Spec
from .._types.tensor import Tensor
from .arguments import late_inputs
from .calls import batching, check_nbytes, with_layout
from .keys import take_key
from .preparation import Prepared, as_input, outputs_of, signature
from .recent import Recent
from .running import run
from .step import Step


@final
class ChainedCall:
    """One call of a chain.

    Attributes:
        inputs: data; the first one of a call that continues the chain is the result of the call
            before it, and None here.
        given: arguments; with the key of a random operator.
    """

    __slots__ = ("given", "inputs", "record")

    def __init__(self, record: Operator, inputs: Sequence[Any], given: Mapping[str, Any]):
        self.record = record
        self.inputs = inputs
        self.given = given


def run_chain(calls: Sequence[ChainedCall]) -> tuple[Data, list[Spec]] | None:
    """The last call's result, and the descriptions of all results.

    Returns:
        None: these calls cannot be joined.

    Raises:
        Exception: some call is wrong, or its data are. Which, and what of them, the calls say when
            they are made one by one.
    """
    first, files = calls[0].record, calls[0].inputs[0]
    files = files if isinstance(files, Data) else as_input(first, files)
    files.settle()
    count, batched = files.spec.count, isinstance(files, Batch)
    if files.spec.device != Device.CPU:
        return None
    read = with_layout(first, files.spec)
    parts: list[Apply] = []
    specs: list[Spec] = []
    data = files
    for call in calls:
        part = _part(call, data, files)
        if part is None:
            return None
        parts.append(part)
        shape = tuple(part.shape)
        specs.append(Spec(count, shape, part.dtype, part.layout, batched, Device.CPU))
        data = type(files)._make(specs[-1], None)  # its description is all that is asked for
    whole = chained(parts)
    if whole is None:
        return None
    step = Step(whole, [read], count, batched, False)
    prepared = Prepared([step], [read], count, batched, whole.prepared, whole.source)
    check_nbytes(calls[-1].record, prepared.nbytes)
    (storage,) = run(0, first, prepared, [files], None, None)
    kind = Batch if batched else Tensor
    return kind._make(prepared.specs[0], storage), specs


# What calls that go on a chain are, for shapes and arguments that were seen before.
_parts: Recent[Apply] = Recent(1024)


def _part(call: ChainedCall, data: Data, files: Data) -> Apply | None:
    """The only output of a call on `data`; `files` are those that it is made of."""
    record, inputs, given = call.record, tuple(call.inputs), dict(call.given)
    if record.late_inputs:
        inputs, given = late_inputs(record, inputs, given)
    call_key = take_key(record, given, traced=False) if record.random else None
    key = None if call_key is not None else signature(record, [data], None, given)
    if key is not None and (known := _parts.get(key)) is not None:
        return known
    size = None if call_key is None else call_key.batch_size(None)
    # Results have as many samples as the files; arguments may make a batch of one file.
    count, batched = batching(record, [files], size, given)
    if len(inputs) != 1 or (count, batched) != (files.spec.count, isinstance(files, Batch)):
        return None
    read = data if record.reads_data else with_layout(record, data.spec)
    outputs, _ = outputs_of(record, [read], count, given, call_key)
    part = outputs[0]
    if len(outputs) != 1 or not isinstance(part, Apply):
        return None
    if key is not None:
        _parts.put(key, part)
    return part
