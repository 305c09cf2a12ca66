"""Where the records of TFRecord files lie."""

import functools
import os
import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .index_cache import IndexCache
from .paths import is_remote, open_file, size_of
from .record_index import RecordIndex

# length (8 bytes), its CRC (4), content, CRC of the content (4)
HEADER, FOOTER = 12, 4
_LARGEST = 1 << 62
_LENGTH = struct.Struct("<Q")
_PAGE = 4096


def index_tfrecords(
    operator: str,
    paths: Sequence[PathLike],
    index_paths: Sequence[PathLike] | None,
    cache: IndexCache,
) -> RecordIndex:
    """The records of all files, one file after another.

    Args:
        operator: who asks, for messages.
        paths: the files.
        index_paths: for each a text file with lines `offset size`; None: the files are scanned.
        cache: keeps what the scans found.

    Raises:
        OperatorError: a file cannot be read or is none of its kind, or there is no record.
    """
    if index_paths is None:
        tables = [cache.table(p, functools.partial(_scanned, operator, p)) for p in paths]
    else:
        tables = [_listed(operator, index_paths[k], path) for k, path in enumerate(paths)]
    return RecordIndex.of(operator, paths, tables)


def _listed(operator: str, index_path: PathLike, path: PathLike) -> np.ndarray:
    def rows() -> Iterator[tuple[int, int]]:
        with open_file(index_path) as lines:
            for number, line in enumerate(lines, start=1):
                words = line.split()
                if not words:
                    continue
                if len(words) < 2 or not (words[0].isdigit() and words[1].isdigit()):
                    raise OperatorError(
                        f"{operator}: index_path={index_path!r}, line {number}: "
                        f"{line[:100].decode(errors='replace').rstrip()!r}; expected "
                        "'offset size' in bytes. Make the index anew."
                    )
                row = int(words[0]), int(words[1])
                if not HEADER + FOOTER <= row[1] < _LARGEST or row[0] >= _LARGEST:
                    raise OperatorError(
                        f"{operator}: index_path={index_path!r}, line {number}: offset {row[0]}, "
                        f"size {row[1]} is no record of {path!r}. Make the index anew."
                    )
                yield row

    try:
        return np.array(list(rows()), np.int64).reshape(-1, 2)
    except OSError as error:
        raise OperatorError(
            f"{operator}: index_path={index_path!r}: {error.strerror}; expected a text file with "
            "lines 'offset size'. Leave index_path out to scan the files."
        ) from None


def _reading(path: PathLike, file: BinaryIO) -> Callable[[int], bytes]:
    """What reads a little of a file from an offset on."""
    if not is_remote(path):
        descriptor = file.fileno()
        return lambda offset: os.pread(descriptor, _PAGE, offset)

    def read(offset: int) -> bytes:
        file.seek(offset)
        return file.read(_PAGE)

    return read


def _scanned(operator: str, path: PathLike) -> np.ndarray:
    rows = array("q")
    unpack = _LENGTH.unpack_from
    try:
        with open_file(path) as file:
            read = _reading(path, file)
            size = size_of(path)
            offset = start = 0
            block = b""
            while offset < size:
                at = offset - start
                if at + _LENGTH.size > len(block):
                    # No more: of large records nothing but the header is wanted.
                    start, at, block = offset, 0, read(offset)
                length = unpack(block, at)[0] if len(block) >= _LENGTH.size else size
                end = offset + HEADER + length + FOOTER
                if end > size:
                    raise OperatorError(
                        f"{operator}: path={path!r}: the record at byte {offset} goes beyond the "
                        f"end of the file ({size} bytes); expected a complete TFRecord file. It "
                        "was cut off, or is of another format."
                    )
                rows.append(offset)
                rows.append(end - offset)
                offset = end
    except OSError as error:
        raise OperatorError(
            f"{operator}: path={path!r}: {error.strerror}; expected a TFRecord file."
        ) from None
    return np.frombuffer(rows, np.int64).reshape(-1, 2) if rows else np.zeros((0, 2), np.int64)
