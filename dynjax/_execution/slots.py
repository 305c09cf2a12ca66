"""Results inside `jit` in slots: extents that cannot lead out of them, and the data they make."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply
from .._types.batch import Batch
from .._types.columns import is_constant, table
from .._types.data import Data
from .._types.device import Device
from .._types.spec import Spec
from .._types.storage import Dense, Padded
from .._types.tensor import Tensor


def extent_within(output: Apply, slot: tuple[int, ...], count: int) -> Any:
    """The extents of the samples, int32 `[N, rank]`; the slot itself if all fill it.

    Sizes that depend on data cannot be checked here, so they are cut to the slot.
    """
    if all(map(is_constant, output.shape)):
        return slot
    return jnp.clip(table(output.shape, count, np.int32), 0, np.array(slot))


def in_slots(
    result: Any, extent: Any, output: Apply, count: int, batched: bool, device: Device
) -> Data:
    """The value that lies in slots `[N, *slot]`, with the extents of `extent_within`."""
    kind = Batch if batched else Tensor
    columns = tuple(int(c) if is_constant(c) else extent[:, a] for a, c in enumerate(output.shape))
    spec = Spec(count, columns, np.dtype(result.dtype), output.layout, batched, device)
    if isinstance(extent, tuple):
        return kind._make(spec, Dense(result if batched else result[0], batched))
    if batched:
        return kind._make(spec, Padded(result, extent))
    return kind._make(spec, Padded(result[0], extent[0], batched=False))
