"""Sources whose samples are the files of an index, a file each."""

import numpy as np

from .file_index import FileIndex
from .parts import Parts
from .source import Source


class IndexedFiles(Source):
    """What all of them have in common; a format adds `request`.

    Args:
        index: the files, with their labels.
    """

    def __init__(self, index: FileIndex):
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        return self._index.path(index)

    def listed(self, index: int) -> bytes:
        return self._index.listed(index)

    def digest(self) -> str:
        return self._index.digest()

    def _parts(self, indices: np.ndarray) -> Parts:
        return Parts(self._index.paths(indices), indices)
