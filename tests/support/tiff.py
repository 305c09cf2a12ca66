"""TIFF files of layouts that Pillow does not write, made by hand."""

import struct
import zlib
from typing import Any

import numpy as np

_DTYPES = {"H": 3, "I": 4, "Q": 16}
# Photometric interpretations.
WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE, SEPARATED, YCBCR = 0, 1, 2, 3, 5, 6
UNSIGNED, SIGNED, FLOAT = 1, 2, 3


def tiff(
    pixels: np.ndarray,
    *,
    bits: int | None = None,
    photometric: int | None = None,
    compression: str = "none",
    planar: bool = False,
    tile: tuple[int, int] | None = None,
    rows: int = 7,
    order: str = "<",
    big: bool = False,
    tags: dict[int, tuple[str, list[int]]] | None = None,
) -> np.ndarray:
    """The bytes of a file with one picture.

    Args:
        pixels: `[height, width, channels]`; integers of any type if `bits` says how many bits of
            each are stored, else of their own type.
        bits: of each channel.
        photometric: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 ink.
        compression: "none", "deflate" or "packbits".
        planar: channels one after another.
        tile: rows and columns of a tile, multiples of 16; None: strips.
        rows: of a strip.
        order: "<" or ">".
        big: a BigTIFF file.
        tags: more of them, or others: their type (`"H"`, `"I"`) and values.
    """
    height, width, channels = pixels.shape
    kind = {"u": UNSIGNED, "i": SIGNED, "f": FLOAT}[pixels.dtype.kind]
    bits = 8 * pixels.itemsize if bits is None else bits
    if photometric is None:
        photometric = RGB if channels >= 3 else BLACK_IS_ZERO
    planes = [pixels[..., c : c + 1] for c in range(channels)] if planar else [pixels]
    size = tile or (rows, width)
    blocks = [
        _packed(_cut(plane, y, x, size, tile is not None), bits, order)
        for plane in planes
        for y in range(0, height, size[0])
        for x in range(0, width, size[1])
    ]
    code, compress = {
        "none": (1, bytes),
        "deflate": (8, zlib.compress),
        "packbits": (32773, _pack_bits),
    }[compression]
    blocks = [compress(block) for block in blocks]
    inks = 3 if photometric in (RGB, YCBCR) else 4 if photometric == SEPARATED else 1
    fields: dict[int, tuple[str, list[int]]] = {
        256: ("I", [width]), 257: ("I", [height]), 258: ("H", [bits] * channels),
        259: ("H", [code]), 262: ("H", [photometric]), 277: ("H", [channels]),
        284: ("H", [2 if planar else 1]), 339: ("H", [kind] * channels),
    }  # fmt: skip
    if channels > inks:
        fields[338] = ("H", [2] + [0] * (channels - inks - 1))
    if tile:
        fields |= {322: ("I", [tile[1]]), 323: ("I", [tile[0]])}
    else:
        fields[278] = ("I", [rows])
    where, counts = (324, 325) if tile else (273, 279)
    return _file(blocks, fields | (tags or {}), where, counts, order, big)


def _cut(plane: np.ndarray, y: int, x: int, size: tuple[int, int], pad: bool) -> np.ndarray:
    block = plane[y : y + size[0], x : x + size[1]]
    missing = [(0, size[0] - block.shape[0]), (0, size[1] - block.shape[1]), (0, 0)]
    return np.pad(block, missing, "edge") if pad else block


def _packed(block: np.ndarray, bits: int, order: str) -> bytes:
    """Rows of values of so many bits, the first in the highest, each row in whole bytes."""
    if bits == 8 * block.itemsize:
        return block.astype(block.dtype.newbyteorder(order)).tobytes()
    if bits == 16:
        return block.astype(f"{order}u2").tobytes()
    values = block.reshape(block.shape[0], -1).astype(np.uint32)
    digits = values[..., None] >> np.arange(bits - 1, -1, -1, dtype=np.uint32) & 1
    return np.packbits(digits.reshape(len(values), -1).astype(np.uint8), axis=1).tobytes()


def _pack_bits(data: bytes) -> bytes:
    """Literal runs only, of 128 bytes at most."""
    runs = (data[k : k + 128] for k in range(0, len(data), 128))
    return b"".join(bytes([len(run) - 1]) + run for run in runs)


def _file(
    blocks: list[bytes], fields: dict[int, Any], where: int, counts: int, order: str, big: bool
) -> np.ndarray:
    number, inline = ("Q", 8) if big else ("I", 4)
    mark = b"II" if order == "<" else b"MM"
    out = bytearray(mark)
    out += struct.pack(order + "HHHQ", 43, 8, 0, 0) if big else struct.pack(order + "HI", 42, 0)
    offsets = []
    for block in blocks:
        out += bytes(len(out) % 2)
        offsets.append(len(out))
        out += block
    fields = fields | {where: (number, offsets), counts: (number, [len(b) for b in blocks])}
    entries = b""
    for tag in sorted(fields):
        kind, values = fields[tag]
        data = struct.pack(f"{order}{len(values)}{kind}", *values)
        if len(data) > inline:
            out += bytes(len(out) % 2)
            data, tail = struct.pack(order + number, len(out)), data
            out += tail
        entries += struct.pack(f"{order}HH{number}", tag, _DTYPES[kind], len(values))
        entries += data.ljust(inline, b"\0")
    out += bytes(len(out) % 2)
    struct.pack_into(order + number, out, 8 if big else 4, len(out))
    out += struct.pack(order + ("Q" if big else "H"), len(fields)) + entries + bytes(inline)
    return np.frombuffer(bytes(out), np.uint8)
