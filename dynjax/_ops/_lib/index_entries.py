"""From what stands between the brackets to the entries that the rule of indexing takes.

Four entries for each axis: `("at", i, None, None)`, `("range", start, stop, step)`, or
`("wrong", message, None, None)` for what the rule shall refuse, so that the error appears where
those of other operators do. An index or bound that is data is written as its number, in a string,
among the values.
"""

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ..._types.batch import Batch
from ..._types.data import Data
from ..._types.device import Device
from ..._types.errors import ArgumentError
from ..._types.host import dense_batch
from ..._types.spec import Spec
from ..._types.storage import Dense
from ..._types.tensor import Tensor

AT, RANGE, WRONG = "at", "range", "wrong"
WHOLE = (RANGE, None, None, 1)  # all of an axis


def entries(data: Data, key: Any) -> tuple[tuple[Any, ...], Any]:
    """The entries for all axes, and the values that are data (`[k]` for each sample) or None.

    Raises:
        ArgumentError: two ellipses; or more indices than a Tensor has axes.
    """
    what = index_syntax(not isinstance(data, Tensor))
    parts = _expanded(what, data, key if isinstance(key, tuple) else (key,))
    found: list[Any] = []
    flat: list[Any] = []
    for part in parts:
        flat += _entry(part, found, what)
    if len(parts) > data.ndim:
        # All entries are looked at by the rule only up to the number of axes.
        message = f"{what}: {len(parts)} indices for samples of {data.ndim} axes."
        if isinstance(data, Tensor) or data.ndim == 0:
            raise ArgumentError(message)
        flat[:4] = [WRONG, message, None, None]
    return tuple(flat), _stacked(found) if found else None


def index_syntax(batched: bool) -> str:
    """What was indexed, as messages call it."""
    return "Batch.slice" if batched else "Tensor index"


def _expanded(what: str, data: Data, key: tuple[Any, ...]) -> list[Any]:
    """The indices with the ellipsis written out, one for each axis."""
    where = [k for k, part in enumerate(key) if part is Ellipsis]
    if len(where) > 1:
        raise ArgumentError(f"{what}: more than one ellipsis (...).")
    k = where[0] if where else len(key)
    missing = data.ndim - (len(key) - len(where))
    return [*key[:k], *[slice(None)] * missing, *key[k + len(where) :]]


def _entry(part: Any, found: list[Any], what: str) -> tuple[Any, Any, Any, Any]:
    try:
        if not isinstance(part, slice):
            return (AT, _value(part, found), None, None)
        start = None if part.start is None else _value(part.start, found)
        stop = None if part.stop is None else _value(part.stop, found)
        step = 1 if part.step is None else _value(part.step, [])
    except TypeError as error:
        return (WRONG, f"{what}: {error}", None, None)
    if isinstance(step, str):
        return (WRONG, f"{what}: a step must be a constant.", None, None)
    return (RANGE, start, stop, step)


def _value(value: Any, found: list[Any]) -> int | str:
    """A number that is known now, or the place among `found` of one that is data.

    Raises:
        TypeError: no integer.
    """
    if isinstance(value, Data | np.ndarray | jax.Array):
        if value.ndim or _stored(value).kind not in "iub":
            raise TypeError(f"an index must be an integer, got {_described(value)}.")
        traced = value.storage.is_traced() if isinstance(value, Data) else _is_tracer(value)
        if traced or isinstance(value, Batch):
            found.append(value)
            return str(len(found) - 1)
        return int(value.storage.sample(0) if isinstance(value, Data) else value)
    try:
        return int(operator.index(value))
    except TypeError:
        raise TypeError(f"an index must be an integer, got {value!r:.60}.") from None


def _is_tracer(value: Any) -> bool:
    return isinstance(value, Tracer)


def _stored(value: Any) -> np.dtype:
    return value.spec.dtype if isinstance(value, Data) else np.dtype(value.dtype)


def _described(value: Any) -> str:
    kind = type(value).__name__
    return f"a {kind} of {value.ndim} axes and type {_stored(value).name}"


def _stacked(found: list[Any]) -> Any:
    """One row of values for each sample, or one for all."""
    sizes = {v.batch_size for v in found if isinstance(v, Batch)}
    if len(sizes) > 1:
        raise ArgumentError(f"Batch.slice: batches of different sizes: {sorted(sizes)}.")
    arrays = [v.storage.array if isinstance(v, Data) else v for v in found]
    if not any(map(_is_tracer, arrays)):
        return dense_batch(np.stack([np.asarray(a, np.int32) for a in arrays], axis=-1))
    count = sizes.pop() if sizes else 1
    shape = (count,) if any(isinstance(v, Batch) for v in found) else ()
    columns = [jnp.broadcast_to(jnp.asarray(a).astype(jnp.int32), shape) for a in arrays]
    table = jnp.stack(columns, axis=-1)
    if not shape:
        return table
    spec = Spec(count, (len(found),), np.dtype(np.int32), None, True, Device.CPU)
    return Batch._make(spec, Dense(table))
