"""Byte ranges of files by number: the index of formats that pack many samples into one file."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .parts import Parts
from .paths import absolute


@final
@dataclass(frozen=True)
class RecordIndex:
    """Records, file after file.

    Attributes:
        files: the paths.
        starts: int64 `[files + 1]`, the number of each file's first record.
        ranges: int64 `[N, 2]`, offset and size of each record.
    """

    files: Sequence[bytes]
    starts: np.ndarray
    ranges: np.ndarray

    @staticmethod
    def of(operator: str, paths: Sequence[PathLike], tables: Sequence[np.ndarray]) -> "RecordIndex":
        """The index of files with a table `[n, 2]` each. Raises OperatorError without records."""
        ranges = np.concatenate(list(tables)) if tables else np.zeros((0, 2), np.int64)
        if not len(ranges):
            shown = [os.fspath(p) for p in paths]
            raise OperatorError(f"{operator}: {shown!r} hold no record; expected at least one.")
        starts = np.cumsum([0, *map(len, tables)])
        return RecordIndex([absolute(p) for p in paths], starts, ranges)

    def __len__(self) -> int:
        return len(self.ranges)

    def file_of(self, indices: np.ndarray) -> np.ndarray:
        """The number of the file of each record."""
        return np.searchsorted(self.starts, indices, side="right") - 1

    def name(self, index: int) -> bytes:
        """The path of the file, and where in it the record starts."""
        file = self.files[int(self.file_of(np.array(index)))]
        return b"%s at byte %d" % (file, self.ranges[index, 0])

    def digest(self) -> str:
        """A hash of the table and the names of the files. Their folder may change."""
        state = hashlib.blake2b(np.ascontiguousarray(self.ranges).tobytes(), digest_size=12)
        for file in self.files:
            state.update(os.path.basename(file) + b"\0")
        return state.hexdigest()

    def read(self, indices: np.ndarray) -> Parts:
        """Starts to read records."""
        files = [self.files[k] for k in self.file_of(indices).tolist()]
        return Parts(files, indices, self.ranges[indices, 0], self.ranges[indices, 1])
