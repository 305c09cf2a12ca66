"""NumPy arrays: `dynjax.readers.Numpy`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from .._types.device import Device
from .._types.errors import SampleError
from .arguments import PathLike, number, path, text
from .call_arguments import refuse_batches, refuse_twice
from .file_index import FileIndex, index_given
from .indexed_files import IndexedFiles
from .npy import NpyError, parse_npy
from .options import shared
from .parts import PartsRequest, pieces
from .reader import OnError, Reader
from .region import NAMES, Region, bound
from .source import Output, ReadError, Source, gathered

_Numbers = Any  # a number, a list of numbers or a Tensor; in a direct call also a Batch


@final
class Numpy(Reader):
    """Reads `.npy` files: the array of each, with its own shape and dtype.

    Arrays in Fortran order are handed out in C order, big-endian ones in the machine's. All samples
    of a batch must have one dtype and rank.

    The files come from `file_root` (its own files and those of its sub-folders, in byte order, if
    they match `file_filter`), from `file_list` (one path a line) or from `files`.

    Args:
        cache_header_information, register_buffers, use_o_direct: accepted; without effect.
        file_filter: a glob, case-sensitive.
        file_list: path of a list; relative entries start from `file_root` or the list's folder.
        file_root: a folder.
        files: paths, relative to `file_root` if that is given.
        fill_value: what a region beyond the array holds, with `out_of_bounds_policy="pad"`.
        out_of_bounds_policy: `"error"`, `"pad"` or `"trim_to_shape"`.
        roi_axes: the axes that the region's values belong to. Default: all.
        roi_start, rel_roi_start: where the region of interest starts, in elements or in fractions
            of the extent. Default: 0.
        roi_end, rel_roi_end, roi_shape, rel_roi_shape: its end, or its extent. Default: to the
            end.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range; a Batch as a bound.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.Numpy`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        cache_header_information: bool | None = False,
        dont_use_mmap: bool | None = False,
        file_filter: str | None = "*.npy",
        file_list: PathLike | None = None,
        file_root: PathLike | None = None,
        files: PathLike | Sequence[PathLike] | None = None,
        fill_value: float | None = 0.0,
        initial_fill: int | None = 1024,
        lazy_init: bool | None = False,
        num_shards: int | None = 1,
        out_of_bounds_policy: str | None = "error",
        pad_last_batch: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        register_buffers: bool | None = True,
        rel_roi_end: _Numbers | None = None,
        rel_roi_shape: _Numbers | None = None,
        rel_roi_start: _Numbers | None = None,
        roi_axes: int | Sequence[int] | None = None,
        roi_end: _Numbers | None = None,
        roi_shape: _Numbers | None = None,
        roi_start: _Numbers | None = None,
        seed: int | None = -1,
        shard_id: int | None = 0,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = 0,
        skip_cached_images: bool | None = False,
        stick_to_shard: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
        use_o_direct: bool | None = False,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.Numpy", **shared(locals()))
        self._file_root = path(self._label, "file_root", file_root)
        self._file_list = path(self._label, "file_list", file_list)
        self._files = files
        self._file_filter = text(self._label, "file_filter", file_filter, "*.npy")
        given = (roi_start, rel_roi_start, roi_end, rel_roi_end, roi_shape, rel_roi_shape)
        refuse_batches(self._label, dict(zip(NAMES, given, strict=True)))
        axes = () if roi_axes is None else np.atleast_1d(roi_axes).tolist()
        self._region = Region(
            self._bounds(dict(zip(NAMES, given, strict=True))),
            axes,
            "error" if out_of_bounds_policy is None else out_of_bounds_policy,
            number(self._label, "fill_value", fill_value, 0.0),
        )

    def _bounds(self, given: dict[str, Any]) -> dict[str, Any]:
        return {n: bound(self._label, n, v) for n, v in given.items() if v is not None}

    def __call__(
        self,
        *,
        batch_size: int | None = None,
        rel_roi_end: _Numbers | None = None,
        rel_roi_shape: _Numbers | None = None,
        rel_roi_start: _Numbers | None = None,
        roi_end: _Numbers | None = None,
        roi_shape: _Numbers | None = None,
        roi_start: _Numbers | None = None,
    ) -> Any:
        """Reads once, as `Reader.__call__`, with a region of interest for this read.

        Args:
            batch_size: as there.
            rel_roi_end, rel_roi_shape, rel_roi_start, roi_end, roi_shape, roi_start: as in the
                constructor; a Batch gives one for each sample.

        Raises:
            ArgumentError: an argument that the constructor was given too.
        """
        given = (roi_start, rel_roi_start, roi_end, rel_roi_end, roi_shape, rel_roi_shape)
        bounds = self._bounds(dict(zip(NAMES, given, strict=True)))
        refuse_twice(self._label, self._region.bounds, bounds)
        source = self._ready().source
        assert isinstance(source, NumpySource)
        source.region = replace(self._region, bounds={**self._region.bounds, **bounds})
        try:
            return super().__call__(batch_size=batch_size)
        finally:
            source.region = self._region

    def _open(self) -> Source:
        source = NumpySource(self._label, self._index(), self._region)
        self._files = None
        return source

    def _index(self) -> FileIndex:
        return index_given(
            self._label, self._files, self._file_list, self._file_root, self._file_filter
        )


@final
class NumpySource(IndexedFiles):
    """Files of arrays. `region` applies when a batch is taken, so that a call can set its own."""

    def __init__(self, operator: str, index: FileIndex, region: Region):
        super().__init__(index)
        self._operator = operator
        self.region = region

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            arrays: list[np.ndarray] = []
            for sample, content in zip(indices.tolist(), pieces(data, lengths), strict=True):
                try:
                    array = parse_npy(content)
                except NpyError as error:
                    raise ReadError(
                        sample, f"{error}. Leave it out, or save it anew with numpy.save."
                    ) from None
                if arrays and (array.dtype, array.ndim) != (arrays[0].dtype, arrays[0].ndim):
                    raise ReadError(
                        sample,
                        f"it has {array.ndim} axes of {array.dtype}; the first of its batch has "
                        f"{arrays[0].ndim} axes of {arrays[0].dtype}. Read them with readers of "
                        "their own.",
                    )
                arrays.append(array)
            try:
                return (gathered(self.region.cut(self._operator, arrays)),)
            except SampleError as error:
                raise ReadError(int(indices[error.sample]), error.reason) from None

        return PartsRequest(self._parts(indices), decode)
