"""Sound files: what their headers say, and their samples."""

from typing import Protocol

import numpy as np

from .libsndfile import LibraryFile
from .wav import WavFile, wav_layout


class SoundFile(Protocol):
    """A file whose header has been read.

    Attributes:
        rate: in Hz.
        channels: at least 1.
        frames: samples of each channel.
    """

    rate: int
    channels: int
    frames: int

    def read(self, dtype: np.dtype) -> np.ndarray:
        """All samples, `[frames, channels]`, in float32, int16 or int32.

        Raises:
            SoundError: the data are damaged or end early.
        """
        ...


def open_sound(content: np.ndarray) -> SoundFile:
    """Reads the header of a file: WAV of plain numbers here, anything else through libsndfile.

    Raises:
        SoundError: it is no sound.
        ImportError: it needs a package that is not installed.
    """
    layout = wav_layout(content)
    return LibraryFile(content) if layout is None else WavFile(content, layout)
