"""Sound files: what their headers say, and their samples."""

from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from .flac import flac_file
from .libsndfile import LibraryFile
from .native_sounds import NativeSound
from .sinc_windows import lobe_count, resampled
from .sound_samples import SoundError, converted
from .wav import WavFile, wav_layout

_MOST_FRAMES = int(np.iinfo(np.int32).max)


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

    def native(self, dtype: np.dtype) -> NativeSound | None:
        """What the extension reads in this dtype; None if it cannot."""
        ...

    def read(self, dtype: np.dtype) -> np.ndarray:
        """All samples, `[frames, channels]`, in float32, int16 or int32.

        Raises:
            SoundError: the data are damaged or end early.
            ImportError: they need a package that is not installed.
        """
        ...

    def read_into(self, target: np.ndarray) -> None:
        """The same, written to a contiguous array `[frames, channels]`."""
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

    def reads(self, file: SoundFile) -> np.dtype:
        """The dtype in which a file's samples are to be read."""
        return self.dtype if self.keeps(file) else np.dtype(np.float32)

    def of(self, file: SoundFile, values: np.ndarray) -> np.ndarray:
        """The samples `[n, channels]`, or `[n, 1]` if channels are mixed, of a part of a file.

        Args:
            file: where they are from.
            values: the file's samples of that part, in the dtype of `reads`.
        """
        if self.keeps(file):
            return values
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
    """Reads the header of a file: plain WAV and FLAC here, anything else through libsndfile.

    Raises:
        SoundError: it is no sound.
        ImportError: it needs a package that is not installed.
    """
    content = np.ascontiguousarray(content)
    layout = wav_layout(content)
    file: SoundFile = (
        flac_file(content) or LibraryFile(content) if layout is None else WavFile(content, layout)
    )
    if file.frames > _MOST_FRAMES:
        raise SoundError(
            f"its header claims {file.frames} samples of each channel, or does not say how many; "
            f"expected {_MOST_FRAMES} at most"
        )
    return file
