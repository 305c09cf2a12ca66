"""Sequences of frames: `dynjax.readers.Video`."""

from collections.abc import Sequence
from typing import Any, final

from .._types.device import Device
from .arguments import PathLike
from .options import shared
from .reader import OnError
from .video_files import VideoFiles
from .video_list import Rounding
from .video_plain import list_rounding, plain_form


@final
class Video(VideoFiles):
    """Reads sequences of frames from films.

    As `experimental.readers.Video`, which documents outputs, arguments and the package that is
    needed; the arguments that are here and not there:

    Args:
        channels: 3.
        dtype: of the frames, uint8 (default) or float32.
        normalized: frames from 0 to 1 instead of 0 to 255; needs float32.
        file_list: lines `path label [start [end]]`: times in seconds, of which the start is rounded
            up to a frame and the end down; the end is not included.
        file_list_frame_num: start and end are frame numbers; negative ones count from the end.
        file_list_include_preceding_frame: round times the other way: the start down, the end up.
        pad_sequences: complete the last sequence of each film with frames of zeros, whose numbers
            and times are -1.
        sequence_length, step, stride, labels, filenames, file_root, image_type, enable_frame_num,
            enable_timestamps, device: see there.
        additional_decode_surfaces, skip_vfr_check: accepted; without effect: any frame rate is
            read.
        max_batch_size, name, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.Video`, written from its documentation, since it needs a GPU.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        additional_decode_surfaces: int | None = 2,
        channels: int | None = 3,
        dont_use_mmap: bool | None = False,
        dtype: Any = None,
        enable_frame_num: str | bool | None = "none",
        enable_timestamps: bool | None = False,
        file_list: PathLike | None = None,
        file_list_frame_num: bool | None = False,
        file_list_include_preceding_frame: bool | None = False,
        file_root: PathLike | None = None,
        filenames: PathLike | Sequence[PathLike] | None = None,
        image_type: Any = None,
        initial_fill: int | None = 1024,
        labels: int | Sequence[int] | None = None,
        lazy_init: bool | None = False,
        normalized: bool | None = False,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        pad_sequences: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        seed: int | None = -1,
        sequence_length: int,
        shard_id: int | None = 0,
        skip_cached_images: bool | None = False,
        skip_vfr_check: bool | None = False,
        step: int | None = -1,
        stick_to_shard: bool | None = False,
        stride: int | None = 1,
        tensor_init_bytes: int | None = 1048576,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__(
            "readers.Video",
            **shared(locals()),
            filenames=filenames,
            labels=labels,
            file_list=file_list,
            file_root=file_root,
            sequence_length=sequence_length,
            step=step,
            stride=stride,
            image_type=image_type,
            enable_frame_num=enable_frame_num,
            enable_timestamps=enable_timestamps,
            **plain_form("readers.Video", dtype, normalized, channels, pad_sequences),
        )
        self._list_form = file_list_frame_num, file_list_include_preceding_frame

    def _rounding(self) -> Rounding:
        return list_rounding(*self._list_form)
