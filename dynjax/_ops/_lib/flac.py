"""FLAC files without irregularities."""

from typing import final

import numpy as np

from ..._native import native
from .libsndfile import LibraryFile
from .native_sounds import FLAC, NativeSound, read_sounds


@final
class FlacFile:
    """A `SoundFile`. What proves to be irregular is left to libsndfile, which says what it is."""

    def __init__(self, content: np.ndarray, channels: int, rate: int, frames: int):
        self.rate = rate
        self.channels = channels
        self.frames = frames
        self._content = content

    def native(self, dtype: np.dtype) -> NativeSound:
        """See `SoundFile`."""
        del dtype
        return NativeSound(FLAC, self._content)

    def read(self, dtype: np.dtype) -> np.ndarray:
        """See `SoundFile`."""
        values = np.empty((self.frames, self.channels), dtype)
        self.read_into(values)
        return values

    def read_into(self, target: np.ndarray) -> None:
        """See `SoundFile`."""
        (filled,) = read_sounds([self.native(target.dtype)], [target])
        if not filled:
            LibraryFile(self._content).read_into(target)


def flac_file(content: np.ndarray) -> FlacFile | None:
    """The FLAC file that these contiguous bytes are.

    None for other formats, and where libsndfile is to decide: of damaged headers, unknown lengths
    and more than 24 bits.
    """
    if content[:4].tobytes() != b"fLaC":
        return None
    found = native.peek_flac(content)
    return None if found is None else FlacFile(content, *found)
