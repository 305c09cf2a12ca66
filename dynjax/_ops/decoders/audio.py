"""Decoding of sound: `dynjax.decoders.audio`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..._schema import Apply, DTypeLike, Kernel, Output, PerSample, operator
from ..._statuses import place
from ..._types.columns import Column, value_at
from ..._types.data import Data
from ..._types.dtypes import numpy_dtype
from ..._types.errors import OperatorError
from ..._types.storage import Storage
from .._lib.host_samples import batching, uninitialised
from .._lib.ready import host_samples, ready
from .._lib.sound import SoundFile, SoundForm, open_sound
from .._lib.sound_samples import SoundError
from .._lib.whole_sounds import whole_sounds

_WHAT = "decoders.audio"
_DTYPES = ("float32", "int16", "int32")
_kernel = Kernel("decode_audio", native=False, cost=8)


@operator(_WHAT, reads_data=True, devices=("cpu",), outputs=2)
def audio(
    encoded: Data,
    /,
    *,
    downmix: bool = False,
    dtype: DTypeLike = np.float32,
    quality: float = 50.0,
    sample_rate: PerSample[float] = 0.0,
) -> tuple[Output, ...]:
    """Decodes sound: WAV and FLAC itself, other formats through libsndfile.

    Formats that the package `soundfile` reads (Ogg Vorbis and Opus, MP3, AIFF, WAV with
    compression, ...) need it: `pip install soundfile`, or the extra `audio`. So do FLAC files that
    do not tell their length, are damaged or have more than 24 bits.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        downmix: average the channels.
        dtype: float32 (default, full scale 1), int16 or int32. Whole numbers that are neither
            mixed nor resampled are shifted, not rounded.
        quality: of resampling, 0 to 100; see `audio_resample`.
        sample_rate: resample to this rate in Hz. Default, and for 0: the file's.

    Returns:
        The samples, `[n, channels]`, or `[n]` with `downmix`; and the sampling rate in Hz, a
        float32 number.

    Raises:
        OperatorError: data that are no sound, are damaged or cut short, a `dtype` that is none of
            these, `quality` out of range. Names the sample and its file.
        ImportError: a file needs `soundfile` and it is not installed.

    Source: DALI `decoders.Audio`, whose files of floats come out unscaled as integers.

    Example:
        >>> import io, wave
        >>> file = io.BytesIO()
        >>> with wave.open(file, "wb") as out:
        ...     out.setparams((1, 2, 8000, 0, "NONE", ""))
        ...     out.writeframes(np.int16([0, 16384, -32768]).tobytes())
        >>> encoded = np.frombuffer(file.getvalue(), np.uint8)
        >>> samples, rate = dynjax.decoders.audio(encoded, downmix=True)
        >>> np.asarray(samples).tolist(), rate.item()
        ([0.0, 0.5, -1.0], 8000.0)
    """
    spec = encoded.spec
    if spec.ndim != 1 or spec.dtype != np.uint8:
        raise OperatorError(
            f"{_WHAT}: the input has {spec.ndim} axes of {spec.dtype.name}; expected encoded files "
            "as one axis of uint8."
        )
    out_dtype = np.dtype(numpy_dtype(dtype))
    if out_dtype.name not in _DTYPES:
        raise OperatorError(
            f"{_WHAT}: dtype={out_dtype.name}; expected one of {', '.join(_DTYPES)}."
        )
    if not 0 <= quality <= 100:
        raise OperatorError(f"{_WHAT}: quality={quality}; expected 0 to 100.")
    count, batched = batching([spec], sample_rate)
    files = [
        _opened(i, content, encoded.source)
        for i, content in enumerate(host_samples(_WHAT, encoded, count))
    ]
    forms = [
        SoundForm(out_dtype, downmix, float(value_at(sample_rate, i)), quality)
        for i in range(count)
    ]
    shape = _shape(files, forms, downmix, batched)

    def host(_: Sequence[Storage]) -> Storage:
        storage, targets = uninitialised(shape, out_dtype, count, batched)
        _fill(files, forms, targets, encoded.source)
        return storage

    pairs = zip(forms, files, strict=True)
    found = [np.array(form.rate_of(file), np.float32) for form, file in pairs]
    samples = Apply(_kernel, shape, out_dtype, None, host=host)
    return samples, ready(found, 0, np.dtype(np.float32), batched)


def _opened(sample: int, content: np.ndarray, source: Any) -> SoundFile:
    with _named(sample, source):
        return open_sound(content)


@contextmanager
def _named(sample: int, source: Any) -> Iterator[None]:
    """Errors name the sample."""
    try:
        yield
    except SoundError as error:
        raise OperatorError(f"{_WHAT}: {place(sample, source)}: {error}") from error
    except ImportError as error:
        raise ImportError(f"{_WHAT}: {place(sample, source)}: {error}") from error


def _fill(
    files: Sequence[SoundFile],
    forms: Sequence[SoundForm],
    targets: Sequence[np.ndarray],
    source: Any,
) -> None:
    rooms = [
        target.reshape(file.frames, file.channels) if form.keeps(file) else None
        for file, form, target in zip(files, forms, targets, strict=True)
    ]
    reading = whole_sounds(files, forms, rooms)
    for i, (file, form, target) in enumerate(zip(files, forms, targets, strict=True)):
        with _named(i, source):
            values = next(reading)
            if rooms[i] is None:
                target[...] = form.of(file, values).reshape(target.shape)


def _shape(
    files: Sequence[SoundFile], forms: Sequence[SoundForm], downmix: bool, batched: bool
) -> tuple[Column, ...]:
    pairs = zip(forms, files, strict=True)
    lengths = [form.count(file, file.frames) for form, file in pairs]
    if not batched:
        return (lengths[0],) if downmix else (lengths[0], files[0].channels)
    column = np.array(lengths, np.int64)
    if downmix:
        return (column,)
    channels = {f.channels for f in files}
    # The number of channels, if all share it, is a property of the source: static.
    inner = channels.pop() if len(channels) == 1 else np.array([f.channels for f in files])
    return column, inner
