"""The RecordIO format, and the image records of MXNet inside it."""

import struct
from collections.abc import Sequence

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import open_file, size_of
from .record_index import RecordIndex

_MAGIC = 0xCED7230A
_FRAME = 8
_LABELS = 24  # flag, label, two ids
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)
_LARGEST = 1 << 62


class RecordError(ValueError):
    """The bytes are no image record."""


def index_recordio(
    operator: str, paths: Sequence[PathLike], index_paths: Sequence[PathLike]
) -> RecordIndex:
    """The records of all files in the order of their index files.

    Raises:
        OperatorError: a file or index cannot be read, or there is no record.
    """
    return RecordIndex.of(
        operator,
        paths,
        [_table(operator, p, i) for p, i in zip(paths, index_paths, strict=True)],
    )


def _table(operator: str, path: PathLike, index_path: PathLike) -> np.ndarray:
    offsets: list[int] = []
    try:
        with open_file(index_path) as lines:
            for number, line in enumerate(lines, start=1):
                words = line.split()
                if not words:
                    continue
                if len(words) < 2 or not words[1].isdigit() or int(words[1]) >= _LARGEST:
                    raise OperatorError(
                        f"{operator}: index_path={index_path!r}, line {number}: "
                        f"{line[:100].decode(errors='replace').rstrip()!r}; expected 'key offset'. "
                        "Make the index anew."
                    )
                offsets.append(int(words[1]))
    except OSError as error:
        raise OperatorError(
            f"{operator}: index_path={index_path!r}: {error.strerror}; expected a text file with "
            "lines 'key offset'."
        ) from None
    try:
        size = size_of(path)
    except OSError as error:
        raise OperatorError(
            f"{operator}: path={path!r}: {error.strerror}; expected a RecordIO file."
        ) from None
    starts = np.array(offsets, np.int64)
    if starts.size and starts.max() >= size:
        raise OperatorError(
            f"{operator}: index_path={index_path!r} has offset {starts.max()}; {path!r} has {size} "
            "bytes. The index belongs to another file; make it anew."
        )
    # A record reaches to the start of the next one in the file, whatever the order of the index.
    borders = np.append(np.unique(starts), size)
    ends = borders[np.searchsorted(borders, starts, side="right")] if starts.size else starts
    return np.stack([starts, ends - starts], axis=1)


def parse_record(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The image's bytes, and its float32 labels.

    Raises:
        RecordError: the block is no record, or is cut off.
    """
    content = _content(block)
    if len(content) < _LABELS:
        raise RecordError(f"it has {len(content)} bytes, fewer than its header")
    count, label = struct.unpack("<If", content[:8].tobytes())
    if count == 0:
        return content[_LABELS:], np.array([label], np.float32)
    end = _LABELS + 4 * count
    if end > len(content):
        raise RecordError(f"it has {len(content)} bytes, fewer than its {count} labels take")
    labels = np.frombuffer(content[_LABELS:end].tobytes(), "<f4").astype(np.float32)
    return content[end:], labels


def _content(block: np.ndarray) -> np.ndarray:
    """What a record holds. One that contains the magic number itself is stored in parts."""
    parts: list[np.ndarray] = []
    at = 0
    while True:
        if len(block) - at < _FRAME:
            raise RecordError("it is cut off")
        magic, word = struct.unpack("<II", block[at : at + _FRAME].tobytes())
        if magic != _MAGIC:
            raise RecordError("it does not start as a RecordIO record")
        kind, length = word >> 29, word & 0x1FFFFFFF
        start = at + _FRAME
        if kind > _LAST or (kind in (_WHOLE, _FIRST)) != (not parts) or start + length > len(block):
            raise RecordError("it is cut off or malformed")
        if kind == _WHOLE:
            return block[start : start + length]
        if parts:
            parts.append(np.frombuffer(struct.pack("<I", _MAGIC), np.uint8))
        parts.append(block[start : start + length])
        if kind == _LAST:
            return np.concatenate(parts)
        at = start + -(-length // 4) * 4
