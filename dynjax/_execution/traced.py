"""An operator inside `jit`, `vmap` or `grad`: the same rule, on sizes that may be traced."""

import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from .._schema import Apply, Known, Operator
from .._types.batch import Batch
from .._types.columns import is_constant, table
from .._types.construct import as_data
from .._types.data import Data
from .._types.device import Device
from .._types.errors import ArgumentError
from .._types.spec import Spec
from .._types.storage import Dense, Padded
from .._types.tensor import Tensor
from .arguments import bind
from .calls import batching, check_nbytes, with_layout
from .embedded import embed
from .keys import take_key


def is_tracer(inputs: Sequence[Any], given: dict[str, Any]) -> bool:
    """Whether any input or argument is known only while a compiled program runs."""
    for value in inputs:
        if _traced(value):
            return True
    return any(_traced(v) for v in given.values())


def _traced(value: Any) -> bool:
    if isinstance(value, Data):
        storage = value._storage
        return storage is not None and storage.is_traced()
    return isinstance(value, Tracer)


def call_traced(record: Operator, inputs: tuple, batch_size: Any, given: dict[str, Any]) -> Any:
    """Calls an operator on traced values.

    Raises:
        TypeError: the operator runs on the host only.
        ArgumentError: the size of the result has no static bound.
    """
    if record.reads_data:
        raise TypeError(
            f"{record.name}: runs on the host only and cannot be used inside jit, vmap or grad. "
            "Call it before, and pass its result in."
        )
    key = take_key(record, given, traced=True) if record.random else None
    if key is not None:
        batch_size = key.batch_size(batch_size)
    data = [as_data(x) for x in inputs]
    count, batched = batching(record, data, batch_size, given)
    data = [_as_batch(d, count) for d in data] if batched else data
    specs = [with_layout(record, d.spec) for d in data]
    arguments = bind(record, given, count)
    if key is not None:
        arguments["key"] = key.columns(count)
    outputs = record.rule(*specs, **arguments)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    results = tuple(_applied(record, o, data, specs, count, batched) for o in outputs)
    return results[0] if len(results) == 1 else results


def _as_batch(data: Data, count: int) -> Data:
    if data.spec.batched:
        return data
    storage = data.storage
    assert isinstance(storage, Dense)
    array = jnp.broadcast_to(storage.array, (count, *storage.array.shape))
    return Batch._make(data.spec.replace(batched=True, count=count), Dense(array))


def _applied(record, output, data, specs: Sequence[Spec], count: int, batched: bool) -> Data:
    device = specs[0].device if specs else Device.CPU
    kind = Batch if batched else Tensor
    if isinstance(output, Known):
        values = table(output.columns, count, output.dtype)
        values = values if batched else values[0]
        shape = (len(output.columns),)
        spec = Spec(count, shape, output.dtype, output.layout, batched, device)
        return kind._make(spec, Dense(values, batched))
    arrays, extents, slots = _operands(data, specs)
    uniform = all(map(is_constant, output.shape))
    slot = tuple(
        int(c) if is_constant(c) else _bound(record, output, axis, c, slots)
        for axis, c in enumerate(output.shape)
    )
    check_nbytes(record, count * math.prod(slot) * output.dtype.itemsize)
    extent = slot if uniform else table(output.shape, count, np.int32)
    result = embed(
        *(output.kernel, output.static, arrays, extents, extent),
        *([table(t.columns, count, t.dtype) for t in output.tables], slot, output.dtype),
        count,
    )
    spec = Spec(count, tuple(output.shape), output.dtype, output.layout, batched, device)
    if uniform:
        return kind._make(spec, Dense(result if batched else result[0], batched))
    if batched:
        return kind._make(spec, Padded(result, extent))
    return kind._make(spec, Padded(result[0], extent[0], batched=False))


def _operands(data, specs) -> tuple[list, list, dict[int, int]]:
    """Arrays `[N, *slot]`, their extents, and the slot size behind each traced column."""
    arrays, extents, slots = [], [], {}
    for d, spec in zip(data, specs, strict=True):
        storage = d.storage
        array = storage.array if spec.batched else storage.array[None]
        arrays.append(array)
        if isinstance(storage, Dense):
            extents.append(tuple(int(c) for c in spec.shape))
        else:
            extents.append(storage.extents(spec.shape, spec.count))
            for column, size in zip(spec.shape, array.shape[1:], strict=True):
                if not is_constant(column):
                    slots[id(column)] = size
    return arrays, extents, slots


def _bound(record: Operator, output: Apply, axis: int, column: Any, slots: dict[int, int]) -> int:
    """The static size of an axis whose extent is traced."""
    if id(column) in slots:
        return slots[id(column)]
    if output.bound is not None and (bound := output.bound[axis]) is not None:
        return bound
    raise ArgumentError(
        f"{record.name}: inside jit the extent of axis {axis} of the result depends on data and "
        "has no bound. Give a size that is constant, or call it outside jit."
    )
