"""Arguments that are matrices, `PerSample[list[list[float]]]`: rows, or one flat list."""

from collections.abc import Sequence
from typing import Any

from ..._types.columns import Column
from ..._types.errors import OperatorError


def matrix_rows(what: str, name: str, values: Sequence[Any], width: int) -> list[list[Column]]:
    """The rows of a matrix argument.

    Args:
        what: the operator, for messages.
        name: the argument, for messages.
        values: a tuple of rows, or of entries row by row; entries are numbers or columns.
        width: entries of a row.

    Raises:
        OperatorError: rows of another width.
    """
    rows = [list(row) for row in values if isinstance(row, tuple)]
    if not rows:
        if len(values) % width:
            raise OperatorError(
                f"{what}: {name} has {len(values)} values; expected rows of {width}."
            )
        return [list(values[i : i + width]) for i in range(0, len(values), width)]
    if len(rows[0]) != width:
        raise OperatorError(f"{what}: {name} has rows of {len(rows[0])} values; expected {width}.")
    return rows
