"""Sequences of frames as samples."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from .._ops._lib.decoder_threads import submitted
from .._ops._lib.frame_numbers import FILLED, evenly, padded_numbers
from .._ops._lib.video import FrameIndex, VideoError, index_frames, read_frames
from .._types.storage import capacity
from .names import NameTable
from .source import Output, Ragged, ReadError, Request, Source, Uniform, gathered
from .video_list import Clip, Rounding


@final
@dataclass(frozen=True)
class Sequences:
    """How films are cut into sequences.

    Attributes:
        length: frames of a sequence.
        step: from the start of one to the start of the next.
        stride: from frame to frame.
        pad_mode: a plain name, see `padded_numbers`; `"none"` makes complete sequences only.
        uniform: one sequence a clip, spread evenly; the other attributes but `length` do not count.
    """

    length: int
    step: int
    stride: int
    pad_mode: str = "none"
    uniform: bool = False

    def starts(self, first: int, stop: int) -> np.ndarray:
        """Where sequences start in the frames from `first` to `stop - 1`."""
        if self.uniform:
            return np.array([first] if stop > first else [], np.int64)
        # A whole stride after the last frame is wanted too, as in the original.
        reach = self.length * self.stride
        starts = np.arange(first, stop, self.step, dtype=np.int64)
        complete = int(np.count_nonzero(starts + reach <= stop))
        # Of incomplete ones only the first: the others would hold less of the same frames.
        return starts[: complete + (self.pad_mode != "none")]

    def numbers(self, start: int, first: int, stop: int, pad_mode: str) -> np.ndarray:
        """The frames of the sequence at `start`; `FILLED` for those that hold the fill value."""
        if self.uniform:
            return evenly(first, stop, self.length)
        wanted = start + self.stride * np.arange(self.length, dtype=np.int64)
        numbers = padded_numbers(wanted - first, stop - first, pad_mode)
        return np.where(numbers == FILLED, FILLED, numbers + first)


@final
@dataclass(frozen=True)
class VideoForm:
    """The form of the frames, and which outputs follow them."""

    fill: np.ndarray
    ycbcr: bool
    dtype: np.dtype[Any]
    normalized: bool
    with_labels: bool
    frame_numbers: Literal["none", "scalar", "sequence"]
    with_times: bool


@final
@dataclass(frozen=True)
class Film:
    """A clip whose frames have been found: those from `first` to `stop - 1` count."""

    clip: Clip
    index: FrameIndex
    first: int
    stop: int


def found_films(
    clips: Sequence[Clip], rounding: Rounding, failed: Callable[[Clip, str], None]
) -> list[Film]:
    """Finds the frames of clips; `failed` hears of those that cannot be read."""
    paths = dict.fromkeys(clip.path for clip in clips)
    waiting = {path: submitted(index_frames, path) for path in paths}
    films: list[Film] = []
    for clip in clips:
        try:
            index = waiting[clip.path].result()
        except VideoError as error:
            failed(clip, str(error))
            continue
        films.append(Film(clip, index, *clip.frames(index, rounding)))
    return films


@final
class VideoSource(Source):
    """Sequences of films. `pad_mode` applies when a batch is taken: a call can set its own."""

    def __init__(self, films: Sequence[Film], sequences: Sequences, form: VideoForm):
        self._films = films
        self._sequences = sequences
        self._form = form
        self.pad_mode = sequences.pad_mode
        starts = [sequences.starts(f.first, f.stop) for f in films]
        self._film_of = np.repeat(np.arange(len(films)), [len(s) for s in starts])
        self._starts = np.concatenate(starts) if starts else np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._starts)

    def name(self, index: int) -> bytes:
        return os.fsencode(self._films[self._film_of[index]].clip.path)

    def digest(self) -> str:
        names = NameTable(os.fsencode(os.path.basename(f.clip.path)) for f in self._films)
        parts = np.array([(f.clip.label, len(f.index), f.first, f.stop) for f in self._films])
        return names.digest(parts.tobytes(), repr(self._sequences).encode())

    def request(self, indices: np.ndarray) -> "VideoRequest":
        films = [self._films[i] for i in self._film_of[indices]]
        starts = self._starts[indices].tolist()
        numbers = [
            self._sequences.numbers(start, film.first, film.stop, self.pad_mode)
            for start, film in zip(starts, films, strict=True)
        ]
        return VideoRequest(indices, films, numbers, self._form)


@final
class VideoRequest(Request):
    """Sequences that are being decoded, one in a thread."""

    def __init__(
        self,
        indices: np.ndarray,
        films: Sequence[Film],
        numbers: Sequence[np.ndarray],
        form: VideoForm,
    ):
        self._indices = indices
        self._films = films
        self._numbers = numbers
        self._form = form
        shapes = [
            (len(n), f.index.height, f.index.width, 3) for n, f in zip(numbers, films, strict=True)
        ]
        self._shapes = np.array(shapes, np.int64)
        ends = np.cumsum(self._shapes.prod(axis=1)).tolist()
        self._values = np.empty(capacity(ends[-1]), form.dtype)
        begins = [0, *ends[:-1]]
        targets = [
            self._values[a:b].reshape(shape)
            for a, b, shape in zip(begins, ends, shapes, strict=True)
        ]
        self._work = list(zip(films, numbers, targets, strict=True))
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._jobs: list[Future[Any]] = [
            submitted(_decode, *work, self._form) for work in self._work
        ]

    def __del__(self):
        for job in getattr(self, "_jobs", ()):
            job.cancel()

    def result(self) -> tuple[Output, ...]:
        if os.getpid() != self._process:  # a forked child has none of its parent's threads
            self._start()
        for sample, job in zip(self._indices.tolist(), self._jobs, strict=True):
            try:
                job.result()
            except VideoError as error:
                raise ReadError(sample, f"{error}. Leave the film out, or repair it.") from None
        form = self._form
        outputs: list[Output] = [Ragged(self._values, self._shapes, "FHWC")]
        if form.with_labels:
            labels = np.array([f.clip.label for f in self._films], np.int32)
            outputs.append(Uniform(labels[:, None]))
        if form.frame_numbers == "scalar":
            outputs.append(Uniform(np.array([n[:1] for n in self._numbers], np.int32)))
        if form.frame_numbers == "sequence":
            outputs.append(gathered([n.astype(np.int32) for n in self._numbers]))
        if form.with_times:
            pairs = zip(self._films, self._numbers, strict=True)
            outputs.append(gathered([np.where(n < 0, -1.0, f.index.seconds[n]) for f, n in pairs]))
        return tuple(outputs)


def _decode(film: Film, numbers: np.ndarray, target: np.ndarray, form: VideoForm) -> None:
    target[numbers < 0] = form.fill
    read_frames(film.clip.path, film.index, numbers, target, ycbcr=form.ycbcr)
    if form.normalized:
        target /= 255
