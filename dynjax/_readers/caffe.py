"""Images and labels from Caffe's databases: `dynjax.readers.Caffe`."""

from collections.abc import Sequence
from typing import final

import numpy as np

from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike, paths
from .lmdb_source import LmdbSource
from .options import shared
from .reader import OnError, Reader
from .source import Source
from .wire import BYTES, VARINT, WireError, fields, signed


@final
class Caffe(Reader):
    """Reads Caffe `Datum` messages from LMDB: (image, label).

    The image is its encoded bytes, uint8 `(n,)`, or, where the datum says that it is not encoded,
    uint8 `(height, width, channels)`; the label is int32 `(1,)`, or `(0,)` without one.

    Args:
        image_available: whether the image is an output.
        label_available: whether the label is an output.
        path: folder of an LMDB database, or several.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.Caffe`; Caffe `caffe.proto`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        dont_use_mmap: bool | None = False,
        image_available: bool | None = True,
        initial_fill: int | None = 1024,
        label_available: bool | None = True,
        lazy_init: bool | None = False,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        path: PathLike | Sequence[PathLike],
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        seed: int | None = -1,
        shard_id: int | None = 0,
        skip_cached_images: bool | None = False,
        stick_to_shard: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.Caffe", **shared(locals()))
        self._paths = paths(self._label, "path", path)
        self._image = image_available is not False
        self._with_label = label_available is not False

    def _open(self) -> Source:
        if not (self._image or self._with_label):
            raise OperatorError(
                f"{self._label}: image_available=False and label_available=False; expected at "
                "least one output."
            )
        return CaffeSource(self._label, self._paths, self._image, self._with_label)


@final
class CaffeSource(LmdbSource):
    """Datum messages."""

    def __init__(self, operator: str, paths: Sequence[PathLike], image: bool, label: bool):
        super().__init__(operator, paths)
        self._image = image
        self._label = label

    def _parsed(self, message: memoryview) -> Sequence[np.ndarray]:
        content = np.zeros(0, np.uint8)
        label = np.zeros(0, np.int32)
        sizes = {1: 0, 2: 0, 3: 0}  # channels, height, width
        encoded = True
        for number, kind, value in fields(message):
            if kind == VARINT and number in sizes:
                sizes[number] = value
            elif (number, kind) == (4, BYTES):
                content = np.frombuffer(value, np.uint8)
            elif (number, kind) == (5, VARINT):
                label = np.array([signed(value)], np.int64).astype(np.int32)
            elif (number, kind) == (7, VARINT):
                encoded = bool(value)
        if not encoded:
            shape = sizes[2], sizes[3], sizes[1]
            if shape[0] * shape[1] * shape[2] != len(content):
                raise WireError(f"its image has {len(content)} bytes, none of shape {shape}")
            content = content.reshape(shape)
        return [*([content] if self._image else []), *([label] if self._label else [])]
