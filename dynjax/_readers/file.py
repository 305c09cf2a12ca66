"""Whole files with labels: `dynjax.readers.File`."""

from collections.abc import Sequence
from typing import final

from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike, globs, path
from .file_filter import FileFilter
from .file_index import FileIndex, index_file_list, index_files, index_folders
from .file_source import FileSource
from .options import shared
from .reader import OnError, Reader
from .source import Source

_FILTERS = (
    *("*.jpg", "*.jpeg", "*.png", "*.bmp", "*.tif", "*.tiff", "*.pnm", "*.ppm", "*.pgm", "*.pbm"),
    *("*.jp2", "*.webp", "*.flac", "*.ogg", "*.wav"),
)


@final
class File(Reader):
    """Reads whole files: (their bytes, uint8 `(n,)`; their label, int32 `(1,)`).

    The samples come from one of three places:

    * `file_root` alone: its sub-folders in byte order are the classes 0, 1, ...; the files directly
      inside each, in byte order, are its samples, if their names match `file_filters`.
    * `file_list`: a text file with lines `path label`, relative to `file_root` or to its folder.
    * `files`, relative to `file_root` or to the working folder, with `labels`, or 0, 1, 2, ...

    The order is a function of the arguments alone: without shuffling that of the list; with
    `random_shuffle` the list is permuted once and then, in every pass, mixed inside blocks of
    `initial_fill`; with `shuffle_after_epoch` everything is permuted anew in each pass. It does not
    depend on batch size, threads or read-ahead, and readers of all shards agree on it.

    A file that cannot be read raises `OperatorError` with its path. The reader then stands before
    that batch: reading on tries it again.

    Args:
        max_batch_size: batch size of epochs that give none, and their largest.
        name: shown in messages.
        device: `"cpu"`: readers read into host memory.
        case_sensitive_filter: whether the filters tell `a.JPG` from `a.jpg`.
        dir_filters: globs; only class folders that match one count. Default: all.
        file_filters: globs. Default: the endings of the picture and sound formats that the decoders
            know.
        file_list: path of a list.
        file_root: folder of class folders, or what relative paths start from.
        files: paths.
        initial_fill: block length of `random_shuffle`; None, or more than a shard holds, shuffles
            the whole shard in every pass, which is what training usually wants.
        labels: one 32-bit integer for each of `files`.
        num_shards: in how many shards the samples are divided: shard k of K owns samples
            floor(k N / K) to floor((k + 1) N / K) - 1.
        pad_last_batch: repeat the last sample of the shard where a batch is not filled, instead of
            going on with the next samples; all shards then give equally many batches.
        prefetch_queue_depth: batches that are read ahead, at least 1.
        random_shuffle: see above.
        seed: of `random_shuffle`; -1 is a fixed seed like any other.
        shard_id: the shard of the first epoch, from 0; the later ones take the others in turn.
        shuffle_after_epoch: see above; excludes `random_shuffle` and `stick_to_shard`.
        shuffle_after_epoch_seed: its seed. Default: 0.
        stick_to_shard: read `shard_id` in every epoch.
        dont_use_mmap, lazy_init, read_ahead, skip_cached_images, tensor_init_bytes: accepted;
            without effect.
        enable_checkpointing: allow `get_state`.
        on_error: `"raise"`, or `"skip"`: samples that cannot be read are left out of their batch,
            listed in `skipped`, and counted in one warning an epoch.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument that is no number where one is expected.

    Source: DALI `readers.File`; the shuffled orders are our own.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        case_sensitive_filter: bool | None = False,
        dir_filters: str | Sequence[str] | None = None,
        dont_use_mmap: bool | None = False,
        file_filters: str | Sequence[str] | None = None,
        file_list: PathLike | None = None,
        file_root: PathLike | None = None,
        files: PathLike | Sequence[PathLike] | None = None,
        initial_fill: int | None = 1024,
        labels: int | Sequence[int] | None = None,
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
        super().__init__("readers.File", **shared(locals()))
        self._file_root = path(self._label, "file_root", file_root)
        self._file_list = path(self._label, "file_list", file_list)
        self._files, self._labels = files, labels
        self._file_filters = globs(self._label, "file_filters", file_filters)
        self._dir_filters = globs(self._label, "dir_filters", dir_filters)
        self._case_sensitive = bool(case_sensitive_filter)

    def _open(self) -> Source:
        index = self._index()
        # The index holds the names now; theirs may be a million strings.
        self._files = self._labels = None
        return FileSource(index)

    def _index(self) -> FileIndex:
        operator = self._label
        if self._files is not None and self._file_list is not None:
            raise OperatorError(
                f"{operator}: files and file_list={self._file_list!r} given; expected one of them."
            )
        if self._labels is not None and self._files is None:
            raise OperatorError(
                f"{operator}: labels given without files; expected both. Pass files, or write "
                "the labels into file_list."
            )
        if self._files is not None:
            return index_files(operator, self._files, self._labels, self._file_root)
        if self._file_list is not None:
            return index_file_list(operator, self._file_list, self._file_root)
        if self._file_root is None:
            raise OperatorError(
                f"{operator}: no data; expected file_root, file_list or files. Pass one of them."
            )
        filters = self._filter("file_filters", self._file_filters) or FileFilter(
            _FILTERS, case_sensitive=self._case_sensitive
        )
        folders = self._filter("dir_filters", self._dir_filters)
        return index_folders(operator, self._file_root, filters, folders)

    def _filter(self, name: str, patterns: Sequence[str] | None) -> FileFilter | None:
        if patterns is None:
            return None
        if not patterns:
            raise OperatorError(f"{self._label}: {name} is empty; expected at least one glob.")
        return FileFilter(patterns, case_sensitive=self._case_sensitive)
