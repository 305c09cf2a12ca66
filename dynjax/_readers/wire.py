"""The wire format of protocol buffers, as far as records use it."""

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_MAX_VARINT = 10
# Up to here a loop is faster than a dozen NumPy calls.
_FEW_BYTES = 64


class WireError(ValueError):
    """The bytes are no message."""


def fields(message: memoryview) -> Iterator[tuple[int, int, Any]]:
    """The fields of a message in order: (number, wire type, value).

    A value is an int (varint, unsigned 64 bits), or the memoryview of its bytes.

    Raises:
        WireError: the message is cut off or malformed.
    """
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise WireError("a field has number 0")
        if kind == VARINT:
            value, at = _varint(message, at)
            yield number, kind, value
            continue
        if kind == BYTES:
            size, at = _varint(message, at)
        elif kind in (FIXED32, FIXED64):
            size = 4 if kind == FIXED32 else 8
        else:
            raise WireError(f"wire type {kind} is unknown")
        if size > end - at:
            raise WireError(f"a field of {size} bytes goes beyond the end")
        yield number, kind, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    if at < len(message) and (byte := message[at]) < 0x80:
        return byte, at + 1
    value = shift = 0
    for byte in message[at : at + _MAX_VARINT]:
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
    raise WireError("a number is cut off")


def varints(packed: memoryview) -> np.ndarray:
    """Packed varints as int64.

    Raises:
        WireError: the last one is cut off, or one is longer than 64 bits.
    """
    if len(packed) <= _FEW_BYTES:
        values: list[int] = []
        at = 0
        while at < len(packed):
            value, at = _varint(packed, at)
            values.append(signed(value))
        return np.array(values, np.int64)
    return _many_varints(np.frombuffer(packed, np.uint8))


def _many_varints(data: np.ndarray) -> np.ndarray:
    ends = np.flatnonzero(data < 0x80) + 1
    if data.size and (not ends.size or ends[-1] != data.size):
        raise WireError("a number is cut off")
    starts = np.concatenate([[0], ends[:-1]]) if ends.size else ends
    lengths = ends - starts
    if (lengths > _MAX_VARINT).any():
        raise WireError("a number is longer than 64 bits")
    values = np.zeros(len(ends), np.uint64)
    for k in range(int(lengths.max(initial=0))):
        longer = lengths > k
        low = (data[starts[longer] + k] & 0x7F).astype(np.uint64)
        values[longer] |= low << np.uint64(7 * k)
    return values.view(np.int64)


def signed(value: int) -> int:
    """A varint as the int64 that it stands for."""
    return value - (1 << 64) if value >> 63 else value


def floats(packed: memoryview) -> np.ndarray:
    """Packed 32-bit floats. Raises WireError if the last one is cut off."""
    if len(packed) % 4:
        raise WireError("a number is cut off")
    return np.frombuffer(packed, "<f4").astype(np.float32)


def single_float(value: memoryview) -> float:
    """One 32-bit float."""
    return struct.unpack("<f", value)[0]
