"""Remote files or byte ranges of them, read in background threads."""

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .background import Tasks
from .remote import THREADS, check_installed, fetched, reason_of, retried, scheme_of

# Ranges of one file that lie this close together are one request, up to this size in bytes: a
# request costs as much time as some hundred kilobytes.
_GAP, _LARGEST = 64 << 10, 8 << 20


@final
@dataclass
class _Piece:
    """One request, and the parts that it brings."""

    url: str
    parts: list[int]
    start: int | None = None
    stop: int | None = None
    content: bytes = b""
    error: str | None = None

    def fetch(self, dropped: threading.Event) -> None:
        """Fills in the content, or the error."""
        try:
            self.content = retried(lambda: fetched(self.url, self.start, self.stop), dropped)
        except Exception as error:
            self.error = reason_of(error)


@final
class RemoteRead:
    """A read under way. Dropping it cancels what has not been asked for yet.

    Args:
        paths: the file of each part.
        offsets, lengths: int64, where in their files the parts lie. Default: whole files.

    Raises:
        ImportError: a package is missing.
    """

    def __init__(
        self,
        paths: Sequence[bytes],
        offsets: np.ndarray | None = None,
        lengths: np.ndarray | None = None,
    ):
        urls = [os.fsdecode(path) for path in paths]
        for scheme in {scheme_of(url) for url in urls if "://" in url}:
            check_installed(scheme)
        self._count = len(urls)
        self._offsets, self._lengths = offsets, lengths
        if offsets is None or lengths is None:
            self._pieces = [_Piece(url, [k]) for k, url in enumerate(urls)]
        else:
            self._pieces = _joined(urls, offsets.tolist(), lengths.tolist())
        self._tasks = Tasks(THREADS, [piece.fetch for piece in self._pieces])

    def wait(self) -> tuple[np.ndarray, np.ndarray, dict[int, str | None]]:
        """All bytes, part after part; the length of each; what is wrong with those that failed.

        The reason None stands for a file that ends before its part does.
        """
        self._tasks.wait()
        parts: list[Any] = [b""] * self._count
        failed: dict[int, str | None] = {}
        for piece in self._pieces:
            content = memoryview(piece.content)
            for k in piece.parts:
                if piece.error is not None:
                    failed[k] = piece.error
                elif self._offsets is None or self._lengths is None:
                    parts[k] = content
                else:
                    begin = int(self._offsets[k]) - (piece.start or 0)
                    parts[k] = content[begin : begin + int(self._lengths[k])]
                    if len(parts[k]) < self._lengths[k]:
                        failed[k] = None
        lengths = np.array([len(part) for part in parts], np.int64)
        # JAX takes memory from such an address over without a copy.
        room = np.empty(int(lengths.sum()) + 64, np.uint8)
        data = room[-room.ctypes.data % 64 :][: len(room) - 64]
        end = 0
        for part in parts:
            data[end : end + len(part)] = np.frombuffer(part, np.uint8)
            end += len(part)
        return data, lengths, failed


def _joined(urls: Sequence[str], offsets: Sequence[int], lengths: Sequence[int]) -> list[_Piece]:
    """Requests for parts; those close together in a file become one."""
    pieces: list[_Piece] = []
    for k in sorted(range(len(urls)), key=lambda k: (urls[k], offsets[k])):
        start, stop = offsets[k], offsets[k] + lengths[k]
        if start == stop:
            continue  # the empty part needs no request
        last = pieces[-1] if pieces else None
        if last is not None and last.url == urls[k]:
            assert last.start is not None
            assert last.stop is not None
            if start - last.stop <= _GAP and stop - last.start <= _LARGEST:
                last.parts.append(k)
                last.stop = max(last.stop, stop)
                continue
        pieces.append(_Piece(urls[k], [k], start, stop))
    return pieces
