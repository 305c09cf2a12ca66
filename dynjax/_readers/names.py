"""A million names as one block of bytes."""

import hashlib
from array import array
from collections.abc import Iterable
from io import BytesIO
from typing import final

import numpy as np


@final
class NameTable:
    """An immutable sequence of byte strings without an object for each.

    A million file names as Python objects take 70 bytes each beyond their letters.
    """

    def __init__(self, names: Iterable[bytes]):
        blob, ends, end = BytesIO(), array("q", [0]), 0
        for name in names:
            end += blob.write(name)
            ends.append(end)
        self._blob = blob.getvalue()
        self._ends = np.frombuffer(ends, np.int64)

    def holds(self, text: bytes) -> bool:
        """Whether a text stands in one of the names."""
        return text in self._blob

    def initials(self) -> np.ndarray:
        """The first byte of each name that is not empty, uint8."""
        starts = self._ends[:-1][np.diff(self._ends) > 0]
        return np.frombuffer(self._blob, np.uint8)[starts]

    @classmethod
    def of(cls, blob: bytes, ends: np.ndarray) -> "NameTable":
        """A table of names that lie in one block, each up to its place in `ends`, int64."""
        table = cls(())
        table._blob, table._ends = blob, np.concatenate([np.zeros(1, np.int64), ends])
        return table

    def __len__(self) -> int:
        return len(self._ends) - 1

    def digest(self, *more: bytes) -> str:
        """A hash of all names, and of `more`."""
        state = hashlib.blake2b(self._blob, digest_size=12)
        for block in (self._ends.tobytes(), *more):
            state.update(block)
        return state.hexdigest()

    def many(self, indices: np.ndarray) -> list[bytes]:
        """Several names."""
        blob = self._blob
        starts, ends = self._ends[indices].tolist(), self._ends[indices + 1].tolist()
        return [blob[start:end] for start, end in zip(starts, ends, strict=True)]

    def __getitem__(self, i: int) -> bytes:
        return self._blob[self._ends[i] : self._ends[i + 1]]
