"""Sequences of frames with padding: `dynjax.experimental.readers.Video`."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from .._ops._lib.frame_numbers import fill_color, pad_mode_name, pad_mode_names
from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike
from .options import shared
from .reader import OnError
from .source import Source
from .video_files import VideoFiles
from .video_list import Rounding
from .video_source import VideoSource

_ROUNDINGS = {
    "start_down_end_up": (False, True),
    "start_up_end_down": (True, False),
    "all_up": (True, True),
    "all_down": (False, False),
}


@final
class Video(VideoFiles):
    """Reads sequences of frames from films.

    | output | when | shape and dtype |
    |---|---|---|
    | frames | always | uint8 `(F, H, W, 3)`, layout `"FHWC"` |
    | label | `labels`, `file_list` or `file_root` | int32 `(1,)` |
    | number of the first frame, or of each | `enable_frame_num` | int32 `(1,)`, or `(F,)` |
    | times of the frames in seconds | `enable_timestamps` | float64 `(F,)` |

    The package `av` decodes: `pip install av`, or the extra `video`. All its codecs serve, any
    frame rate, constant or not; films that carry a rotation are turned upright. Frames are found
    exactly, from the key frame before; the first read goes through all films once, to find them.

    Args:
        enable_frame_num: `"none"`, `"scalar"` (or True) or `"sequence"`; -1 for frames that hold
            the fill value.
        enable_timestamps: see above; -1 likewise.
        file_list: path of a text file with lines `path label [start [end]]`; relative paths start
            from the working folder. The end is not included.
        file_list_format: `"timestamps"`: start and end are in seconds; `"frames"`: numbers from 0,
            negative ones counted from the end.
        file_list_rounding: which way start and end go to the nearest frame: `"start_down_end_up"`,
            `"start_up_end_down"`, `"all_up"` or `"all_down"`.
        file_list_include_end: accepted; without effect, as in the original.
        file_root: folder of class folders of films; the labels count the folders.
        filenames: paths, with `labels` or without.
        labels: one integer for each of `filenames`; an empty list numbers them.
        fill_value: of `pad_mode="constant"`, 0 to 255; one number, or one a channel.
        image_type: RGB, or YCbCr: luma and chroma as the file has them.
        pad_mode: `"none"`: complete sequences only. Else what completes one more in each film:
            `"constant"`, `"edge"` (`"repeat"`), `"reflect_1001"` (`"symmetric"`) or `"reflect_101"`
            (`"reflect"`); see `decoders.video`.
        sequence_length: frames of a sequence.
        step: from the start of a sequence to that of the next, in frames. Default, and below 1:
            `sequence_length * stride`.
        stride: from frame to frame. Default: 1.
        uniform_sample: one sequence a film, spread evenly from its first to its last frame;
            frames repeat where there are too few.
        device: `"gpu"` moves what was decoded on the host.
        max_batch_size, name, and the other arguments: as in `readers.File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `experimental.readers.Video`, which passes over films that it cannot read; here
    `on_error="skip"` does, with a warning.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        dont_use_mmap: bool | None = False,
        enable_frame_num: str | bool | None = "none",
        enable_timestamps: bool | None = False,
        file_list: PathLike | None = None,
        file_list_format: str | None = "timestamps",
        file_list_include_end: bool | None = True,
        file_list_rounding: str | None = "start_down_end_up",
        file_root: PathLike | None = None,
        filenames: PathLike | Sequence[PathLike] | None = None,
        fill_value: int | Sequence[int] | None = None,
        image_type: Any = None,
        initial_fill: int | None = 1024,
        labels: int | Sequence[int] | None = None,
        lazy_init: bool | None = False,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        pad_mode: str | None = "none",
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        seed: int | None = -1,
        sequence_length: int,
        shard_id: int | None = 0,
        skip_cached_images: bool | None = False,
        step: int | None = -1,
        stick_to_shard: bool | None = False,
        stride: int | None = 1,
        tensor_init_bytes: int | None = 1048576,
        uniform_sample: bool | None = False,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        operator = "experimental.readers.Video"
        try:
            fill = fill_color(operator, 0 if fill_value is None else fill_value)
        except ValueError as error:
            raise OperatorError(str(error)) from None
        mode = "none" if pad_mode is None else pad_mode
        super().__init__(
            operator,
            **shared(locals()),
            filenames=filenames,
            labels=labels,
            file_list=file_list,
            file_root=file_root,
            sequence_length=sequence_length,
            step=step,
            stride=stride,
            pad_mode=pad_mode_name(mode) or mode,
            uniform=bool(uniform_sample),
            image_type=image_type,
            enable_frame_num=enable_frame_num,
            enable_timestamps=enable_timestamps,
            fill=fill,
            dtype=np.dtype(np.uint8),
        )
        self._list_format = "timestamps" if file_list_format is None else file_list_format
        self._list_rounding = file_list_rounding or "start_down_end_up"

    def __call__(self, *, batch_size: int | None = None, pad_mode: str | None = None) -> Any:
        """Reads once, as `Reader.__call__`.

        Args:
            batch_size: as there.
            pad_mode: what completes the sequences of this read, instead of the constructor's mode;
                which sequences there are is the constructor's.
        """
        if pad_mode is None:
            return super().__call__(batch_size=batch_size)
        mode = pad_mode_name(pad_mode)
        if mode is None:
            raise OperatorError(
                f"{self._label}: pad_mode={pad_mode!r}; expected one of {pad_mode_names()}."
            )
        opened = self._ready()
        source, ahead = opened.source, opened.ahead
        assert isinstance(source, VideoSource)
        own, source.pad_mode = source.pad_mode, mode
        ahead.drop()  # what lies ready was padded in another way
        try:
            return super().__call__(batch_size=batch_size)
        finally:
            source.pad_mode = own
            ahead.drop()

    def _open(self) -> Source:
        if self._list_rounding not in _ROUNDINGS:
            raise OperatorError(
                f"{self._label}: file_list_rounding={self._list_rounding!r}; expected one of "
                f"{', '.join(_ROUNDINGS)}."
            )
        return super()._open()

    def _rounding(self) -> Rounding:
        start_up, end_up = _ROUNDINGS[self._list_rounding]
        if self._list_format == "frames":
            return Rounding("frames", start_up, end_up)
        if self._list_format == "timestamps":
            return Rounding("timestamps", start_up, end_up)
        raise OperatorError(
            f"{self._label}: file_list_format={self._list_format!r}; expected 'frames' or "
            "'timestamps'."
        )
