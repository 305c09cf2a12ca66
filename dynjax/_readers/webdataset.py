"""Samples in tar archives: `dynjax.readers.Webdataset`."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from .._types.device import Device
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .arguments import PathLike, globs, text
from .arguments import paths as path_list
from .index_cache import IndexCache
from .names import NameTable
from .options import shared
from .parts import Parts, PartsRequest
from .paths import any_remote
from .reader import OnError, Reader
from .source import Output, Ragged, ReadError, Source
from .webdataset_index import Selection, WebdatasetIndex, index_archives

_MISSING = {"": "empty", "empty": "empty", "skip": "skip", "error": "error"}


@final
class Webdataset(Reader):
    """Reads samples from tar archives in the WebDataset form: one output for each entry of `ext`.

    Consecutive members whose paths agree up to the first dot of the base name make a sample; what
    follows that dot is the extension (`d/s2.seg.png`: sample `d/s2`, extension `seg.png`). Each
    output is uint8 `(n,)`, or of the dtype asked for.

    Archives may be compressed with gzip, or with zstd where the package `zstandard` is installed:
    they are then unpacked to a temporary file before the first read.

    Args:
        case_sensitive_extensions: whether `ext` tells `jpg` from `JPG`.
        dtypes: for each output the type as which its bytes are understood. Default: uint8.
        ext: for each output its extension, or several separated by `;`, of which the first in the
            archive counts.
        index_cache: where the indices of scanned archives are kept for the next run: a folder, or
            True for beside each archive. One is used while its archive has the same size and time
            of change.
        index_paths: for each archive an index made by `wds2idx`. Default: the archives are
            scanned before the first read.
        missing_component_behavior: what becomes of a sample that lacks an output: `"empty"` (or
            `""`) gives an array without elements, `"skip"` leaves the sample out, `"error"`
            raises.
        paths: one or more archives.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.Webdataset`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        case_sensitive_extensions: bool | None = True,
        dont_use_mmap: bool | None = False,
        dtypes: Any = None,
        ext: str | Sequence[str],
        index_cache: PathLike | bool | None = None,
        index_paths: PathLike | Sequence[PathLike] | None = None,
        initial_fill: int | None = 1024,
        lazy_init: bool | None = False,
        missing_component_behavior: str | None = "",
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        paths: PathLike | Sequence[PathLike],
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
        super().__init__("readers.Webdataset", **shared(locals()))
        self._paths = path_list(self._label, "paths", paths)
        self._index_paths = (
            None if not index_paths else path_list(self._label, "index_paths", index_paths)
        )
        self._cache = IndexCache(self._label, index_cache)
        self._ext = globs(self._label, "ext", ext) or ()
        self._fold = case_sensitive_extensions is False
        missing = text(self._label, "missing_component_behavior", missing_component_behavior, "")
        self._missing = missing.lower()
        given = dtypes if isinstance(dtypes, list | tuple) else [] if dtypes is None else [dtypes]
        self._dtypes = [np.dtype(numpy_dtype(d)) for d in given]

    def _open(self) -> Source:
        if not self._ext:
            raise OperatorError(f"{self._label}: ext is empty; expected at least one extension.")
        if self._missing not in _MISSING:
            raise OperatorError(
                f"{self._label}: missing_component_behavior={self._missing!r}; expected 'empty', "
                "'skip' or 'error'."
            )
        for name, given, wanted in (
            ("index_paths", self._index_paths, self._paths),
            ("dtypes", self._dtypes or None, self._ext),
        ):
            if given is not None and len(given) != len(wanted):
                raise OperatorError(
                    f"{self._label}: {name} has {len(given)} entries; expected {len(wanted)}."
                )
        outputs = [
            frozenset((e.lower() if self._fold else e).encode() for e in entry.split(";") if e)
            for entry in self._ext
        ]
        selection = Selection(outputs, self._fold, _MISSING[self._missing])
        index = index_archives(self._label, self._paths, self._index_paths, selection, self._cache)
        dtypes = self._dtypes or [np.dtype(np.uint8)] * len(self._ext)
        return WebdatasetSource(index, self._ext, dtypes)


@final
class WebdatasetSource(Source):
    """Members of archives; all of a batch are one read, output after output."""

    def __init__(self, index: WebdatasetIndex, ext: Sequence[str], dtypes: Sequence[np.dtype[Any]]):
        self._index = index
        self.joins = not any_remote([a.path for a in index.archives])
        self._ext = ext
        self._dtypes = dtypes

    def __len__(self) -> int:
        return len(self._index.archive_of)

    def name(self, index: int) -> bytes:
        return self._index.name(index)

    def digest(self) -> str:
        index = self._index
        # Not the names: they hold the folder, which may change.
        return NameTable([]).digest(
            index.archive_of.tobytes(), index.offsets.tobytes(), index.sizes.tobytes()
        )

    def request(self, indices: np.ndarray) -> PartsRequest:
        index, width = self._index, len(self._dtypes)
        files = [index.archives[k].path for k in index.archive_of[indices].tolist()]
        offsets, sizes = index.offsets[indices].T.ravel(), index.sizes[indices].T.ravel()

        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            table = lengths.reshape(width, -1)
            ends = np.cumsum(table.sum(axis=1)).tolist()
            return tuple(
                self._output(k, indices, data[end - int(row.sum()) : end], row)
                for k, (row, end) in enumerate(zip(table, ends, strict=True))
            )

        owners = np.tile(indices, width)
        return PartsRequest(Parts(files * width, owners, offsets, sizes), decode)

    def _output(self, k: int, indices: np.ndarray, data: np.ndarray, lengths: np.ndarray) -> Output:
        dtype = self._dtypes[k]
        odd = np.flatnonzero(lengths % dtype.itemsize)
        if odd.size:
            raise ReadError(
                int(indices[odd[0]]),
                f"its component {self._ext[k]!r} has {lengths[odd[0]]} bytes, no multiple of "
                f"{dtype.itemsize} ({dtype}). Check dtypes.",
            )
        aligned = data.ctypes.data % dtype.alignment == 0
        values = (data if aligned else data.copy()).view(dtype)
        return Ragged(values, (lengths // dtype.itemsize)[:, None])
