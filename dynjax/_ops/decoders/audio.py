"""Decoding of sound: `dynjax.decoders.audio`."""

from collections.abc import Sequence
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
    files = _opened(host_samples(_WHAT, encoded, count), encoded.source)
    rates = [float(value_at(sample_rate, i)) for i in range(count)]
    known = {rate: SoundForm(out_dtype, downmix, rate, quality) for rate in set(rates)}
    forms = [known[rate] for rate in rates]
    shape = _shape(files, forms, downmix, batched)

    def host(_: Sequence[Storage]) -> Storage:
        storage, targets = uninitialised(shape, out_dtype, count, batched)
        _fill(files, forms, targets, encoded.source)
        return storage

    pairs = zip(forms, files, strict=True)
    found = [np.array(form.rate_of(file), np.float32) for form, file in pairs]
    samples = Apply(_kernel, shape, out_dtype, None, host=host)
    return samples, ready(found, 0, np.dtype(np.float32), batched)


def _opened(contents: Sequence[np.ndarray], source: Any) -> list[SoundFile]:
    files: list[SoundFile] = []
    try:
        for content in contents:
            files.append(open_sound(content))
    except (SoundError, ImportError) as error:
        raise _named(error, len(files), source) from error
    return files


def _named(error: SoundError | ImportError, sample: int, source: Any) -> Exception:
    """The error with the name of its sample."""
    kind = ImportError if isinstance(error, ImportError) else OperatorError
    return kind(f"{_WHAT}: {place(sample, source)}: {error}")


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
    i = -1
    try:
        for i, values in enumerate(whole_sounds(files, forms, rooms)):
            if rooms[i] is None:
                targets[i][...] = forms[i].of(files[i], values).reshape(targets[i].shape)
    except (SoundError, ImportError) as error:
        # Raised instead of the samples of the next file.
        raise _named(error, i + 1, source) from error


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
