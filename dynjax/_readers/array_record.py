"""Records of ArrayRecord files: `dynjax.readers.ArrayRecord`."""

import os
import struct
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from .._types.batch import Batch
from .._types.device import Device
from .._types.errors import OperatorError
from .._types.per_process import PerProcess
from .._types.tensor import Tensor
from .arguments import PathLike, paths
from .background import Tasks, Threads
from .examples import Examples
from .features import Feature, by_name
from .options import shared
from .paths import absolute, is_remote
from .reader import OnError, Outputs, Reader
from .record_index import RecordIndex
from .source import Output, Ragged, ReadError, Request, Source


@final
class ArrayRecord(Reader):
    """Reads records of ArrayRecord files: uint8 `(n,)`, or the features of `tf.train.Example`.

    Needs the package `array-record`, which finds any record without an index of its own and unpacks
    in native threads. It reads local files only.

    Args:
        path: one or more files; the records follow one another.
        features: name -> `tfrecord.FixedLenFeature` or `tfrecord.VarLenFeature`, as in `TFRecord`:
            epochs and calls then give dicts. Default: the records' bytes.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: the ArrayRecord format, through `array-record`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        features: Mapping[str, Feature] | None = None,
        initial_fill: int | None = 1024,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        path: PathLike | Sequence[PathLike],
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        seed: int | None = -1,
        shard_id: int | None = 0,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = 0,
        stick_to_shard: bool | None = False,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.ArrayRecord", **shared(locals()))
        self._paths = paths(self._label, "path", path)
        self._names = self._examples = None
        if features is not None:
            wanted = by_name(self._label, features)
            if not wanted:
                raise TypeError(f"{self._label}: features={features!r}; expected at least one.")
            self._names, self._examples = list(features), Examples(wanted, checksums=False)

    def _open(self) -> Source:
        return ArrayRecordSource(self._label, self._paths, self._examples)

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        if self._names is None:
            return tuple(outputs)
        return dict(zip(self._names, outputs, strict=True))


@final
class ArrayRecordSource(Source):
    """Records by number."""

    def __init__(self, operator: str, files: Sequence[PathLike], examples: Examples | None):
        try:
            from array_record.python import (  # type: ignore[import-not-found]
                array_record_module as module,  # type: ignore[attr-defined]
            )
        except ImportError:
            raise ImportError(
                f"{operator}: ArrayRecord files need the package array-record: pip install "
                "'dynjax[arrayrecord]'"
            ) from None
        self._module: Any = module
        self._examples = examples
        # The package's own readers start no thread of ours, and none may be left to a forked child.
        self._threads = Threads(2)
        self._readers: PerProcess[dict[int, Any]] = PerProcess(dict)  # by file
        tables: list[np.ndarray] = []
        for path in files:
            count = self._count(operator, path)
            # Where they lie is the package's matter: a record's number stands for its offset.
            tables.append(np.stack([np.arange(count), np.zeros(count, np.int64)], axis=1))
        self._index = RecordIndex.of(operator, files, tables)

    def _count(self, operator: str, path: PathLike) -> int:
        shown = f"{operator}: path={os.fspath(path)!r}"
        if is_remote(path):
            raise OperatorError(f"{shown}: expected a local file. Copy it here, or use TFRecord.")
        try:
            with open(path, "rb"):
                pass
            reader = self._opened(absolute(path))
            if not reader.ok():
                raise ValueError("it is damaged, or of another format")
            return int(reader.num_records())
        except OSError as error:
            raise OperatorError(
                f"{shown}: {error.strerror}; expected an ArrayRecord file."
            ) from None
        except (RuntimeError, ValueError) as error:
            raise OperatorError(f"{shown}: {error}; expected an ArrayRecord file.") from None

    def _opened(self, path: bytes) -> Any:
        # One record at a time: the options of a sequential reader would fetch its neighbours.
        options = "readahead_buffer_size:0,max_parallelism:0"
        return self._module.ArrayRecordReader(os.fsdecode(path), options=options)

    def _reader(self, file: int) -> Any:
        # A lock would stay locked in a forked child: two threads may open a file at once instead.
        readers = self._readers()
        reader = readers.get(file)
        if reader is None:
            reader = readers.setdefault(file, self._opened(self._index.files[file]))
        return reader

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        file = int(self._index.file_of(np.array(index)))
        return b"%s, record %d" % (self._index.files[file], self._index.ranges[index, 0])

    def digest(self) -> str:
        return self._index.digest()

    def request(self, indices: np.ndarray) -> Request:
        files = self._index.file_of(indices)
        numbers = self._index.ranges[indices, 0]
        contents: list[bytes] = [b""] * len(indices)
        failed: dict[int, str] = {}

        def read(file: int, places: np.ndarray) -> None:
            try:
                found = self._reader(file).read(numbers[places].tolist())
                for place, content in zip(places.tolist(), found, strict=True):
                    contents[place] = content
            except Exception as error:
                failed[int(indices[places[0]])] = f"{type(error).__name__}: {error}"[:300]

        groups = [(int(f), np.flatnonzero(files == f)) for f in np.unique(files)]
        actions = [lambda _, group=group: read(*group) for group in groups]
        return _ArrayRecordRequest(
            Tasks(self._threads, actions), indices, contents, failed, self._examples
        )


@final
class _ArrayRecordRequest(Request):
    def __init__(
        self,
        tasks: Tasks,
        indices: np.ndarray,
        contents: list[bytes],
        failed: Mapping[int, str],
        examples: Examples | None,
    ):
        self._tasks = tasks
        self._indices = indices
        self._contents = contents
        self._failed = failed
        self._examples = examples

    def result(self) -> tuple[Output, ...]:
        self._tasks.wait()
        for sample, reason in self._failed.items():
            raise ReadError(sample, f"it could not be read ({reason}). Check the file.")
        if self._examples is not None:
            # The parser takes records as they lie in TFRecord files.
            framed = [struct.pack("<QI", len(c), 0) + c + bytes(4) for c in self._contents]
            lengths = np.array(list(map(len, framed)), np.int64)
            return self._examples.outputs(_joined(framed), lengths, self._indices)
        lengths = np.array(list(map(len, self._contents)), np.int64)
        return (Ragged(_joined(self._contents), lengths[:, None]),)


def _joined(contents: Sequence[bytes]) -> np.ndarray:
    """The contents one after another, in memory that may be written."""
    return np.frombuffer(bytearray().join(contents), np.uint8)
