"""Decoding inside `jit` with what follows: steps are noted until one has a result of static size.

Then one native call takes each picture from its file to the last step's result, as in a captured
loop, and no slot for the largest picture is ever needed.
"""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._ops._lib.picture_chain import chained
from .._schema import Apply, Operator
from .._types.columns import is_constant, table
from .._types.data import Data
from .._types.device import Device
from .._types.errors import ArgumentError
from .._types.spec import Spec
from .._types.storage import Undecoded
from .calls import check_nbytes
from .programs import ffi_attributes
from .slots import extent_within, in_slots
from .threads import apply_num_threads

# Larger than any picture: a bound that depends on it is none.
_UNKNOWN = 1 << 30


def is_undecoded(data: Data) -> bool:
    """Whether it stands for pictures that are decoded with the steps that follow."""
    return type(data._storage) is Undecoded


def begun(record: Operator, data: Data) -> Data:
    """The result of decoding, which is computed if a window has given it a size.

    Args:
        record: the operator.
        data: what its rule gives: pictures, or what `is_undecoded`.
    """
    if not is_undecoded(data):
        return data
    files: Any = data._storage
    whole = chained(files.steps)
    assert whole is not None
    return _advanced(record, data, files.steps, whole)


def continued(record: Operator, data: Data, outputs: tuple[Any, ...]) -> Data:
    """The result of a step, which is computed if its size is known before the program runs.

    Args:
        record: the operator.
        data: its input, `is_undecoded`.
        outputs: what its rule says.

    Raises:
        ArgumentError: the step cannot follow decoding at once.
    """
    files: Any = data._storage
    steps = (*files.steps, *outputs)
    whole = chained(steps) if len(outputs) == 1 else None
    if whole is None:
        raise ArgumentError(
            f"{record.name}: inside jit it cannot be one step with decoding. Pass bound=(height, "
            "width) to decoders.image, or decode before and pass the pictures in."
        )
    return _advanced(record, data, steps, whole)


def _advanced(record: Operator, data: Data, steps: tuple[Any, ...], whole: Apply) -> Data:
    """The result of the last of the steps, which are `whole` together."""
    files: Any = data._storage
    before, last = data.spec, steps[-1]
    slot = _slot(last, before)
    if slot is None:
        shape, batched = tuple(last.shape), before.batched
        spec = Spec(before.count, shape, last.dtype, last.layout, batched, Device.CPU)
        return data._make(spec, Undecoded(files.array, files.extent, steps, files.decoder))
    check_nbytes(record, before.count * math.prod(slot) * last.dtype.itemsize)
    extent = extent_within(last, slot, before.count)
    result = _run(whole, files, extent, slot, before.count)
    return in_slots(result, extent, last, before.count, before.batched, Device.CPU)


def _slot(output: Apply, before: Spec) -> tuple[int, ...] | None:
    """The static size of a result; None if it depends on that of the pictures."""
    sizes = tuple(int(c) if is_constant(c) else _UNKNOWN for c in before.shape)
    bound = output.bound([sizes]) if callable(output.bound) else output.bound
    slot = []
    for axis, column in enumerate(output.shape):
        size = column if is_constant(column) else None if bound is None else bound[axis]
        if size is None or size >= _UNKNOWN:
            return None
        slot.append(int(size))
    return tuple(slot)


def _run(whole: Apply, files: Undecoded, extent: Any, slot: tuple[int, ...], count: int) -> Any:
    apply_num_threads()
    call = jax.ffi.ffi_call(
        f"dynjax_{whole.kernel.name}",
        (
            jax.ShapeDtypeStruct((count, *slot), whole.dtype),
            jax.ShapeDtypeStruct((count, 2), np.int32),
        ),
        vmap_method="broadcast_all",
    )
    tables = [table(t.columns, count, t.dtype) for t in whole.tables]
    attributes = ffi_attributes(whole.static, addressed=False, source_dtype=np.dtype(np.uint8))
    sizes = table(extent, count, np.int32) if isinstance(extent, tuple) else extent
    operands = (jnp.zeros((1,), jnp.int32), files.array, files.extent, sizes, *tables)
    result, _ = call(*operands, **attributes, caller=files.decoder)
    return result
