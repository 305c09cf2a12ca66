"""Decoding inside `jit` with what follows: steps are noted until one gives pictures a static size.

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
from .._types.batch import Batch
from .._types.columns import is_constant, table
from .._types.data import Data
from .._types.device import Device
from .._types.errors import ArgumentError
from .._types.spec import Spec
from .._types.storage import Dense, Padded, Undecoded
from .._types.tensor import Tensor
from .calls import check_nbytes
from .programs import ffi_attributes
from .threads import apply_num_threads

# Larger than any picture: a bound that depends on it is none.
_UNKNOWN = 1 << 30


def is_undecoded(data: Data) -> bool:
    """Whether it stands for pictures that are decoded with the steps that follow."""
    return type(data._storage) is Undecoded


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
    before = data.spec
    steps = (*files.steps, *outputs)
    whole = chained(steps) if len(outputs) == 1 else None
    if whole is None:
        raise ArgumentError(
            f"{record.name}: inside jit it cannot be one step with decoding. Pass bound=(height, "
            "width) to decoders.image, or decode before and pass the pictures in."
        )
    last = outputs[0]
    slot = _slot(last, before)
    kind = Batch if before.batched else Tensor

    def described(columns: Any) -> Spec:
        shape = tuple(columns)
        return Spec(before.count, shape, last.dtype, last.layout, before.batched, Device.CPU)

    if slot is None:
        return kind._make(described(last.shape), Undecoded(files.array, files.extent, steps))
    check_nbytes(record, before.count * math.prod(slot) * last.dtype.itemsize)
    # Sizes that cannot be checked here must not lead a kernel out of its slot.
    extent = jnp.clip(table(last.shape, before.count, np.int32), 0, np.array(slot))
    result = _run(whole, files, extent, slot, before.count)
    if all(map(is_constant, last.shape)):
        return kind._make(
            described(slot), Dense(result if before.batched else result[0], before.batched)
        )
    columns = [int(c) if is_constant(c) else extent[:, a] for a, c in enumerate(last.shape)]
    storage = Padded(result, extent) if before.batched else Padded(result[0], extent[0], False)
    return kind._make(described(columns), storage)


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
    operands = (jnp.zeros((1,), jnp.int32), files.array, files.extent, extent, *tables)
    result, _ = call(*operands, **attributes, raises=True)
    return result
