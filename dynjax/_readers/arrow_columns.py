"""Arrow columns as outputs."""

from typing import Any

import numpy as np

from .._types.errors import OperatorError
from .paths import open_file
from .source import Output, Ragged, Uniform


class RowError(ValueError):
    """A value cannot be read.

    Args:
        row: its number in the column.
        reason: why, and what is to be done.
    """

    def __init__(self, row: int, reason: str):
        super().__init__(reason)
        self.row = row


def output_of(operator: str, name: str, column: Any) -> Output:
    """The output of a column, whose chunks were combined.

    Numbers are scalars; binary values and text are uint8 `(n,)`; lists of numbers, also nested ones
    whose rows have one length, are arrays; a struct of `bytes` and `path`, as Hugging Face
    `datasets` store files, gives the bytes, or those of the file at `path`.

    Raises:
        OperatorError: a column of another type.
        RowError: a value is null, where there is nothing to put in its place, or malformed.
    """
    import pyarrow as pa

    kinds: Any = pa.types
    while isinstance(column, pa.ExtensionArray):
        column = column.storage
    if kinds.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind: Any = column.type
    if kinds.is_struct(kind) and {f.name for f in kind} == {"bytes", "path"}:
        return _texts(_contents(name, column))
    if _is_text(kinds, kind):
        return _texts(column)
    if _is_list(kinds, kind):
        return _lists(operator, name, column)
    return Uniform(_numbers(operator, name, column))


def _is_text(kinds: Any, kind: Any) -> bool:
    tests = (kinds.is_binary, kinds.is_large_binary, kinds.is_string, kinds.is_large_string)
    return any(test(kind) for test in tests) or kinds.is_fixed_size_binary(kind)


def _is_list(kinds: Any, kind: Any) -> bool:
    return kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind)


def _texts(column: Any) -> Output:
    """Binary values; null has no bytes."""
    import pyarrow as pa

    column = column.cast(pa.large_binary())
    _, ends, content = column.buffers()
    bounds = np.frombuffer(ends, np.int64, len(column) + 1, 8 * column.offset)
    lengths = np.diff(bounds)
    # A copy: the column may be a small part of a large table.
    values = np.frombuffer(content or b"", np.uint8)[bounds[0] : bounds[-1]].copy()
    return Ragged(values, lengths[:, None])


def _contents(name: str, column: Any) -> Any:
    """The `bytes` of a struct, or what the file at `path` holds."""
    import pyarrow as pa

    contents, paths = column.field("bytes"), column.field("path")
    if not contents.null_count:
        return contents
    values: list[Any] = contents.to_pylist()
    for row, value in enumerate(values):
        path = paths[row].as_py() if value is None else None
        if path is None:
            continue
        try:
            with open_file(path) as file:
                values[row] = file.read()
        except OSError as error:
            raise RowError(
                row, f"column {name!r}: {path!r}: {error.strerror}. Check the path."
            ) from None
    return pa.array(values, pa.large_binary())


def _numbers(operator: str, name: str, column: Any) -> np.ndarray:
    """Numbers as an array; times are int64 counts of their unit, null floats NaN."""
    import pyarrow as pa

    kinds: Any = pa.types
    kind: Any = column.type
    if kinds.is_temporal(kind):
        column = column.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    elif not (kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind)):
        raise OperatorError(
            f"{operator}: column {name!r} is of type {kind}; expected numbers, binary values, text "
            "or lists of numbers. Leave it out of columns."
        )
    if column.null_count and not kinds.is_floating(kind):
        row = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise RowError(row, f"column {name!r} is null. Leave the row or the column out.")
    # A copy, in memory of its own.
    return np.array(column.to_numpy(zero_copy_only=False))


def _lists(operator: str, name: str, column: Any) -> Output:
    """Lists, nested to any depth, as arrays; null has no elements."""
    import pyarrow as pa

    kinds: Any = pa.types
    count = len(column)
    shapes: list[np.ndarray] = []
    # For each level the number of the row that each element belongs to.
    owner = np.arange(count)
    fixed: list[int] = []
    while _is_list(kinds, column.type):
        if kinds.is_fixed_size_list(column.type) and not column.null_count:
            lengths = np.full(len(column), column.type.list_size, np.int64)
            fixed.append(column.type.list_size)
        else:
            lengths = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
            lengths = lengths.astype(np.int64)
        shapes.append(_extents(name, owner, lengths, count))
        owner = np.repeat(owner, lengths)
        column = column.flatten()
        while isinstance(column, pa.ExtensionArray):
            column = column.storage
    try:
        values = _numbers(operator, name, column)
    except RowError as problem:
        raise RowError(int(owner[problem.row]), str(problem)) from None
    if len(fixed) == len(shapes):
        return Uniform(values.reshape(count, *fixed))
    return Ragged(values, np.stack(shapes, axis=1))


def _extents(name: str, owner: np.ndarray, lengths: np.ndarray, count: int) -> np.ndarray:
    """The extent of an axis in each row, whose lists must have one length."""
    extents = np.zeros(count, np.int64)
    extents[owner] = lengths
    if (odd := np.flatnonzero(extents[owner] != lengths)).size:
        raise RowError(
            int(owner[odd[0]]),
            f"column {name!r} holds lists of several lengths; expected rows of one length. Leave "
            "the column out.",
        )
    return extents
