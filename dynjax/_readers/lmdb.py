"""LMDB databases, read-only: where the values lie in the file."""

import mmap
import os
import struct
from collections.abc import Iterator

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import is_remote

_MAGIC, _VERSION = 0xBEEFC0DE, 1
_PAGE_HEADER, _NODE_HEADER = 16, 8
_BRANCH, _LEAF, _META = 1, 2, 8
_BIG, _SUB_DATABASE = 1, 2
_NO_PAGE = 0xFFFFFFFFFFFFFFFF
_MAX_DEPTH = 64


class LmdbError(ValueError):
    """The bytes are no database."""


def index_lmdb(operator: str, path: PathLike) -> tuple[bytes, np.ndarray]:
    """The file of a database, and offset and size `[n, 2]` of its values in the order of the keys.

    Args:
        operator: who asks, for messages.
        path: the database's folder, or its `data.mdb`.

    Raises:
        OperatorError: it cannot be read, or is no database.
    """
    if is_remote(path):
        raise OperatorError(
            f"{operator}: path={os.fspath(path)!r}: LMDB databases are mapped into memory and "
            "cannot be read from elsewhere; expected a local folder. Copy the database here."
        )
    name = os.path.join(path, "data.mdb") if os.path.isdir(path) else path
    try:
        with open(name, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            # Copied out: no view of the mapping may outlive it.
            rows = np.array(list(_values(data)), np.int64).reshape(-1, 2)
    except (OSError, ValueError, struct.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise OperatorError(
            f"{operator}: path={os.fspath(path)!r}: {reason}; expected the folder of an LMDB "
            "database."
        ) from None
    return os.fsencode(os.path.abspath(name)), rows


def _values(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    size, root = _newest(data)
    if root != _NO_PAGE:
        yield from _walk(data, size, root, _MAX_DEPTH, set())


def _newest(data: mmap.mmap) -> tuple[int, int]:
    """Page size and root page as of the last transaction."""
    size = _meta(data, 0)[0]
    if size < 256 or size > 1 << 16 or size & (size - 1):
        raise LmdbError(f"its page size is {size}")
    newest = max((_meta(data, 0), _meta(data, size)), key=lambda meta: meta[2])
    return size, newest[1]


def _meta(data: mmap.mmap, at: int) -> tuple[int, int, int]:
    """Page size, root and transaction of a meta page."""
    _, _, flags = struct.unpack_from("<QHH", data, at)
    magic, version = struct.unpack_from("<II", data, at + _PAGE_HEADER)
    if not flags & _META or magic != _MAGIC or version != _VERSION:
        raise LmdbError("it is no LMDB database of version 1")
    # After magic, version, address and map size: free list and main database, 48 bytes each.
    tables = at + _PAGE_HEADER + 24
    page_size = struct.unpack_from("<I", data, tables)[0]
    root = struct.unpack_from("<Q", data, tables + 48 + 40)[0]
    transaction = struct.unpack_from("<Q", data, tables + 96 + 8)[0]
    return page_size, root, transaction


def _walk(
    data: mmap.mmap, size: int, page: int, depth: int, seen: set[int]
) -> Iterator[tuple[int, int]]:
    start = page * size
    if depth == 0 or page in seen or start + size > len(data):
        raise LmdbError(f"page {page} is missing, or part of a circle")
    seen.add(page)
    flags, lower = struct.unpack_from("<HH", data, start + 10)
    if not _PAGE_HEADER <= lower <= size or not flags & (_BRANCH | _LEAF):
        raise LmdbError(f"page {page} is malformed")
    for node in struct.unpack_from(f"<{(lower - _PAGE_HEADER) // 2}H", data, start + _PAGE_HEADER):
        at = start + node
        low, high, kind, key = struct.unpack_from("<HHHH", data, at)
        if flags & _BRANCH:
            yield from _walk(data, size, low | high << 16 | kind << 32, depth - 1, seen)
            continue
        length, begin = low | high << 16, at + _NODE_HEADER + key
        if kind & _SUB_DATABASE:
            raise LmdbError("it has named databases or several values to a key")
        if kind & _BIG:
            begin = struct.unpack_from("<Q", data, begin)[0] * size + _PAGE_HEADER
        if begin + length > len(data):
            raise LmdbError(f"a value of page {page} goes beyond the end")
        yield begin, length
