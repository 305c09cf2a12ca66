"""Text files that list one `path label` a line."""

import os
from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from .._types.errors import OperatorError
from .names import NameTable

_LARGEST = int(np.iinfo(np.int32).max)


def parse_file_list(
    operator: str, file_list: str | os.PathLike[str], lines: Iterable[bytes]
) -> tuple[NameTable, np.ndarray]:
    """Reads lines `path label`; empty ones are passed over.

    The label is the last word, a non-negative integer; what stands before it is the path, blanks
    inside and before it included.

    Returns:
        The paths and the int32 labels.

    Raises:
        OperatorError: another form of line, with its number.
    """
    labels = array("i")

    def paths() -> Iterator[bytes]:
        for number, line in enumerate(lines, start=1):
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
            yield words[0]

    table = NameTable(paths())
    return table, np.frombuffer(labels, np.int32) if labels else np.zeros(0, np.int32)
