"""Files or byte ranges of files, here or elsewhere, read in the background."""

import os
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from .._native import StatusCode, native
from .paths import any_remote
from .source import Output, ReadError, Request

LARGEST = int(np.iinfo(np.int32).max)
_REASONS = {
    StatusCode.UNSUPPORTED: "it is no regular file. Leave it out of the list.",
    StatusCode.TOO_LARGE: "its batch does not fit into memory. Use a smaller batch.",
}
_CHANGED = (
    "its size changed while it was read. Leave files alone while they are in use, and read again."
)
# Remote files were asked for again before.
_NOT_FETCHED = "it could not be read ({}). Check the path and the connection, and read again."
_SHORT = (
    "its file ends before it does. The index belongs to another file, or the file was cut off; "
    "make the index anew."
)


@final
class Parts:
    """A read under way. Dropping it cancels the read.

    Local files are read by native threads, none of which takes the GIL; if a path is a URL, all are
    read by Python threads through fsspec.

    Args:
        paths: the file of each part.
        owners: int64, the sample that each part belongs to, for errors.
        offsets, lengths: int64, where in their files the parts lie. Default: whole files.

    Raises:
        ImportError: a package for remote files is missing.
    """

    def __init__(
        self,
        paths: Sequence[bytes],
        owners: np.ndarray,
        offsets: np.ndarray | None = None,
        lengths: np.ndarray | None = None,
    ):
        self._owners = owners
        self._whole = offsets is None or lengths is None
        self._remote = any_remote(paths)
        if self._remote:
            from .remote_read import RemoteRead

            self._ticket: Any = RemoteRead(paths, offsets, lengths)
        elif offsets is None or lengths is None:
            self._ticket = native.ReadTicket(list(paths))
        else:
            columns = (np.ascontiguousarray(c, np.int64) for c in (offsets, lengths))
            self._ticket = native.ReadTicket(list(paths), *columns)

    def wait(self) -> tuple[np.ndarray, np.ndarray]:
        """All bytes, part after part, and the length of each part.

        Raises:
            ReadError: a part could not be read, or is too long for a batch.
        """
        data, lengths, status = self._ticket.wait()
        if self._remote:
            for item, reason in status.items():
                text = _SHORT if reason is None else _NOT_FETCHED.format(reason)
                raise ReadError(int(self._owners[item]), text)
        elif status[:, 0].any():
            item = int(np.flatnonzero(status[:, 0])[0])
            raise ReadError(int(self._owners[item]), self._reason(*map(int, status[item])))
        if len(data) > LARGEST and lengths.max() > LARGEST:
            raise ReadError(
                int(self._owners[lengths.argmax()]),
                f"it has {lengths.max()} bytes; extents are 32-bit. Split it.",
            )
        return data, lengths

    def _reason(self, code: int, detail: int) -> str:
        if code == StatusCode.TRUNCATED:
            return _CHANGED if self._whole else _SHORT
        return _REASONS.get(StatusCode(code)) or (
            f"it could not be read ({os.strerror(detail)}). Make it readable and read again, "
            "or leave it out of the list."
        )


@final
class PartsRequest(Request):
    """Parts under way, and what makes outputs of their bytes and lengths."""

    def __init__(
        self, parts: Parts, decode: Callable[[np.ndarray, np.ndarray], tuple[Output, ...]]
    ):
        self._parts = parts
        self._decode = decode

    def result(self) -> tuple[Output, ...]:
        return self._decode(*self._parts.wait())


def pieces(data: np.ndarray, lengths: np.ndarray) -> list[np.ndarray]:
    """The parts one by one, as views."""
    ends = np.cumsum(lengths).tolist()
    return [data[end - n : end] for end, n in zip(ends, lengths.tolist(), strict=True)]
