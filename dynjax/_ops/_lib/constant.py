"""The kernel of `zeros`, `ones`, `full` and their `_like` forms: one value, broadcast."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel
from ..._types.columns import Shape, any_of, is_constant
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from ..._types.storage import Storage
from .convert import convert, convert_host
from .host_samples import batching, collected, views


def _sample(
    inputs: Sequence[Any],
    extents: Any,
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    value: float | None = None,
) -> Any:
    del extents, out_extent, tables
    if value is not None:
        return jnp.full(out_shape, value, dtype)
    return jnp.broadcast_to(convert(inputs[-1], dtype), out_shape)


_kernel = Kernel("constant", _sample, native=False)


def filled(
    what: str,
    shape: Shape,
    dtype: np.dtype,
    layout: str | None,
    *,
    value: float | None = None,
    specs: Sequence[Spec] = (),
) -> Apply:
    """The output of one value everywhere: `value`, or the last input broadcast."""
    if layout is not None and len(layout) != len(shape):
        raise OperatorError(
            f"{what}: layout {layout!r} has {len(layout)} letters; the result has {len(shape)} "
            "axes."
        )
    if any(any_of(n < 0) for n in shape):
        raise OperatorError(f"{what}: an extent of the shape is negative.")
    static = {} if value is None else {"value": value}
    # Without inputs the number of samples is not known here.
    host = _host(shape, dtype, value, specs) if specs else None
    return Apply(_kernel, shape, dtype, layout, static=static, host=host)


def _host(shape: Shape, dtype: np.dtype, value: float | None, specs: Sequence[Spec]):
    own = any(s.batched or not s.uniform for s in specs)
    count, batched = batching(specs, *(() if own else shape))

    def host(storages: Sequence[Storage]) -> Storage:
        given = views(storages[-1], specs[-1], count)

        def write(i: int, target: np.ndarray) -> None:
            if value is not None:
                target[...] = value
                return
            try:
                target[...] = convert_host(given[i], dtype)
            except ValueError as error:
                raise OperatorError(
                    f"the value's shape {given[i].shape} does not broadcast to {target.shape}."
                ) from error

        return collected(shape, dtype, count, batched, write)

    return host


def extents(shape: Sequence[Any] | None) -> Shape:
    """The wanted shape; none means a scalar."""
    return () if shape is None else tuple(int(n) if is_constant(n) else n for n in shape)
