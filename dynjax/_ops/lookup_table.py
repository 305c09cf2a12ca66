"""Numbers replaced by table entries: `dynjax.lookup_table`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, DTypeLike, Kernel, Output, operator
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.convert import convert_host
from ._lib.host_calls import HostCall
from ._lib.host_samples import batching

_MAX_KEY = 0xFFFF


def _sample(
    inputs: Sequence[Any],
    extents: Any,
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    entries: tuple[Any, ...],
    default: Any,
) -> Any:
    del extents, out_extent, tables, out_shape
    table = jnp.asarray(np.array(entries, dtype))
    x = inputs[0]
    # The largest key that the type holds: a comparison with more would wrap.
    known = (x >= 0) & (x <= min(len(entries) - 1, np.iinfo(x.dtype).max))
    position = jnp.where(known, x, 0).astype(jnp.int32)
    return jnp.where(known, table[position], jnp.asarray(default, dtype))


_kernel = Kernel("lookup_table", _sample, native=False, pointwise=True)


@operator("lookup_table")
def lookup_table(
    x: Spec,
    /,
    *,
    default_value: float = 0.0,
    dtype: DTypeLike = np.float32,
    keys: list[int] = (),  # type: ignore[assignment]
    output_dtype: DTypeLike | None = None,
    values: list[float] = (),  # type: ignore[assignment]
) -> Output:
    """Replaces each number by the value that belongs to it.

    Args:
        x: integers.
        default_value: the value of numbers that are not among the keys.
        dtype: type of the result. Default: float32. `output_dtype` is its old name.
        keys: 0 to 65535.
        values: one for each key, converted as `cast` does.

    Returns:
        Shape and layout of `x`.

    Raises:
        OperatorError: the input is not of an integer type, keys and values differ in number, or a
            key is out of range.

    Source: DALI `LookupTable`.

    Example:
        >>> np.asarray(dynjax.lookup_table(dynjax.tensor([3, 4]), keys=[3], values=[0.5]))
        array([0.5, 0. ], dtype=float32)
    """
    if x.dtype.kind not in "iu":
        raise OperatorError(f"lookup_table: the input is {x.dtype.name}; expected integers.")
    if len(keys) != len(values):
        raise OperatorError(f"lookup_table: {len(keys)} keys, but {len(values)} values.")
    if any(not 0 <= k <= _MAX_KEY for k in keys):
        raise OperatorError(f"lookup_table: a key is out of range; expected 0 to {_MAX_KEY}.")
    kind = np.dtype(numpy_dtype(dtype if output_dtype is None else output_dtype))
    default = convert_host(np.array([default_value]), kind)
    table = np.repeat(default, max(keys, default=0) + 1)
    table[list(keys)] = convert_host(np.array(values, np.float64), kind)

    # All values of the small types are in the native table, which then need not be asked for.
    span = np.iinfo(x.dtype).max + 1 if x.dtype.name in ("uint8", "uint16") else len(table)
    native = np.repeat(default, span + 1)
    native[: min(span, len(table))] = table[:span]
    count, batched = batching([x])

    return Apply(
        _kernel,
        x.shape,
        kind,
        x.layout,
        static={"entries": tuple(table.tolist()), "default": default[0].item()},
        host=HostCall(_kernel.name, [x], x.shape, kind, count, batched, shared=[native]),
    )
