"""The palette of a JPEG 2000 file.

Pillow drops colours that occur twice, so that indices beyond them show others, and does not look
at the order that the file gives its channels.
"""

import struct
from collections.abc import Mapping

import numpy as np

_COLOUR, _OPACITY = 0, 1  # kinds of channels


def jp2_palette(encoded: bytes) -> np.ndarray | None:
    """The colours by index: uint8 `[entries, 3]`, red first, or `[entries, 4]` with opacity.

    None where the file has none of this form: 8 bits, three colours of one component.
    """
    try:
        header = _boxes(_boxes(memoryview(encoded)).get(b"jp2h", memoryview(b"")))
        return _ordered(_columns(header), header)
    except (struct.error, ValueError):  # cut short
        return None


def _boxes(data: memoryview) -> dict[bytes, memoryview]:
    """The contents of the first box of each type."""
    boxes: dict[bytes, memoryview] = {}
    at = 0
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        head = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, at + head)
            head = 16
        end = at + size if size else len(data)
        if end < at + head:
            break
        boxes.setdefault(kind, data[at + head : end])
        at = end
    return boxes


def _columns(header: Mapping[bytes, memoryview]) -> np.ndarray | None:
    """One column for each channel that the palette makes of the picture's only component."""
    if b"pclr" not in header or b"cmap" not in header:
        return None
    palette, mapping = header[b"pclr"], header[b"cmap"]
    entries, columns = struct.unpack_from(">HB", palette)
    if bytes(palette[3 : 3 + columns]) != bytes([7] * columns):  # the number of bits less 1
        return None
    values = np.frombuffer(palette, np.uint8, entries * columns, offset=3 + columns)
    channels = list(struct.iter_unpack(">HBB", mapping))
    if any(c[:2] != (0, 1) or c[2] >= columns for c in channels):
        return None
    return values.reshape(entries, columns)[:, [c[2] for c in channels]]


def _ordered(columns: np.ndarray | None, header: Mapping[bytes, memoryview]) -> np.ndarray | None:
    """Red, green, blue and opacity, as the file says which channel is which."""
    if columns is None:
        return None
    count = columns.shape[1]
    channel = {(_COLOUR, i + 1): i for i in range(3)}
    if b"cdef" in header:
        kinds = struct.iter_unpack(">HHH", header[b"cdef"][2:])
        channel = {(kind, of): number for number, kind, of in kinds}
    wanted = [(_COLOUR, 1), (_COLOUR, 2), (_COLOUR, 3)]
    if (_OPACITY, 0) in channel:  # of the whole picture
        wanted.append((_OPACITY, 0))
    if any(channel.get(w, count) >= count for w in wanted):
        return None
    return np.ascontiguousarray(columns[:, [channel[w] for w in wanted]])
