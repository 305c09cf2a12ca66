"""Records of MXNet's RecordIO files: `dynjax.readers.MXNet`."""

from collections.abc import Sequence
from typing import final

import numpy as np

from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike, paths
from .options import shared
from .parts import PartsRequest, pieces
from .reader import OnError, Reader
from .record_index import RecordIndex
from .recordio import RecordError, index_recordio, parse_record
from .source import Output, ReadError, Source, gathered


@final
class MXNet(Reader):
    """Reads MXNet image records: (their bytes, uint8 `(n,)`; their label, float32 `(labels,)`).

    Args:
        index_path: for each file a text file with lines `key offset`.
        path: one or more RecordIO files, as `im2rec` makes them.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.MXNet`; dmlc-core `recordio.h`, MXNet `image_recordio.h`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        dont_use_mmap: bool | None = False,
        index_path: PathLike | Sequence[PathLike],
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
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.MXNet", **shared(locals()))
        self._paths = paths(self._label, "path", path)
        self._index_paths = paths(self._label, "index_path", index_path)

    def _open(self) -> Source:
        if len(self._index_paths) != len(self._paths):
            raise OperatorError(
                f"{self._label}: {len(self._index_paths)} index files for {len(self._paths)} "
                "files; expected one for each."
            )
        return MXNetSource(index_recordio(self._label, self._paths, self._index_paths))


@final
class MXNetSource(Source):
    """Image records."""

    def __init__(self, index: RecordIndex):
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        return self._index.name(index)

    def digest(self) -> str:
        return self._index.digest()

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            images: list[np.ndarray] = []
            labels: list[np.ndarray] = []
            for sample, block in zip(indices.tolist(), pieces(data, lengths), strict=True):
                try:
                    image, label = parse_record(block)
                except RecordError as error:
                    raise ReadError(sample, f"{error}. Check the file and its index.") from None
                images.append(image)
                labels.append(label)
            return gathered(images), gathered(labels)

        return PartsRequest(self._index.read(indices), decode)
