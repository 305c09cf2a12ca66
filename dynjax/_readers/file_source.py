"""Whole files as samples: their bytes, and a label."""

from typing import final

import numpy as np

from .file_index import FileIndex
from .parts import Parts, PartsRequest
from .source import Output, Ragged, Source, Uniform


@final
class FileSource(Source):
    """The files of an index, read in background threads."""

    def __init__(self, index: FileIndex):
        self._index = index
        self.joins = not index.has_urls

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        return self._index.path(index)

    def listed(self, index: int) -> bytes:
        return self._index.listed(index)

    def digest(self) -> str:
        return self._index.digest()

    def request(self, indices: np.ndarray) -> PartsRequest:
        labels = self._index.labels[indices]

        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            return Ragged(data, lengths[:, None]), Uniform(labels[:, None])

        return PartsRequest(Parts(self._index.paths(indices), indices), decode)
