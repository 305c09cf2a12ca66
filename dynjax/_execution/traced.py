"""An operator inside `jit`, `vmap` or `grad`: the same rule, on sizes that may be traced."""

import math
from collections.abc import Sequence
from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.extend.core import get_opaque_trace_state

from .._schema import Apply, Known, Operator, Output
from .._types.batch import Batch
from .._types.columns import is_constant, table
from .._types.construct import as_data
from .._types.data import Data, padded
from .._types.device import Device
from .._types.errors import ArgumentError
from .._types.spec import Spec
from .._types.storage import Dense, Padded, with_array
from .._types.tensor import Tensor
from .arguments import bind
from .calls import batching, check_nbytes, with_layout
from .embedded import embed
from .keys import take_key
from .slots import extent_within, in_slots
from .threads import apply_num_threads
from .undecoded import begun, continued, is_undecoded


def is_tracer(inputs: Sequence[Any], given: dict[str, Any]) -> bool:
    """Whether any input or argument is known only while a compiled program runs."""
    for value in inputs:
        if _traced(value):
            return True
    return any(_traced(v) for v in given.values())


with jax.ensure_compile_time_eval():
    _OUTSIDE = get_opaque_trace_state()


def inside_transformation() -> bool:
    """Whether JAX is tracing or mapping a function in this thread, even if no argument shows it."""
    return get_opaque_trace_state() != _OUTSIDE


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
    if not record.traceable:
        raise _host_only(record)
    key = take_key(record, given, traced=True) if record.random else None
    if key is not None:
        batch_size = key.batch_size(batch_size)
    data = [narrowed(as_data(x, record.name)) for x in inputs]
    count, batched = batching(record, data, batch_size, given)
    data = [_as_batch(d, count) for d in data] if batched else data
    specs = [with_layout(record, d.spec) for d in data]
    arguments = bind(record, given, count)
    if key is not None:
        arguments["key"] = key.columns(count)
    if record.takes_traced:
        apply_num_threads()
        return begun(record, record.rule(*data, **arguments))
    outputs = record.rule(*specs, **arguments)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    if record.chain == "continues" and len(data) == 1 and is_undecoded(data[0]):
        return continued(record, data[0], outputs)
    operands = _Operands(data, specs)
    results = tuple(_applied(record, o, operands, count, batched) for o in outputs)
    return results[0] if len(results) == 1 else results


def _host_only(record: Operator) -> TypeError:
    return TypeError(
        f"{record.name}: runs on the host only and cannot be used inside jit, vmap or grad. "
        "Call it before, and pass its result in."
    )


def narrowed(data: Data) -> Data:
    """The same in JAX's current 32- or 64-bit mode, as everything inside `jit` is."""
    spec = data.spec
    dtype = np.dtype(jax.dtypes.canonicalize_dtype(spec.dtype))
    if dtype == spec.dtype:
        return data
    storage = data.storage
    array = storage.array
    if not storage.is_traced():
        array = np.asarray(array).astype(dtype)
    return data._make(spec.replace(dtype=dtype), with_array(storage, array))


def _as_batch(data: Data, count: int) -> Data:
    if data.spec.batched:
        return data
    storage = data.storage
    shape = data.spec.shape
    array = jnp.broadcast_to(storage.array, (count, *storage.array.shape))
    if isinstance(storage, Dense):
        return Batch._make(data.spec.replace(batched=True, count=count), Dense(array))
    extent = jnp.broadcast_to(storage.extents(shape, 1), (count, len(shape)))
    columns = tuple(c if is_constant(c) else extent[:, a] for a, c in enumerate(shape))
    spec = data.spec.replace(batched=True, count=count, shape=columns)
    return Batch._make(spec, Padded(array, extent))


@final
class _Operands:
    """The inputs of a traced call.

    Attributes:
        arrays: `[N, *slot]`.
        extents: of each its true sizes, `[N, rank]`, or a tuple if they are the same for all.
        slots: of each the size of its slot.
        device: where the inputs are.
    """

    def __init__(self, data: Sequence[Data], specs: Sequence[Spec]):
        self.arrays: list[Any] = []
        self.extents: list[Any] = []
        self.slots: list[tuple[int, ...]] = []
        self.device = specs[0].device if specs else Device.CPU
        self._of_column: dict[int, int] = {}
        for d, spec in zip(data, specs, strict=True):
            self._add(d, spec)

    def _add(self, data: Data, spec: Spec) -> None:
        storage = data.storage
        if not isinstance(storage, Dense | Padded):
            storage = padded(data, storage)
        array = storage.array if spec.batched else storage.array[None]
        slot = tuple(array.shape[1:])
        self.arrays.append(array)
        self.slots.append(slot)
        if isinstance(storage, Dense):
            self.extents.append(tuple(int(c) for c in spec.shape))
            return
        self.extents.append(storage.extents(spec.shape, spec.count))
        for column, size in zip(spec.shape, slot, strict=True):
            if not is_constant(column):
                self._of_column[id(column)] = min(size, self._of_column.get(id(column), size))

    def slot(self, record: Operator, output: Apply) -> tuple[int, ...]:
        """The static size of the result: that of a constant, of the same column, or a bound."""
        bound = output.bound(self.slots) if callable(output.bound) else output.bound
        sizes: list[int] = []
        for axis, column in enumerate(output.shape):
            if is_constant(column):
                size = int(column)
            else:
                size = self._of_column.get(id(column), None if bound is None else bound[axis])
            if size is None:
                raise ArgumentError(
                    f"{record.name}: inside jit the extent of axis {axis} of the result depends on "
                    "data and has no bound. Give a size that is constant or an argument that "
                    "limits it, such as max_size=, or call it outside jit."
                )
            sizes.append(size)
        return tuple(sizes)


def _applied(
    record: Operator, output: Output, operands: _Operands, count: int, batched: bool
) -> Data:
    kind = Batch if batched else Tensor
    dtype = np.dtype(jax.dtypes.canonicalize_dtype(output.dtype))
    if isinstance(output, Known):
        values = table(output.columns, count, dtype)
        values = values if batched else values[0]
        shape = (len(output.columns),)
        spec = Spec(count, shape, dtype, output.layout, batched, operands.device)
        return kind._make(spec, Dense(values, batched))
    if output.kernel.sample is None:
        raise _host_only(record)
    slot = operands.slot(record, output)
    check_nbytes(record, count * math.prod(slot) * dtype.itemsize)
    extent = extent_within(output, slot, count)
    result = embed(
        *(output.kernel, output.static, operands.arrays, operands.extents, extent),
        *([table(t.columns, count, t.dtype) for t in output.tables], slot, dtype),
        count,
    )
    return in_slots(result, extent, output, count, batched, operands.device)
