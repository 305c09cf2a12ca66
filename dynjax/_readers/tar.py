"""Where the members of tar archives lie."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, final

import numpy as np

from .._native import native

BLOCK = 512
_FILES = (b"0", b"\0", b"7")
_LONG_NAME, _PAX, _PAX_GLOBAL = b"L", b"x", b"g"
# A header of headers is read into memory, so a hostile one must stay short.
_MAX_EXTENSION = 1 << 20
_END = bytes(BLOCK)


# As `TarFault` in ops/io/tar_index.h.
_IO = 1
_FAULTS = {
    2: "there is no header at byte {at}",
    3: "the extension header at byte {at} has {detail} bytes",
    4: "a pax header is malformed",
    5: "the member at byte {at} goes beyond the end",
}


class TarError(ValueError):
    """The bytes are no complete archive."""


@final
@dataclass(frozen=True, slots=True)
class Member:
    """A regular file in an archive: its name, and where its bytes lie."""

    name: bytes
    offset: int
    size: int


def scan_file(path: bytes) -> tuple[np.ndarray, np.ndarray]:
    """The regular files of a local archive in the native form, and their names.

    Raises:
        TarError: the archive is cut off or malformed.
        OSError: it cannot be read.
    """
    entries, names, fault, at, detail = native.scan_tar(path)
    if fault == _IO:
        raise OSError(detail, os.strerror(detail))
    if fault:
        raise TarError(_FAULTS[fault].format(at=at, detail=detail))
    return entries, names


def members(file: BinaryIO, total: int) -> Iterator[Member]:
    """The regular files of an archive of `total` bytes, in order.

    Understands the old, the ustar and the GNU form and pax headers. Folders, links and devices are
    passed over.

    Raises:
        TarError: the archive is cut off or malformed.

    Source: POSIX.1-2017, pax; GNU tar manual, "Basic Tar Format".
    """
    offset = 0
    name: bytes | None = None
    size: int | None = None
    while True:
        file.seek(offset)
        header = file.read(BLOCK)
        # Two empty blocks end an archive; one, or the end of the file, does too in practice.
        if not header or header == _END:
            return
        kind, length = header[156:157], _number(header[124:136])
        whole = len(header) == BLOCK and length >= 0
        if not whole or _number(header[148:156]) != _checksum(header):
            raise TarError(f"there is no header at byte {offset}")
        start = offset + BLOCK
        if kind in (_LONG_NAME, _PAX, _PAX_GLOBAL):
            if length > _MAX_EXTENSION:
                raise TarError(f"the extension header at byte {offset} has {length} bytes")
            content = file.read(length)
            if kind == _LONG_NAME:
                name = content.rstrip(b"\0")
            elif kind == _PAX:
                records = _pax_records(content)
                name = records.get(b"path", name)
                size = _decimal(records[b"size"]) if b"size" in records else size
        else:
            length = length if size is None else size
            if kind in _FILES:
                if start + length > total:
                    raise TarError(f"the member at byte {offset} goes beyond the end")
                yield Member(_name(header) if name is None else name, start, length)
            name = size = None
        offset = start + -(-length // BLOCK) * BLOCK


def _checksum(header: bytes) -> int:
    return sum(header) - sum(header[148:156]) + 8 * 32


def _number(field: bytes) -> int:
    if field and field[0] & 0x80:  # base 256, for what octal cannot hold
        value = int.from_bytes(field[1:], "big")
        return value if field[0] == 0x80 else -1
    try:
        return int(field.strip(b" \0") or b"0", 8)
    except ValueError:
        return -1


def _name(header: bytes) -> bytes:
    name = header[:100].split(b"\0", 1)[0]
    prefix = header[345:500].split(b"\0", 1)[0] if header[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _pax_records(content: bytes) -> dict[bytes, bytes]:
    records: dict[bytes, bytes] = {}
    while content:
        digits, _, _ = content.partition(b" ")
        length = _decimal(digits)
        if not len(digits) + 2 <= length <= len(content):
            raise TarError("a pax header is malformed")
        key, _, value = content[len(digits) + 1 : length - 1].partition(b"=")
        records[key] = value
        content = content[length:]
    return records


def _decimal(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > 18:
        raise TarError("a pax header is malformed")
    return int(digits)
