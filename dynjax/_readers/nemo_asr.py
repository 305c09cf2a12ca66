"""Speech with transcripts: `dynjax.readers.NemoAsr`."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .._ops._lib.sound import SoundFile, SoundForm, open_sound
from .._ops._lib.sound_samples import SoundError
from .._ops._lib.whole_sounds import whole_sounds
from .._types.device import Device
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .arguments import PathLike, number, paths
from .names import NameTable
from .nemo_manifest import Utterance, read_manifests
from .options import shared
from .parts import Parts, PartsRequest, pieces
from .paths import absolute
from .reader import OnError, Reader
from .source import Output, ReadError, Source, Uniform, gathered

_DTYPES = ("float32", "int16", "int32")


@final
class NemoAsr(Reader):
    """Reads speech by NeMo manifests: sound, sample rate, text, number of the entry.

    | output | when | shape and dtype |
    |---|---|---|
    | sound | always | `dtype` `(n,)`, or `(n, channels)` without `downmix` |
    | sample rate of the file, in Hz | `read_sample_rate` | float32 `()` |
    | text | `read_text` | uint8 `(n,)`, UTF-8 |
    | number of the entry | `read_idxs` | int64 `(1,)` |

    A manifest has a JSON object a line: `audio_filepath`, and if present `duration` and `offset`
    in seconds and `text`. WAV and FLAC files are decoded here, others by the
    package `soundfile`.

    Args:
        downmix: average the channels.
        dtype: float32, int16 or int32.
        manifest_filepaths: one or more manifests.
        max_duration, min_duration: entries of other durations, in seconds, are left out; a maximum
            of 0 is none.
        normalize_text: without effect.
        quality: of resampling, 0 to 100.
        read_idxs, read_sample_rate, read_text: see above.
        sample_rate: the sound's, in Hz, by resampling. Default: the file's.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.NemoAsr`. A line that is no entry raises; there it is passed over.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        dont_use_mmap: bool | None = False,
        downmix: bool | None = True,
        dtype: Any = None,
        initial_fill: int | None = 1024,
        lazy_init: bool | None = False,
        manifest_filepaths: PathLike | Sequence[PathLike],
        max_duration: float | None = 0.0,
        min_duration: float | None = 0.0,
        normalize_text: Any = None,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        quality: float | None = 50.0,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        read_idxs: bool | None = False,
        read_sample_rate: bool | None = True,
        read_text: bool | None = True,
        sample_rate: float | None = -1.0,
        seed: int | None = -1,
        shard_id: int | None = 0,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = 0,
        skip_cached_images: bool | None = False,
        stick_to_shard: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.NemoAsr", **shared(locals()))
        del normalize_text
        self._manifests = paths(self._label, "manifest_filepaths", manifest_filepaths)
        self._limits = (
            number(self._label, "min_duration", min_duration, 0.0),
            number(self._label, "max_duration", max_duration, 0.0),
        )
        self._form = Form(
            np.dtype(np.float32) if dtype is None else np.dtype(numpy_dtype(dtype)),
            downmix is not False,
            number(self._label, "sample_rate", sample_rate, -1.0),
            number(self._label, "quality", quality, 50.0),
            read_sample_rate is not False,
            read_text is not False,
            bool(read_idxs),
        )

    def _open(self) -> Source:
        form = self._form
        if form.dtype.name not in _DTYPES:
            raise OperatorError(
                f"{self._label}: dtype={form.dtype.name}; expected one of {', '.join(_DTYPES)}."
            )
        if not 0 <= form.quality <= 100:
            raise OperatorError(f"{self._label}: quality={form.quality}; expected 0 to 100.")
        return NemoAsrSource(read_manifests(self._label, self._manifests, *self._limits), form)


@final
@dataclass(frozen=True)
class Form:
    """The form of the sound, and which outputs follow it."""

    dtype: np.dtype[Any]
    downmix: bool
    rate: float
    quality: float
    with_rate: bool
    with_text: bool
    with_number: bool


@final
class NemoAsrSource(Source):
    """Sound files by manifest."""

    def __init__(self, entries: Sequence[Utterance], form: Form):
        self._entries = entries
        self._form = form

    def __len__(self) -> int:
        return len(self._entries)

    def name(self, index: int) -> bytes:
        return os.fsencode(self._entries[index].path)

    def digest(self) -> str:
        names = NameTable(os.path.basename(self.name(i)) for i in range(len(self)))
        times = [(e.offset, -1.0 if e.duration is None else e.duration) for e in self._entries]
        return names.digest(np.array(times).tobytes(), *(e.text for e in self._entries))

    def request(self, indices: np.ndarray) -> PartsRequest:
        entries = [self._entries[i] for i in indices.tolist()]
        files = [absolute(e.path) for e in entries]

        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            form = self._form
            numbers = indices.tolist()
            files: list[SoundFile] = []
            for index, block in zip(numbers, pieces(data, lengths), strict=True):
                with _named(index):
                    files.append(open_sound(block))
            wanted = SoundForm(form.dtype, form.downmix, form.rate, form.quality)
            reading = whole_sounds(files, [wanted] * len(files), [None] * len(files))
            sounds: list[np.ndarray] = []
            for index, file, entry in zip(numbers, files, entries, strict=True):
                with _named(index):
                    values = wanted.of(file, next(reading)[entry.part(file.rate)])
                sounds.append(values[:, 0] if form.downmix else values)
            outputs: list[Output] = [gathered(sounds)]
            if form.with_rate:
                outputs.append(Uniform(np.array([file.rate for file in files], np.float32)))
            if form.with_text:
                outputs.append(gathered([np.frombuffer(e.text, np.uint8) for e in entries]))
            if form.with_number:
                numbers = np.array([e.number for e in entries], np.int64)
                outputs.append(Uniform(numbers[:, None]))
            return tuple(outputs)

        return PartsRequest(Parts(files, indices), decode)


@contextmanager
def _named(index: int) -> Generator[None]:
    """Errors name the entry."""
    try:
        yield
    except (SoundError, ImportError) as error:
        raise ReadError(index, f"{error}. Leave it out of the manifest.") from None
