"""Images of FITS files: `dynjax.experimental.readers.Fits`."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from .._types.construct import cast_rounded
from .._types.device import Device
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .arguments import PathLike, integer, path, text
from .file_index import FileIndex, index_given
from .fits_image import FitsError, parse_fits
from .indexed_files import IndexedFiles
from .options import shared
from .parts import PartsRequest, pieces
from .reader import OnError, Reader
from .source import Output, ReadError, Source, gathered


@final
class Fits(Reader):
    """Reads images from FITS files: an output for each unit asked for.

    The slowest axis comes first, as NumPy has it. Scaled integers become floats; offsets that stand
    for the other signedness give that type. Images in compressed tables need the package `astropy`.

    Args:
        dtypes: for each output the type it is converted to. Default: the file's.
        file_filter: a glob, case-sensitive, for `file_root`.
        file_list: path of a text file with one path a line.
        file_root: a folder: its own files and those of its sub-folders, in byte order.
        files: paths, relative to `file_root` if that is given.
        hdu_indices: the units, from 1, the primary one. Default: 2.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `experimental.readers.Fits`; FITS Standard 4.0.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        dont_use_mmap: bool | None = False,
        dtypes: Any = None,
        file_filter: str | None = "*.fits",
        file_list: PathLike | None = None,
        file_root: PathLike | None = None,
        files: PathLike | Sequence[PathLike] | None = None,
        hdu_indices: int | Sequence[int] | None = None,
        initial_fill: int | None = 1024,
        lazy_init: bool | None = False,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
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
        super().__init__("experimental.readers.Fits", **shared(locals()))
        self._file_root = path(self._label, "file_root", file_root)
        self._file_list = path(self._label, "file_list", file_list)
        self._files = files
        self._file_filter = text(self._label, "file_filter", file_filter, "*.fits")
        units = [2] if hdu_indices is None else np.atleast_1d(hdu_indices).tolist()
        self._units = [integer(self._label, "hdu_indices", unit) for unit in units]
        given = dtypes if isinstance(dtypes, list | tuple) else [] if dtypes is None else [dtypes]
        self._dtypes = [np.dtype(numpy_dtype(d)) for d in given]

    def _open(self) -> Source:
        if self._dtypes and len(self._dtypes) != len(self._units):
            raise OperatorError(
                f"{self._label}: {len(self._dtypes)} dtypes for {len(self._units)} units; expected "
                "one for each of hdu_indices."
            )
        if not self._units or min(self._units) < 1:
            raise OperatorError(
                f"{self._label}: hdu_indices={self._units}; expected numbers from 1."
            )
        return FitsSource(self._index(), self._units, self._dtypes)

    def _index(self) -> FileIndex:
        return index_given(
            self._label, self._files, self._file_list, self._file_root, self._file_filter
        )


@final
class FitsSource(IndexedFiles):
    """Files of images."""

    def __init__(self, index: FileIndex, units: Sequence[int], dtypes: Sequence[np.dtype[Any]]):
        super().__init__(index)
        self._units = units
        self._dtypes = dtypes

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            rows: list[list[np.ndarray]] = []
            for sample, content in zip(indices.tolist(), pieces(data, lengths), strict=True):
                try:
                    row = [parse_fits(content, unit) for unit in self._units]
                except FitsError as error:
                    raise ReadError(sample, f"{error}. Check the file and hdu_indices.") from None
                if self._dtypes:
                    row = [cast_rounded(x, d) for x, d in zip(row, self._dtypes, strict=True)]
                kinds = [(x.dtype, x.ndim) for x in row]
                if rows and kinds != [(x.dtype, x.ndim) for x in rows[0]]:
                    raise ReadError(
                        sample,
                        "its images are of other types or ranks than those of the first of its "
                        "batch. Read them with readers of their own, or pass dtypes.",
                    )
                rows.append(row)
            return tuple(gathered(column) for column in zip(*rows, strict=True))

        return PartsRequest(self._parts(indices), decode)
