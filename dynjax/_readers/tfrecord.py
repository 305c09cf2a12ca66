"""Records of TFRecord files: `dynjax.readers.TFRecord`."""

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from .._types.batch import Batch
from .._types.device import Device
from .._types.errors import OperatorError
from .._types.tensor import Tensor
from .arguments import PathLike, paths
from .examples import Examples
from .features import Feature, by_name
from .index_cache import IndexCache
from .options import shared
from .parts import PartsRequest
from .paths import any_remote
from .reader import OnError, Outputs, Reader
from .record_index import RecordIndex
from .source import Output, Source
from .tfrecord_index import index_tfrecords


@final
class TFRecord(Reader):
    """Reads the features of `tf.train.Example` records: a dict of outputs.

    A string is uint8 `(n,)`; a feature of fixed shape has that shape; one of variable length is
    `(values,)` or `(rows, *shape)`; numbers are int64 or float32. A record that lacks a feature
    gives its default; where the record holds another type, the feature has no values.

    Args:
        features: name -> `tfrecord.FixedLenFeature` or `tfrecord.VarLenFeature`.
        index_path: for each file a text file with lines `offset size` in bytes. Default: the files
            are scanned before the first read.
        path: one or more files.
        checksums: compare the checksums of the records; one that differs is a sample that cannot be
            read.
        index_cache: where the indices of scanned files are kept for the next run: a folder, or True
            for beside each file. One is used while its file has the same size and time of change.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.TFRecord`, which does not look at checksums; CRC-32C, masked as TensorFlow
        does.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        dont_use_mmap: bool | None = False,
        features: Mapping[str, Feature],
        index_path: PathLike | Sequence[PathLike] | None = None,
        initial_fill: int | None = 1024,
        lazy_init: bool | None = False,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        path: PathLike | Sequence[PathLike],
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
        use_o_direct: bool | None = False,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
        checksums: bool = False,
        index_cache: PathLike | bool | None = None,
    ):
        super().__init__("readers.TFRecord", **shared(locals()))
        self._features = by_name(self._label, features)
        self._names = list(features)
        self._paths = paths(self._label, "path", path)
        self._checksums = bool(checksums)
        self._cache = IndexCache(self._label, index_cache)
        self._index_paths = None if not index_path else paths(self._label, "index_path", index_path)

    def _open(self) -> Source:
        if not self._features:
            raise OperatorError(f"{self._label}: features is empty; expected at least one.")
        if self._index_paths is not None and len(self._index_paths) != len(self._paths):
            raise OperatorError(
                f"{self._label}: {len(self._index_paths)} index files for {len(self._paths)} "
                "files; expected one for each. Leave index_path out to scan the files."
            )
        index = index_tfrecords(self._label, self._paths, self._index_paths, self._cache)
        return TFRecordSource(index, Examples(self._features, checksums=self._checksums))

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        return dict(zip(self._names, outputs, strict=True))


@final
class TFRecordSource(Source):
    """Records, parsed."""

    def __init__(self, index: RecordIndex, examples: Examples):
        self._index = index
        self.joins = not any_remote(index.files)
        self._examples = examples

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        return self._index.name(index)

    def digest(self) -> str:
        return self._index.digest()

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            return self._examples.outputs(data, lengths, indices)

        return PartsRequest(self._index.read(indices), decode)
