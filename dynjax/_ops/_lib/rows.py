"""Operators on rows of coordinates, such as boxes: each row of the result from the same row."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..._types.columns import Column, is_constant, is_traced
from ..._types.errors import OperatorError, at_call
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Storage, without_gaps

RowFunction = Callable[..., np.ndarray]


def check_boxes(what: str, boxes: Spec) -> None:
    """Refuses what is not float32 with four numbers for each box.

    Boxes lie along the last axis; one axis alone may hold box after box.
    """
    if boxes.dtype != np.float32:
        raise at_call(
            OperatorError(
                f"{what}: boxes are {boxes.dtype.name}; expected float32. Use dynjax.cast before."
            )
        )
    last = boxes.shape[-1] if boxes.ndim else 0
    if is_traced(last):
        return
    if boxes.ndim == 1:
        wrong = last == 0 if is_constant(last) else np.zeros(1, np.bool_)
        wrong = np.any(wrong | (np.asarray(last) % 4 != 0))
    else:
        wrong = np.any(np.asarray(last) != 4)
    if wrong:
        raise at_call(
            OperatorError(
                f"{what}: the last axis has {last} numbers; expected 4 for each box, as in [n, 4]."
            )
        )


def mapped_rows(
    spec: Spec, width: int, columns: Sequence[Column], function: RowFunction
) -> Callable[[Sequence[Storage]], Storage] | None:
    """The host way of `function(rows, *columns) -> rows`, over all rows of a batch at once.

    Args:
        spec: the input, which the result equals in shape and type.
        width: numbers in a row.
        columns: per-sample parameters; those that vary arrive as `[rows, 1]`.
        function: takes and gives `[rows, width]`.

    Returns:
        None where a single sample meets parameters for many.
    """
    if not spec.batched and not all(map(is_constant, columns)):
        return None

    def host(storages: Sequence[Storage]) -> Storage:
        storage = without_gaps(storages[0])
        array = np.asarray(storage.array)
        flat = array[: storage.offsets[-1]] if isinstance(storage, Packed) else array
        rows = flat.reshape(-1, width)
        result = function(rows, *_spread(storage, spec.count, width, columns))
        if isinstance(storage, Packed):
            return Packed(result.reshape(-1), storage.extent)
        return Dense(result.reshape(array.shape), spec.batched)

    return host


def _spread(storage: Storage, count: int, width: int, columns: Sequence[Column]) -> list[Any]:
    """The parameters, those that vary repeated for each row of a sample."""
    if all(map(is_constant, columns)):
        return list(columns)
    if isinstance(storage, Packed):
        lengths: Any = np.diff(storage.offsets) // width
    else:
        lengths = storage.array.size // max(count, 1) // width
    return [
        c if is_constant(c) else np.repeat(np.asarray(c), lengths, axis=0)[:, None] for c in columns
    ]
