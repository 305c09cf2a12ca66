"""WAV files of plain numbers."""

import struct
from dataclasses import dataclass
from typing import final

import numpy as np

from .native_sounds import NativeSound, read_sounds
from .sound_samples import SoundError, converted

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_WIDTHS = {_PCM: (8, 16, 24, 32), _FLOAT: (32, 64)}
_CHUNK, _FORMAT, _KIND = struct.Struct("<4sI"), struct.Struct("<HHIIHH"), struct.Struct("<H")
_UNKNOWN_SIZE = 0x7FFFF000  # what streams write whose length is not known yet, or more


@final
@dataclass(frozen=True, slots=True)
class WavLayout:
    """How numbers lie in a file.

    Attributes:
        kind: integers or floats.
        channels, rate, bits: of a number.
        start, size: of the data, in bytes.
    """

    kind: int
    channels: int
    rate: int
    bits: int
    start: int
    size: int


def wav_layout(content: np.ndarray) -> WavLayout | None:
    """The layout of a WAV file; None for other formats and for numbers of other kinds.

    Args:
        content: the file, contiguous.

    Raises:
        SoundError: the header is damaged, or the data end early.
    """
    if content[:4].tobytes() != b"RIFF" or content[8:12].tobytes() != b"WAVE":
        return None
    form: tuple[int, int, int, int] | None = None
    at, data = 12, content.data
    while at + 8 <= len(content):
        name, size = _CHUNK.unpack_from(data, at)
        at += 8
        if name == b"fmt ":
            form = _form(data, at, min(size, len(content) - at))
            if form[3] not in _WIDTHS.get(form[0], ()):
                return None
        elif name == b"data":
            if form is None:
                raise SoundError("the WAV file's data come before their format")
            return WavLayout(*form, at, _data_size(size, len(content) - at))
        at += size + size % 2
    raise SoundError("the WAV file ends before its data: it is a header only, or truncated")


def _form(content: memoryview, at: int, size: int) -> tuple[int, int, int, int]:
    """Kind, channels, rate and bits."""
    if size < _FORMAT.size:
        raise SoundError("the WAV file's format is truncated")
    kind, channels, rate, _, _, bits = _FORMAT.unpack_from(content, at)
    if kind == _EXTENSIBLE and size >= 26:
        (kind,) = _KIND.unpack_from(content, at + 24)
    if channels == 0 or rate == 0:
        raise SoundError(f"the WAV file has {channels} channels at {rate} Hz")
    return kind, channels, rate, bits


def _data_size(size: int, room: int) -> int:
    if size <= room:
        return size
    if size < _UNKNOWN_SIZE:
        raise SoundError(f"the WAV file is truncated: {room} of {size} bytes of data are there")
    return room


@final
class WavFile:
    """A `SoundFile`."""

    def __init__(self, content: np.ndarray, layout: WavLayout):
        self.rate = layout.rate
        self.channels = layout.channels
        self._width = layout.bits // 8
        self._kind = layout.kind
        self.frames = layout.size // (self._width * layout.channels)
        end = layout.start + self.frames * self._width * layout.channels
        self._data = content[layout.start : end]

    def native(self, dtype: np.dtype) -> NativeSound | None:
        """See `SoundFile`."""
        if self._kind == _FLOAT or dtype.kind != "f":
            return None
        return NativeSound(self._width, self._data)

    def read(self, dtype: np.dtype) -> np.ndarray:
        """See `SoundFile`."""
        values = np.empty((self.frames, self.channels), dtype)
        self.read_into(values)
        return values

    def read_into(self, target: np.ndarray) -> None:
        """See `SoundFile`."""
        if (native := self.native(target.dtype)) is not None:
            read_sounds([native], [target])
            return
        if self._kind == _FLOAT:
            values = converted(self._data.view(f"<f{self._width}").astype(np.float32), target.dtype)
        else:
            values = _in_type(self._integers(), target.dtype)
        target[...] = values.reshape(target.shape)

    def _integers(self) -> np.ndarray:
        """The numbers, in the narrowest signed type that holds them at the top of its range."""
        if self._width == 1:
            return (self._data ^ 0x80).view(np.int8)
        if self._width == 3:
            wide = np.zeros((len(self._data) // 3, 4), np.uint8)
            wide[:, 1:] = self._data.reshape(-1, 3)
            return wide.reshape(-1).view("<i4")
        return self._data.view(f"<i{self._width}")


def _in_type(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Integers as integers of another width: shifted, not rounded."""
    bits, wanted = 8 * values.dtype.itemsize, 8 * dtype.itemsize
    if wanted >= bits:
        return values.astype(dtype) << (wanted - bits)
    return (values >> (bits - wanted)).astype(dtype)
