"""Whole files as samples: their bytes, and a label."""

from typing import final

import numpy as np

from .file_index import FileIndex
from .indexed_files import IndexedFiles
from .parts import PartsRequest
from .source import Output, Ragged, Uniform


@final
class FileSource(IndexedFiles):
    """The files of an index, read in background threads."""

    def __init__(self, index: FileIndex):
        super().__init__(index)
        self.joins = not index.has_urls

    def request(self, indices: np.ndarray) -> PartsRequest:
        labels = self._index.labels[indices]

        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            return Ragged(data, lengths[:, None]), Uniform(labels[:, None])

        return PartsRequest(self._parts(indices), decode)
