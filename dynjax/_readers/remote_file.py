"""A remote file as Python's files are."""

import io
import os
from typing import final

from .remote import as_os_error, fetched, retried, status

# Bytes that one request brings: where a file is read on; where a reader hops from header to header.
_NEXT, _HOP = 4 << 20, 64 << 10


@final
class RemoteFile(io.RawIOBase):
    """A remote file for one thread, read in blocks.

    Args:
        url: its path.

    Raises:
        OSError: it cannot be read.
        ImportError: a package is missing.
    """

    def __init__(self, url: str):
        super().__init__()
        self.name = url
        self.size = status(url)[0]
        self._at = self._start = 0
        self._block = b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        self._at = max(base + offset, 0)
        return self._at

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        """Some bytes; none at the end of the file."""
        target = memoryview(buffer).cast("B")
        at = self._at - self._start
        if not 0 <= at < len(self._block):
            self._fetch(max(len(target), _NEXT if 0 <= at <= len(self._block) + _NEXT else _HOP))
            at = 0
        found = self._block[at : at + len(target)]
        target[: len(found)] = found
        self._at += len(found)
        return len(found)

    def _fetch(self, size: int) -> None:
        start, stop = self._at, min(self._at + size, self.size)
        self._start, self._block = start, b""
        if start >= stop:
            return
        try:
            self._block = retried(lambda: fetched(self.name, start, stop))
        except Exception as error:
            raise as_os_error(error) from None
