"""The kernel of `cast` and `cast_like`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._schema import Apply, Kernel
from ..._types.columns import is_traced
from ..._types.spec import Spec
from .convert import convert
from .host_calls import MAX_RANK, HostCall
from .host_samples import batching


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    del extents, out_extent, tables, out_shape
    return convert(inputs[0], dtype)


_kernel = Kernel("cast", _sample, native=False, pointwise=True, joins=True)


def converted(spec: Spec, dtype: np.dtype, beside: Spec | None = None) -> Apply:
    """The output of a conversion of the first input; `beside` is the second one, if any."""
    beside_too = [] if beside is None else [beside]
    count, batched = batching([spec, *beside_too])
    # On the host the kernel converts whole samples; inside `jit` XLA fuses it with its neighbours.
    host = None
    if spec.ndim <= MAX_RANK and not is_traced(*spec.shape):
        host = HostCall(_kernel.name, [spec], spec.shape, dtype, count, batched)
    # The kernel takes the first input only; a second one lends its type.
    return Apply(
        _kernel,
        spec.shape,
        dtype,
        spec.layout,
        host=host if host is None else lambda storages: host(storages[:1]),
    )
