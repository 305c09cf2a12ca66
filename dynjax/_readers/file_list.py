"""Text files that list one `path label` a line."""

import io
import os
from typing import BinaryIO

import numpy as np

from .._types.errors import OperatorError
from .names import NameTable

_LARGEST = int(np.iinfo(np.int32).max)
_DIGITS = 10
# Bytes that are parsed together.
_BLOCK = 4 << 20
_NEWLINE, _BLANK, _ZERO = b"\n "[0], b" "[0], b"0"[0]

# The paths one after another, where each ends, and the labels.
_Block = tuple[bytes, np.ndarray, np.ndarray]


def parse_file_list(
    operator: str, file_list: str | os.PathLike[str], lines: BinaryIO
) -> tuple[NameTable, np.ndarray]:
    """Reads lines `path label`; empty ones are passed over.

    The label is the last word, a non-negative integer; what stands before it is the path, blanks
    inside and before it included.

    Returns:
        The paths and the int32 labels.

    Raises:
        OperatorError: another form of line, with its number.
    """
    names, ends, labels = io.BytesIO(), [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    passed = size = 0
    while block := lines.read(_BLOCK):
        block += lines.readline()
        found = _plain(block) or _any(operator, file_list, passed, block)
        names.write(found[0])
        ends.append(found[1] + size)
        labels.append(found[2])
        size += len(found[0])
        passed += block.count(b"\n")
    return NameTable.of(names.getvalue(), np.concatenate(ends)), np.concatenate(labels)


def _plain(block: bytes) -> _Block | None:
    """Lines that all are a path, one blank and digits, in a few steps for all of them; else None.

    A loop over a million lines takes two seconds.
    """
    data = np.frombuffer(block if block.endswith(b"\n") else block + b"\n", np.uint8)
    stops = np.flatnonzero(data == _NEWLINE)
    starts = np.append(0, stops[:-1] + 1)
    # Anything below a blank but newlines: tabs, carriage returns.
    if np.count_nonzero(data < _BLANK) != len(stops):
        return None
    blanks = np.flatnonzero(data == _BLANK)
    if not len(blanks):
        return None
    last = np.searchsorted(blanks, stops) - 1
    splits = blanks[np.maximum(last, 0)]
    digits = stops - splits - 1
    if (
        (last < 0).any()
        or (splits <= starts).any()
        or not (digits.min() >= 1 and digits.max() <= _DIGITS)
    ):
        return None
    if (data[splits - 1] == _BLANK).any():
        return None
    labels = np.zeros(len(stops), np.int64)
    for k in range(int(digits.max())):
        inside = digits > k
        digit = data[np.where(inside, splits + 1 + k, 0)].astype(np.int64) - _ZERO
        if ((digit < 0) | (digit > 9))[inside].any():
            return None
        labels = np.where(inside, labels * 10 + digit, labels)
    if labels.max() > _LARGEST:
        return None
    # Paths are kept, labels left out.
    border = np.zeros(len(data) + 1, np.int8)
    border[starts] = 1
    border[splits] = -1
    paths = data[np.cumsum(border[:-1], dtype=np.int8).view(bool)]
    return paths.tobytes(), np.cumsum(splits - starts), labels.astype(np.int32)


def _any(operator: str, file_list: str | os.PathLike[str], passed: int, block: bytes) -> _Block:
    """Lines of any form, one by one."""
    names: list[bytes] = []
    labels: list[int] = []
    for number, line in enumerate(block.split(b"\n"), start=passed + 1):
        words = line.rsplit(None, 1)
        if not words:
            continue
        if len(words) < 2 or not words[1].isdigit() or (label := int(words[1])) > _LARGEST:
            raise OperatorError(
                f"{operator}: file_list={file_list!r}, line {number}: "
                f"{line.rstrip()[:200].decode(errors='replace')!r}; expected 'path label' with "
                "a non-negative 32-bit integer as label. Correct the line."
            )
        labels.append(label)
        names.append(words[0])
    ends = np.cumsum(np.array(list(map(len, names)), np.int64))
    return b"".join(names), ends, np.array(labels, np.int32)
