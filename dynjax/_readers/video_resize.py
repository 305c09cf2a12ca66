"""Resized sequences of frames: `dynjax.readers.VideoResize`."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from .._execution.eager import call
from .._ops.resize import resize
from .._types.batch import Batch
from .._types.device import Device
from .._types.tensor import Tensor
from .arguments import PathLike
from .call_arguments import refuse_batches, refuse_twice
from .options import shared
from .reader import OnError, Outputs
from .video_files import VideoFiles
from .video_list import Rounding
from .video_plain import list_rounding, plain_form

_Numbers = Any  # a number, a list of numbers or a Tensor; in a direct call also a Batch
_Filter = Any  # a member of `types.DALIInterpType`; in a direct call also a Batch


@final
class VideoResize(VideoFiles):
    """Reads sequences of frames from films, and resizes them.

    The outputs are those of `Video`, with frames that went through `resize`.

    Args:
        antialias, interp_type, mag_filter, max_size, min_filter, minibatch_size, mode,
            resize_longer, resize_shorter, resize_x, resize_y, resize_z, roi_end, roi_relative,
            roi_start, size, subpixel_scale, temp_buffer_hint: as in `resize`.
        sequence_length, and the other arguments: as in `Video`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.VideoResize`, written from its documentation, since it needs a GPU.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        additional_decode_surfaces: int | None = 2,
        antialias: bool | None = None,
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
        interp_type: _Filter | None = None,
        labels: int | Sequence[int] | None = None,
        lazy_init: bool | None = False,
        mag_filter: _Filter | None = None,
        max_size: _Numbers | None = None,
        min_filter: _Filter | None = None,
        minibatch_size: int | None = None,
        mode: str | None = None,
        normalized: bool | None = False,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        pad_sequences: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        resize_longer: _Numbers | None = None,
        resize_shorter: _Numbers | None = None,
        resize_x: _Numbers | None = None,
        resize_y: _Numbers | None = None,
        resize_z: _Numbers | None = None,
        roi_end: _Numbers | None = None,
        roi_relative: bool | None = None,
        roi_start: _Numbers | None = None,
        seed: int | None = -1,
        sequence_length: int,
        shard_id: int | None = 0,
        size: _Numbers | None = None,
        skip_cached_images: bool | None = False,
        skip_vfr_check: bool | None = False,
        step: int | None = -1,
        stick_to_shard: bool | None = False,
        stride: int | None = 1,
        subpixel_scale: bool | None = None,
        temp_buffer_hint: int | None = None,
        tensor_init_bytes: int | None = 1048576,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        form = plain_form("readers.VideoResize", dtype, normalized, channels, pad_sequences)
        # Resizing comes between decoding and the conversion, as rounding to uint8 must be the last.
        self._dtype, form["dtype"] = form["dtype"], np.dtype(np.uint8)
        self._normalized, form["normalized"] = form["normalized"], False
        super().__init__(
            "readers.VideoResize",
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
            **form,
        )
        self._list_form = file_list_frame_num, file_list_include_preceding_frame
        given = {
            "antialias": antialias,
            "interp_type": interp_type,
            "mag_filter": mag_filter,
            "max_size": max_size,
            "min_filter": min_filter,
            "minibatch_size": minibatch_size,
            "mode": mode,
            "resize_longer": resize_longer,
            "resize_shorter": resize_shorter,
            "resize_x": resize_x,
            "resize_y": resize_y,
            "resize_z": resize_z,
            "roi_end": roi_end,
            "roi_relative": roi_relative,
            "roi_start": roi_start,
            "size": size,
            "subpixel_scale": subpixel_scale,
            "temp_buffer_hint": temp_buffer_hint,
        }
        self._resizing = {n: v for n, v in given.items() if v is not None}
        refuse_batches(self._label, self._resizing)

    def __call__(
        self,
        *,
        batch_size: int | None = None,
        interp_type: _Filter | None = None,
        mag_filter: _Filter | None = None,
        min_filter: _Filter | None = None,
        resize_longer: _Numbers | None = None,
        resize_shorter: _Numbers | None = None,
        resize_x: _Numbers | None = None,
        resize_y: _Numbers | None = None,
        resize_z: _Numbers | None = None,
        roi_end: _Numbers | None = None,
        roi_start: _Numbers | None = None,
        size: _Numbers | None = None,
    ) -> Any:
        """Reads once, as `Reader.__call__`, with arguments of `resize` for this read.

        Args:
            batch_size: as there.
            interp_type, mag_filter, min_filter, resize_longer, resize_shorter, resize_x, resize_y,
                resize_z, roi_end, roi_start, size: as in `resize`; a Batch gives one for each
                sample.

        Raises:
            ArgumentError: an argument that the constructor was given too.
        """
        named = {
            "interp_type": interp_type,
            "mag_filter": mag_filter,
            "min_filter": min_filter,
            "resize_longer": resize_longer,
            "resize_shorter": resize_shorter,
            "resize_x": resize_x,
            "resize_y": resize_y,
            "resize_z": resize_z,
            "roi_end": roi_end,
            "roi_start": roi_start,
            "size": size,
        }
        given = {n: v for n, v in named.items() if v is not None}
        refuse_twice(self._label, self._resizing, given)
        own = self._resizing
        self._resizing = {**own, **given}
        try:
            return super().__call__(batch_size=batch_size)
        finally:
            self._resizing = own

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        # Not by the operator's own call: within a captured loop that would be one of its body.
        frames = call(resize, (outputs[0],), None, None, {**self._resizing, "dtype": self._dtype})
        if self._normalized:
            frames = frames * np.float32(1 / 255)
        return super()._arranged((frames, *outputs[1:]))

    def _rounding(self) -> Rounding:
        return list_rounding(*self._list_form)
