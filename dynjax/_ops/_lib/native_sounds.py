"""Samples of sound that the extension decodes, by `ops/audio/sounds`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from ..._native import native

# Values of SoundNumber.
_NUMBERS = {np.dtype(kind): number for number, kind in enumerate(("float32", "int16", "int32"))}
FLAC = 0


@final
@dataclass(frozen=True, slots=True)
class NativeSound:
    """What the extension reads.

    Attributes:
        width: bytes of a number, for plain ones; `FLAC` for a FLAC file.
        data: the bytes, contiguous.
    """

    width: int
    data: np.ndarray


def read_sounds(sounds: Sequence[NativeSound | None], targets: Sequence[np.ndarray]) -> list[bool]:
    """Fills contiguous arrays of float32, int16 or int32; from plain numbers only of float32.

    Args:
        sounds: None for those that are not to be read.
        targets: one for each; a target that is not filled holds anything.

    Returns:
        Which were filled.
    """
    pairs = list(zip(sounds, targets, strict=True))
    rows = [_row(sound, target) for sound, target in pairs if sound is not None]
    done = iter(native.read_sounds(np.array(rows, np.int64)).tolist() if rows else ())
    return [sound is not None and bool(next(done)) for sound in sounds]


def _row(sound: NativeSound, target: np.ndarray) -> tuple[int, ...]:
    number = _NUMBERS[target.dtype]
    source = sound.width, _address(sound.data), len(sound.data)
    return *source, number, _address(target), target.size


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
