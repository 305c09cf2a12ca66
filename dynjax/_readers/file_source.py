"""Whole files as samples: their bytes, and a label."""

import os
from typing import Any, final

import numpy as np

from .._native import StatusCode, native
from .file_index import FileIndex
from .source import Output, Ragged, ReadError, Request, Source, Uniform

_LARGEST = int(np.iinfo(np.int32).max)
_REASONS = {
    StatusCode.TRUNCATED: "its size changed while it was read. Leave files alone while they are "
    "in use, and read again.",
    StatusCode.UNSUPPORTED: "it is no regular file. Leave it out of the list.",
    StatusCode.TOO_LARGE: "its batch does not fit into memory. Use a smaller batch.",
}


@final
class FileRequest(Request):
    """A native read under way; no thread of it takes the GIL."""

    def __init__(self, ticket: Any, indices: np.ndarray, labels: np.ndarray):
        self._ticket = ticket
        self._indices = indices
        self._labels = labels

    def result(self) -> tuple[Output, ...]:
        data, lengths, status = self._ticket.wait()
        if status[:, 0].any():
            item = int(np.flatnonzero(status[:, 0])[0])
            code, detail = map(int, status[item])
            reason = _REASONS.get(StatusCode(code)) or (
                f"it could not be read ({os.strerror(detail)}). Make it readable and read again, "
                "or leave it out of the list."
            )
            raise ReadError(int(self._indices[item]), reason)
        if len(data) > _LARGEST and lengths.max() > _LARGEST:
            raise ReadError(
                int(self._indices[lengths.argmax()]),
                f"it has {lengths.max()} bytes; extents are 32-bit. Split it.",
            )
        return Ragged(data, lengths[:, None]), Uniform(self._labels[:, None])


@final
class FileSource(Source):
    """The files of an index, read in background threads."""

    def __init__(self, index: FileIndex):
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        return self._index.path(index)

    def request(self, indices: np.ndarray) -> FileRequest:
        ticket = native.ReadTicket([self._index.path(i) for i in indices.tolist()])
        return FileRequest(ticket, indices, self._index.labels[indices])
