"""Films through FFmpeg, by the package `av`: where their frames are, and their pixels."""

import io
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, final

import numpy as np

# Of these some packets hold pictures that are only predicted from and never shown.
_HIDDEN_PICTURES = ("vp8",)

Film = str | np.ndarray  # a path, or the bytes of a file


class VideoError(ValueError):
    """A film that cannot be read. Says why."""


@final
@dataclass(frozen=True)
class FrameIndex:
    """Where the frames of a film are.

    Attributes:
        times: int64 `[F]`, ascending: when each is shown, in the film's own unit.
        seconds: float64 `[F]`, the same in seconds.
        keys: int64 `[K]`, ascending: the times of frames from which decoding can start. None: it
            must start at the beginning, and frames are counted.
        height, width: of the frames as they are shown.
        turns: quarter turns to the left, 0 to 3, that the pictures need.
    """

    times: np.ndarray
    seconds: np.ndarray
    keys: np.ndarray | None
    height: int
    width: int
    turns: int

    def __len__(self) -> int:
        return len(self.times)

    def key_before(self, frame: int) -> int:
        """The number of the last frame up to `frame` from which decoding can start."""
        if self.keys is None:
            return 0
        at = int(np.searchsorted(self.keys, self.times[frame], side="right")) - 1
        return int(np.searchsorted(self.times, self.keys[at])) if at >= 0 else 0


def video_library() -> Any:
    """The package `av`. Raises ImportError, with what to do, where it is missing."""
    try:
        import av  # type: ignore[import-not-found]
    except ImportError as error:
        raise ImportError(
            f"films need the package av. Install it: pip install av ({error})"
        ) from error
    return av


def index_frames(film: Film) -> FrameIndex:
    """Finds the frames of a film: reads its packets, and decodes its first picture.

    Raises:
        VideoError: it is no film, or holds no frame.
        ImportError: the package `av` is missing.
    """
    with _opened(film) as (container, stream):
        first = next(container.decode(stream), None)
        if first is None:
            raise VideoError("it holds no frame")
        turns = round(first.rotation / 90) % 4 if first.rotation % 90 == 0 else 0
        size = (first.height, first.width)
    with _opened(film) as (container, stream):
        packets = [p for p in container.demux(stream) if p.size and not p.is_discard]
        times = [p.pts for p in packets]
        keys = [p.pts for p in packets if p.is_keyframe]
        hidden = stream.codec_context.name in _HIDDEN_PICTURES
        unit = float(stream.time_base)
        rate = float(stream.average_rate or stream.guessed_rate or 25)
    timed = None not in times and len(set(times)) == len(times)
    if hidden or not timed:
        with _opened(film, 0) as (container, stream):
            times = [frame.pts for frame in container.decode(stream)]
    if not times:
        raise VideoError("it holds no frame")
    if None in times or (np.diff(shown := np.array(sorted(times), np.int64)) == 0).any():
        shown = np.arange(len(times), dtype=np.int64)
        timed, unit = False, 1 / rate
    found = np.array(sorted(keys), np.int64) if timed else None
    height, width = size if turns % 2 == 0 else size[::-1]
    return FrameIndex(shown, shown * unit, found, height, width, turns)


def read_frames(
    film: Film,
    index: FrameIndex,
    numbers: np.ndarray,
    target: np.ndarray,
    *,
    ycbcr: bool = False,
    threads: int = 1,
) -> None:
    """Decodes frames; those with negative numbers are left alone.

    Args:
        film: what `index` was made of.
        index: its frames.
        numbers: `[F]`, in any order, also repeated.
        target: `[F, height, width, 3]`; uint8 or float.
        ycbcr: luma and chroma as the file has them, instead of red, green and blue.
        threads: of the decoder; 0 chooses.

    Raises:
        VideoError: a frame is damaged or missing.
    """
    wanted = np.unique(numbers[numbers >= 0])
    video_library()
    converter = _Converter(ycbcr)
    for number, frame in _frames(film, index, wanted.tolist(), threads):
        picture = np.rot90(converter.pixels(frame), index.turns)
        if picture.shape != target.shape[1:]:
            raise VideoError(
                f"frame {number} has {frame.width} x {frame.height} pixels, unlike the first"
            )
        for place in np.flatnonzero(numbers == number):
            target[place] = picture


