"""Decoding of films: `dynjax.decoders.video`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._schema import Apply, Kernel, Output, PerSample, operator
from ..._statuses import place
from ..._types.columns import Column, is_constant, value_at
from ..._types.data import Data
from ..._types.errors import OperatorError
from ..._types.storage import Dense, Packed, Storage, capacity
from .._lib.decoder_threads import submitted
from .._lib.frame_numbers import fill_color, pad_mode_name, pad_mode_names, padded_numbers
from .._lib.ready import host_samples
from .._lib.video import FrameIndex, VideoError, index_frames, read_frames

_WHAT = "decoders.video"
_kernel = Kernel("decode_video", native=False, cost=64)


@operator(_WHAT, reads_data=True, ragged=("frames",))
def video(
    encoded: Data,
    /,
    *,
    affine: bool = True,
    build_index: bool = True,
    end_frame: PerSample[int] | None = None,
    fill_value: list[int] | None = None,
    frames: PerSample[list[int]] | None = None,
    lengths: Mapping[str, Column] | None = None,
    pad_mode: str = "constant",
    sequence_length: PerSample[int] | None = None,
    start_frame: PerSample[int] | None = None,
    stride: PerSample[int] | None = None,
) -> Output:
    """Decodes films, or some of their frames, through FFmpeg.

    The package `av` does it: `pip install av`, or the extra `video`. Frames are found by their
    numbers in the order in which they are shown, whatever their rate; only what is needed is
    decoded, from the key frame before. Films that carry a rotation are turned upright.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        start_frame: the first frame. Default: 0.
        end_frame: the frame behind the last. Default: to the end of the film.
        sequence_length: the number of frames, instead of `end_frame`.
        stride: the distance from one frame to the next. Default: 1.
        frames: the numbers of the frames, in any order, also repeated, instead of the arguments
            above; as a batch, samples may differ in how many they have.
        lengths: set by the call: how many numbers each sample has, by argument.
        pad_mode: what stands for frames that do not exist: `"constant"`, `"edge"` (or `"repeat"`)
            the nearest, `"reflect_1001"` (`"symmetric"`) and `"reflect_101"` (`"reflect"`) mirror
            images with the last frame twice or once; `"none"`: a shorter result, and an error
            with `frames`.
        fill_value: of `"constant"`: a number from 0 to 255, or one a channel. Default: 0.
        affine, build_index: accepted; without effect.

    Returns:
        Red, green and blue, uint8 `[F, H, W, 3]`, layout `"FHWC"`.

    Raises:
        OperatorError: data that are no film or damaged, arguments that exclude each other or are
            out of range. Names the sample and its file.
        ImportError: the package `av` is missing.

    Source: DALI `decoders.Video`, which leaves rotated films as they are.

    Example:
        >>> import io
        >>> av = __import__("pytest").importorskip("av")
        >>> file = io.BytesIO()
        >>> with av.open(file, "w", format="avi") as out:
        ...     film = out.add_stream("mjpeg", rate=25, width=64, height=48, pix_fmt="yuvj420p")
        ...     for grey in range(0, 250, 25):
        ...         picture = np.full((48, 64, 3), grey, np.uint8)
        ...         out.mux(film.encode(av.VideoFrame.from_ndarray(picture)))
        ...     out.mux(film.encode())
        >>> encoded = np.frombuffer(file.getvalue(), np.uint8)
        >>> clip = dynjax.decoders.video(encoded, start_frame=4, sequence_length=3, stride=2)
        >>> clip.shape, (np.asarray(clip)[:, 0, 0, 0] / 50).round().tolist()
        ((3, 48, 64, 3), [2.0, 3.0, 4.0])
    """
    del affine, build_index
    spec = encoded.spec
    if spec.ndim != 1 or spec.dtype != np.uint8:
        raise OperatorError(
            f"{_WHAT}: the input has {spec.ndim} axes of {spec.dtype.name}; expected encoded files "
            "as one axis of uint8."
        )
    mode = pad_mode_name(pad_mode)
    if mode is None:
        raise OperatorError(f"{_WHAT}: pad_mode={pad_mode!r}; expected one of {pad_mode_names()}.")
    try:
        fill = fill_color(_WHAT, 0 if fill_value is None else fill_value)
    except ValueError as error:
        raise OperatorError(str(error)) from None
    chosen = (start_frame, end_frame, sequence_length, stride)
    _check_exclusive(frames, *chosen)
    columns: list[Any] = [
        c for c in (*chosen, *(frames or ())) if c is not None and not is_constant(c)
    ]
    batched = spec.batched or bool(columns)
    count = spec.count if spec.batched or not columns else len(columns[0])

    films = host_samples(_WHAT, encoded, count)
    indices: list[FrameIndex] = []
    numbers: list[np.ndarray] = []
    waiting = [submitted(index_frames, film) for film in films]
    for i, future in enumerate(waiting):
        where = f"{_WHAT}: {place(i, encoded.source)}"
        indices.append(_outcome(future, where))
        total = len(indices[i])
        own = [None if c is None else int(value_at(c, i)) for c in chosen]
        if frames is None:
            numbers.append(padded_numbers(_range(where, total, *own), total, mode))
            continue
        stop = len(frames) if lengths is None else int(value_at(lengths["frames"], i))
        listed = np.array([value_at(c, i) for c in frames[:stop]], np.int64)
        numbers.append(padded_numbers(listed, total, mode))
        if len(numbers[i]) != stop:
            raise OperatorError(
                f"{where}: frames={listed.tolist()} of a film of {total} frames with "
                "pad_mode='none'; expected numbers of existing frames, or another pad_mode."
            )
    table = [(len(n), f.height, f.width, 3) for n, f in zip(numbers, indices, strict=True)]
    extent = np.array(table, np.int32).reshape(count, 4)
    shape: tuple[Column, ...] = (*(extent[:, a].astype(np.int64) for a in range(3)), 3)

    def host(_: Sequence[Storage]) -> Storage:
        sizes = extent.prod(axis=1, dtype=np.int64)
        buffer = np.empty(capacity(int(sizes.sum())), np.uint8)
        ends = np.cumsum(sizes).tolist()
        jobs: list[Any] = []
        for i in range(count):
            target = buffer[ends[i] - int(sizes[i]) : ends[i]].reshape(extent[i])
            target[numbers[i] < 0] = fill
            threads = 0 if count == 1 else 1
            jobs.append(submitted(_decode, films[i], indices[i], numbers[i], target, threads))
        for i, job in enumerate(jobs):
            _outcome(job, f"{_WHAT}: {place(i, encoded.source)}")
        if batched:
            return Packed(buffer, extent)
        return Dense(buffer[: ends[0]].reshape(extent[0]), False)

    if not batched:
        shape = tuple(extent[0].tolist())
    return Apply(_kernel, shape, np.dtype(np.uint8), "FHWC", host=host)


def _decode(
    film: np.ndarray, index: FrameIndex, numbers: np.ndarray, target: np.ndarray, threads: int
) -> None:
    read_frames(film, index, numbers, target, threads=threads)


def _outcome(future: Any, where: str) -> Any:
    try:
        return future.result()
    except VideoError as error:
        raise OperatorError(f"{where}: {error}.") from error
    except ImportError as error:
        raise ImportError(f"{where}: {error}") from error


def _check_exclusive(frames: Any, start: Any, end: Any, length: Any, stride: Any) -> None:
    if frames is not None and any(c is not None for c in (start, end, length, stride)):
        raise OperatorError(
            f"{_WHAT}: frames is given with start_frame, end_frame, sequence_length or stride; "
            "expected frames alone."
        )
    if end is not None and length is not None:
        raise OperatorError(
            f"{_WHAT}: end_frame and sequence_length are given; expected at most one of them."
        )


def _range(
    where: str,
    total: int,
    start: int | None,
    end: int | None,
    length: int | None,
    stride: int | None,
) -> np.ndarray:
    """The numbers that the arguments of one sample name, in the film or not."""
    start, stride = 0 if start is None else start, 1 if stride is None else stride
    if start >= total:
        raise OperatorError(
            f"{where}: start_frame={start} of a film of {total} frames; expected a frame of it."
        )
    if stride < 1 or (length is not None and length < 1):
        raise OperatorError(
            f"{where}: stride={stride}, sequence_length={length}; expected at least 1."
        )
    if end is not None and end <= start:
        raise OperatorError(
            f"{where}: end_frame={end} with start_frame={start}; expected an end behind the start."
        )
    if length is not None:
        return start + stride * np.arange(length, dtype=np.int64)
    return np.arange(start, total if end is None else end, stride, dtype=np.int64)
