"""Computes what was prepared, in the thread that asks for it."""

from collections.abc import Sequence
from typing import Any

import jax

from .._schema import Known, Operator
from .._statuses import sample_error
from .._types import storage as forms
from .._types.columns import table
from .._types.data import Data
from .._types.device import Device
from .._types.errors import OperatorError
from .._types.storage import Dense, Storage
from .context import limited
from .keys import AnyKey
from .preparation import Prepared


def wait_for(storage: Storage) -> None:
    """Waits until a result exists."""
    if isinstance(storage.array, jax.Array):
        storage.array.block_until_ready()


def run(threads: int, *call: Any) -> list[Storage]:
    """The outputs of a call, computed on so many threads; 0 for the process's number."""
    if not threads:
        return _run(*call)
    with limited(threads):
        return _run(*call)


def _run(
    record: Operator,
    prepared: Prepared,
    data: Sequence[Data],
    target: Device | None,
    key: AnyKey | None,
) -> list[Storage]:
    storages: Sequence[Any] = [d.storage for d in data]
    if prepared.prepare is not None and (own := prepared.prepare()) is not None:
        storages = own
    keys = None if key is None or not prepared.keyed else key.table(prepared.count)
    results = []
    for output in prepared.outputs:
        if isinstance(output, Known):
            result = _known(output, prepared.batched, prepared.count)
        else:
            if output.check is not None:
                output.check([forms.elements(s) for s in storages])
            try:
                result, status = output.run(storages, keys)
            except (RuntimeError, MemoryError) as error:
                if not _is_out_of_memory(error):
                    raise
                raise OperatorError(
                    f"{record.name}: there is no memory for the result, which would take "
                    f"{output.nbytes} bytes. Ask for a smaller size or for fewer samples at once."
                ) from error
            if status is not None and status[:, 0].any():
                raise sample_error(record.name, status, data[0].source)
        results.append(result if target is None else _placed(result, target))
    return results


def _is_out_of_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error)


def _placed(storage: Storage, target: Device) -> Storage:
    if target == Device.CPU:
        return forms.to_host(storage)
    return forms.to_device(storage, target.jax_device)


def _known(output: Known, batched: bool, count: int) -> Storage:
    values = table(output.columns, count, output.dtype)
    return Dense(values if batched else values[0], batched)