def _frames(
    film: Film, index: FrameIndex, wanted: Sequence[int], threads: int
) -> Iterator[tuple[int, Any]]:
    """The frames `wanted` (ascending), with their numbers."""
    done = 0
    try:
        for frame in _sought(film, index, wanted, threads):
            yield wanted[done], frame
            done += 1
    except _MissedError:
        # Some containers cannot go to a place exactly; from the start every frame comes by.
        rest = wanted[done:]
        try:
            for number, frame in zip(rest, _passing(film, index, rest, threads), strict=True):
                yield number, frame
                done += 1
        except _MissedError:
            raise VideoError(f"frame {wanted[done]} of {len(index)} is missing") from None


class _MissedError(Exception):
    """A frame did not come where it was looked for."""


def _sought(film: Film, index: FrameIndex, wanted: Sequence[int], threads: int) -> Iterator[Any]:
    """Frames, going forward to key frames where that saves decoding."""
    if index.keys is None:
        yield from _passing(film, index, wanted, threads)
        return
    with _opened(film, threads) as (container, stream):
        coming = 0  # the number of the next frame
        frames = container.decode(stream)
        for number in wanted:
            key = index.key_before(number)
            if key > coming:
                container.seek(int(index.times[key]), stream=stream, backward=True)
                frames = container.decode(stream)
            yield _advanced(frames, int(index.times[number]))
            coming = number + 1


def _passing(film: Film, index: FrameIndex, wanted: Sequence[int], threads: int) -> Iterator[Any]:
    """Frames, decoding all from the start."""
    with _opened(film, threads) as (container, stream):
        frames = container.decode(stream)
        coming = 0
        for number in wanted:
            if index.keys is not None:
                yield _advanced(frames, int(index.times[number]))
                continue
            frame = None
            while coming <= number:
                frame = next(frames, None)
                coming += 1
            if frame is None:
                raise _MissedError
            yield frame


def _advanced(frames: Iterator[Any], time: int) -> Any:
    """The frame that is shown at `time`."""
    for frame in frames:
        if frame.pts == time:
            if frame.is_corrupt:
                raise VideoError(f"the frame at {frame.time:.3f} s is damaged")
            return frame
        if frame.pts is not None and frame.pts > time:
            break
    raise _MissedError


@final
class _Converter:
    """Frames to arrays `[height, width, 3]`, uint8.

    It keeps what FFmpeg works out for a pair of formats, which takes as long as converting a small
    frame. The way over full chroma interpolates it; the direct conversion to RGB repeats it.
    """

    def __init__(self, ycbcr: bool):
        from av.video.reformatter import VideoReformatter  # type: ignore[import-not-found]

        self._ycbcr = ycbcr
        self._to_full: Any = VideoReformatter()
        self._to_rgb: Any = VideoReformatter()

    def pixels(self, frame: Any) -> np.ndarray:
        if self._ycbcr or (not frame.format.is_rgb and len(frame.format.components) > 1):
            frame = self._to_full.reformat(frame, format="yuv444p", interpolation="BILINEAR")
        if self._ycbcr:
            return frame.to_ndarray(channel_last=True)
        return self._to_rgb.reformat(frame, format="rgb24", interpolation="POINT").to_ndarray()


def _any_text(av: Any) -> dict[str, str]:
    """Options by which titles and the like, which nobody asks for, may be in any encoding."""
    # From version 19 on they are decoded when somebody asks for them.
    return {"metadata_errors": "replace"} if int(av.__version__.split(".")[0]) < 19 else {}


@contextmanager
def _opened(film: Film, threads: int = 1) -> Generator[tuple[Any, Any], None, None]:
    """A film and its first stream of pictures; what FFmpeg raises becomes a VideoError."""
    av = video_library()
    if not isinstance(film, str) and not len(film):
        raise VideoError("the data are empty")
    where = film if isinstance(film, str) else io.BytesIO(film.tobytes())
    try:
        with av.open(where, **_any_text(av)) as container:
            if not container.streams.video:
                raise VideoError("it holds no pictures")
            stream = container.streams.video[0]
            if stream.codec_context is None:
                raise VideoError("its codec is not known to this build of FFmpeg")
            stream.thread_type = "NONE" if threads == 1 else "AUTO"
            stream.codec_context.thread_count = threads
            yield container, stream
    except av.error.FFmpegError as error:
        raise VideoError(f"FFmpeg: {error.strerror or error}") from error
