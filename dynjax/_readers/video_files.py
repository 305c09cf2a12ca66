"""What the readers of films share."""

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .._ops._lib.frame_numbers import pad_mode_name, pad_mode_names
from .._types.batch import Batch
from .._types.device import Device
from .._types.device import device as to_device
from .._types.enums import DALIImageType
from .._types.errors import OperatorError
from .._types.tensor import Tensor
from .arguments import PathLike, integer, path
from .reader import Outputs, Reader
from .source import Source
from .video_list import Clip, Rounding, list_clips
from .video_source import Sequences, VideoForm, VideoSource, found_films

_SPACES = (DALIImageType.RGB, DALIImageType.YCbCr)


class VideoFiles(Reader):
    """A reader of sequences of frames. Abstract: a reader says how bounds are rounded.

    With `device="gpu"` the frames are decoded on the host and moved to the device.
    """

    def __init__(
        self,
        operator: str,
        *,
        device: Device | str | None,
        filenames: PathLike | Sequence[PathLike] | None,
        labels: int | Sequence[int] | None,
        file_list: PathLike | None,
        file_root: PathLike | None,
        sequence_length: int,
        step: int | None,
        stride: int | None,
        pad_mode: str,
        uniform: bool = False,
        image_type: Any,
        enable_frame_num: str | bool | None,
        enable_timestamps: bool | None,
        fill: np.ndarray,
        dtype: np.dtype[Any],
        normalized: bool = False,
        **reader: Any,
    ):
        self._target = to_device("cpu" if device is None else device)
        super().__init__(operator, device="cpu", **reader)
        if filenames is not None and isinstance(filenames, list | tuple) and not filenames:
            filenames = None
        self._files = filenames, labels
        self._file_list = path(self._label, "file_list", file_list)
        self._file_root = path(self._label, "file_root", file_root)
        length = integer(self._label, "sequence_length", sequence_length)
        between = integer(self._label, "stride", 1 if stride is None else stride)
        apart = integer(self._label, "step", -1 if step is None else step)
        if apart < 1:
            apart = length * between
        self._sequences = Sequences(length, apart, between, pad_mode, uniform)
        self._space = DALIImageType.RGB if image_type is None else image_type
        self._numbered = enable_frame_num
        self._timed = bool(enable_timestamps)
        self._form = fill, dtype, normalized

    @abstractmethod
    def _rounding(self) -> Rounding:
        """What the bounds in a file list mean."""

    def _open(self) -> Source:
        sequences = self._sequences
        if sequences.length < 1 or sequences.stride < 1:
            raise OperatorError(
                f"{self._label}: sequence_length={sequences.length}, stride={sequences.stride}; "
                "expected at least 1."
            )
        if pad_mode_name(sequences.pad_mode) is None:
            raise OperatorError(
                f"{self._label}: pad_mode={sequences.pad_mode!r}; expected one of "
                f"{pad_mode_names()}."
            )
        rounding = self._rounding()
        clips, labelled = list_clips(
            self._label, *self._files, file_list=self._file_list, file_root=self._file_root
        )
        form = self._output_form(labelled)
        try:
            films = found_films(clips, rounding, self._unreadable)
        except ImportError as error:
            raise ImportError(f"{self._label}: {error}") from error
        source = VideoSource(films, sequences, form)
        if not len(source):
            longest = max((f.stop - f.first for f in films), default=0)
            raise OperatorError(
                f"{self._label}: no sequence of {sequences.length} frames with "
                f"stride={sequences.stride} in {len(films)} films, the longest part of which has "
                f"{longest} frames. Use shorter sequences, or pad them."
            )
        return source

    def _unreadable(self, clip: Clip, why: str) -> None:
        message = f"{self._label}: {clip.path!r}: {why}."
        if not self._skips:
            raise OperatorError(f"{message} Leave it out, or pass on_error='skip'.")
        warnings.warn(f"{message} It is left out.", stacklevel=2)

    def _output_form(self, labelled: bool) -> VideoForm:
        try:
            space = DALIImageType(self._space)
        except ValueError:
            space = None
        if space not in _SPACES:
            raise OperatorError(
                f"{self._label}: image_type={self._space!r}; expected RGB or YCbCr."
            )
        names: dict[Any, Literal["none", "scalar", "sequence"]] = {
            **{None: "none", False: "none", "none": "none", "False": "none"},
            **{True: "scalar", "scalar": "scalar", "True": "scalar", "sequence": "sequence"},
        }
        if self._numbered not in names:
            raise OperatorError(
                f"{self._label}: enable_frame_num={self._numbered!r}; expected 'none', 'scalar' or "
                "'sequence'."
            )
        fill, dtype, normalized = self._form
        return VideoForm(
            fill,
            space == DALIImageType.YCbCr,
            dtype,
            normalized,
            labelled,
            names[self._numbered],
            self._timed,
        )

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        if self._target is None or self._target.device_type == "cpu":
            return tuple(outputs)
        return tuple(output.to_device(self._target) for output in outputs)
