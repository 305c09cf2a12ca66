"""Sound files through libsndfile, by the package `soundfile`."""

import io
import threading
from typing import Any, final

import numpy as np

from .native_sounds import NativeSound
from .sound_samples import SoundError, converted

_STARTS = (b"fLaC", b"OggS", b"RIFF", b"RIFX", b"RF64", b"riff", b"FORM", b".snd", b"caff", b"ID3")


def _library() -> Any:
    try:
        import soundfile  # type: ignore[import-not-found]
    except (ImportError, OSError) as error:  # OSError: the package without the library
        raise ImportError(
            "formats other than plain WAV and FLAC need the package soundfile. Install it: "
            f"pip install soundfile ({error})"
        ) from error
    return soundfile


def _may_be_sound(content: np.ndarray) -> bool:
    """Whether the bytes begin like a sound file; MP3 has a header without a word."""
    start = content[:4].tobytes()
    mpeg = start[:1] == b"\xff" and len(start) > 1 and start[1] & 0xE0 == 0xE0
    return mpeg or start.startswith(_STARTS)


@final
class LibraryFile:
    """A `SoundFile`."""

    def __init__(self, content: np.ndarray):
        if not _may_be_sound(content):
            raise SoundError(
                "the data are empty" if not len(content) else "the data are of no known format"
            )
        library = _library()
        self._lock = threading.Lock()  # the library's handle has a position
        try:
            self._file = library.SoundFile(io.BytesIO(content.tobytes()))
        except (RuntimeError, TypeError) as error:
            raise SoundError(_reason(error)) from error
        self.rate = int(self._file.samplerate)
        self.channels = int(self._file.channels)
        self.frames = int(self._file.frames)
        if self._file.format == "OGG" and self.frames == 0:
            # The length stands on the last page.
            raise SoundError("the Ogg file is truncated: its last page is missing")
        if self.rate <= 0 or self.channels <= 0 or self.frames < 0:
            raise SoundError(
                f"the file has {self.channels} channels of {self.frames} samples at {self.rate} Hz"
            )

    def native(self, dtype: np.dtype) -> NativeSound | None:
        """See `SoundFile`."""
        del dtype
        return None

    def read(self, dtype: np.dtype) -> np.ndarray:
        """See `SoundFile`."""
        # Of floats the library makes integers without regard to full scale.
        floats = self._file.subtype in ("FLOAT", "DOUBLE")
        kind = np.dtype(np.float32) if floats else dtype
        try:
            with self._lock:
                if self._file.tell():
                    self._file.seek(0)
                values = self._file.read(dtype=kind.name, always_2d=True)
        except RuntimeError as error:
            raise SoundError(_reason(error)) from error
        except (MemoryError, ValueError) as error:  # of a header that claims too much
            raise SoundError(
                f"there is no memory for its {self.frames} samples of {self.channels} channels"
            ) from error
        if len(values) != self.frames:
            raise SoundError(
                f"the file is truncated: {len(values)} of {self.frames} samples are there"
            )
        return converted(values, dtype) if floats else values

    def read_into(self, target: np.ndarray) -> None:
        """See `SoundFile`."""
        target[...] = self.read(target.dtype)


def _reason(error: Exception) -> str:
    """The library's own words, without the name of the file object."""
    text = getattr(error, "error_string", None) or str(error)
    return f"the file cannot be read: {text.strip().rstrip('.')}"
