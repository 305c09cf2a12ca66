"""Sound files as samples in time."""

import io
import struct
from dataclasses import dataclass
from typing import Any, final

import numpy as np

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_FRAMES = 1 << 16  # outputs that are resampled together


class SoundError(ValueError):
    """The bytes are no sound file that can be read."""


@final
@dataclass(frozen=True)
class Sound:
    """Decoded sound.

    Attributes:
        rate: samples a second.
        values: float64 `[n, channels]`, full scale 1.
    """

    rate: int
    values: np.ndarray


def decode_sound(content: np.ndarray) -> Sound:
    """Decodes a whole file: WAV here, other formats through the package `soundfile`.

    Raises:
        SoundError: the file is malformed, or `soundfile` is needed and missing.
    """
    if content[:4].tobytes() == b"RIFF" and content[8:12].tobytes() == b"WAVE":
        sound = _wav(content)
        if sound is not None:
            return sound
    try:
        import soundfile  # type: ignore[import-not-found]
    except ImportError:
        raise SoundError(
            "it is no plain WAV file; other formats need a package: pip install soundfile"
        ) from None
    try:
        values, rate = soundfile.read(
            io.BytesIO(content.tobytes()), dtype="float64", always_2d=True
        )
    except RuntimeError as error:
        raise SoundError(str(error)) from None
    return Sound(int(rate), values)


def _wav(content: np.ndarray) -> Sound | None:
    """None for the kinds of WAV that are not plain numbers."""
    layout: tuple[int, int, int, int] | None = None
    at = 12
    while at + 8 <= len(content):
        name = content[at : at + 4].tobytes()
        size = struct.unpack("<I", content[at + 4 : at + 8].tobytes())[0]
        # A data chunk of unknown size, as streams write it, reaches to the end of the file.
        chunk = content[at + 8 : at + 8 + size]
        if name == b"fmt ":
            layout = _wav_layout(chunk.tobytes())
        elif name == b"data":
            if layout is None:
                raise SoundError("its data come before their format")
            return _wav_sound(chunk, *layout)
        at += 8 + size + size % 2
    raise SoundError("it has no data")


def _wav_layout(chunk: bytes) -> tuple[int, int, int, int]:
    """Kind, channels, rate and bits."""
    if len(chunk) < 16:
        raise SoundError("its format chunk is cut off")
    kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", chunk[:16])
    if kind == _EXTENSIBLE and len(chunk) >= 26:
        kind = struct.unpack("<H", chunk[24:26])[0]
    if channels == 0 or rate == 0:
        raise SoundError(f"it has {channels} channels at {rate} Hz")
    return kind, channels, rate, bits


def _wav_sound(data: np.ndarray, kind: int, channels: int, rate: int, bits: int) -> Sound | None:
    width = bits // 8
    known = (kind == _PCM and bits in (8, 16, 24, 32)) or (kind == _FLOAT and bits in (32, 64))
    if not known:
        return None
    raw = data[: len(data) // (width * channels) * (width * channels)]
    if kind == _FLOAT:
        values = np.frombuffer(raw.tobytes(), f"<f{width}").astype(np.float64)
    elif bits == 8:
        values = (raw.astype(np.float64) - 128) / 128
    else:
        # Each number in the upper bytes of an int32.
        wide = np.zeros((len(raw) // width, 4), np.uint8)
        wide[:, 4 - width :] = raw.reshape(-1, width)
        values = wide.view("<i4")[:, 0] / 2.0**31
    return Sound(rate, values.reshape(-1, channels))


def resampled(values: np.ndarray, rate: float, new_rate: float, quality: float) -> np.ndarray:
    """Sound at another rate.

        out[k] = sum_i values[i] w(i - k rate / new_rate),
        w(t) = sinc(t) (1 + cos(pi t / lobes)) / 2 for |t| < lobes

    w is interpolated linearly between 32 values a sample, as the original does.

    Args:
        values: `[n, channels]`.
        rate, new_rate: in Hz.
        quality: 0 to 100; the number of lobes is `0.007 quality^2 - 0.09 quality + 3`, rounded.
    """
    lobes = round(0.007 * quality**2 - 0.09 * quality + 3)
    steps = np.arange(-lobes * 32, lobes * 32 + 1) / 32
    window = np.sinc(steps) * (1 + np.cos(np.pi * steps / lobes)) / 2
    count = int(np.ceil(len(values) * new_rate / rate))
    padded = np.pad(values, ((lobes, lobes + 1), (0, 0)))
    out = np.empty((count, values.shape[1]))
    for start in range(0, count, _FRAMES):
        position = np.arange(start, min(start + _FRAMES, count)) * (rate / new_rate)
        base = np.minimum(np.floor(position).astype(np.int64), len(values))
        near = base[:, None] + np.arange(1 - lobes, lobes + 1)
        weights = np.interp(near - position[:, None], steps, window)
        inside = np.clip(near + lobes, 0, len(padded) - 1)
        out[start : start + len(position)] = np.einsum("kt,ktc->kc", weights, padded[inside])
    return out


def converted(values: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    """Full scale 1 to the full scale of a dtype: float32, int16 or int32."""
    if dtype.kind == "f":
        return values.astype(dtype)
    info = np.iinfo(dtype)
    scaled = np.trunc(values * -float(info.min))
    return np.clip(scaled, info.min, info.max).astype(dtype)
