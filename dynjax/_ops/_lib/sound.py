"""Sound files: what their headers say, and their samples."""

from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from .libsndfile import LibraryFile
from .sinc_windows import lobe_count, resampled
from .sound_samples import converted
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

    def read_into(self, target: np.ndarray) -> None:
        """The same, written to an array `[frames, channels]`."""
        ...


@final
@dataclass(frozen=True, slots=True)
class SoundForm:
    """How samples are wanted.

    Attributes:
        dtype: float32, int16 or int32.
        downmix: average the channels.
        rate: in Hz; 0 or less for the file's.
        quality: of resampling, see `lobe_count`.
    """

    dtype: np.dtype
    downmix: bool
    rate: float
    quality: float

    def keeps(self, file: SoundFile) -> bool:
        """Whether the file's own samples are wanted, which are then not rounded."""
        return not self._mixes(file) and not self._resamples(file)

    def rate_of(self, file: SoundFile) -> float:
        """In Hz."""
        return self.rate if self.rate > 0 else float(file.rate)

    def count(self, file: SoundFile, frames: int) -> int:
        """How many samples become of `frames` samples of each channel."""
        return int(np.ceil(frames * (self.rate_of(file) / file.rate)))

    def samples(self, file: SoundFile, part: slice = slice(None)) -> np.ndarray:
        """A part of a file, `[n, channels]`, or `[n, 1]` if channels are mixed.

        Raises:
            SoundError: see `SoundFile.read`.
        """
        if self.keeps(file):
            return file.read(self.dtype)[part]
        values = file.read(np.dtype(np.float32))[part]
        if self._mixes(file):
            values = values.mean(axis=1, keepdims=True)
        if self._resamples(file):
            step = file.rate / self.rate_of(file)
            count = self.count(file, len(values))
            values = resampled(values, step, count, lobe_count(self.quality))
        return converted(values, self.dtype)

    def _mixes(self, file: SoundFile) -> bool:
        return self.downmix and file.channels > 1

    def _resamples(self, file: SoundFile) -> bool:
        return self.rate_of(file) != file.rate


def open_sound(content: np.ndarray) -> SoundFile:
    """Reads the header of a file: WAV of plain numbers here, anything else through libsndfile.

    Raises:
        SoundError: it is no sound.
        ImportError: it needs a package that is not installed.
    """
    layout = wav_layout(content)
    return LibraryFile(content) if layout is None else WavFile(content, layout)
