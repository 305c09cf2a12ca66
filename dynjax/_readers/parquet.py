"""Rows of Parquet files: `dynjax.readers.Parquet`."""

import threading
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from .._types.batch import Batch
from .._types.device import Device
from .._types.errors import OperatorError
from .._types.per_process import PerProcess
from .._types.tensor import Tensor
from .arguments import PathLike, globs, integer, paths
from .arrow_columns import RowError, output_of
from .background import Tasks, Threads
from .options import shared
from .parquet_index import GroupCache, ParquetIndex
from .reader import OnError, Outputs, Reader
from .remote import reason_of
from .source import Output, ReadError, Request, Source


@final
class Parquet(Reader):
    """Reads rows of Parquet files: a dict with an output for each column.

    | column | output |
    |---|---|
    | numbers, truth values, times | 0-D; times as int64 (dates as int32) |
    | binary values, text | uint8 `(n,)` |
    | lists of numbers, also nested | an array; lists in a row must have one length |
    | struct of `bytes` and `path` | uint8 `(n,)`: pictures and sounds of Hugging Face `datasets` |

    A null text or list is empty, a null float NaN; any other null is a row that cannot be read.

    Files are read by row group, and any row needs its whole group: with a global shuffle the groups
    should be small, or all fit into `cache_bytes`. Needs the package `pyarrow`.

    Args:
        path: one or more files of one schema; remote ones too.
        columns: names, in the order of the outputs. Default: all.
        cache_bytes: how many bytes of row groups, unpacked, are kept for the next reads.
        num_threads: threads that read row groups.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: the Parquet and Arrow formats, through `pyarrow`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        cache_bytes: int = 512 << 20,
        columns: str | Sequence[str] | None = None,
        initial_fill: int | None = 1024,
        num_shards: int | None = 1,
        num_threads: int = 2,
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
        super().__init__("readers.Parquet", **shared(locals()))
        self._paths = paths(self._label, "path", path)
        self._columns = globs(self._label, "columns", columns)
        self._cache_bytes = max(integer(self._label, "cache_bytes", cache_bytes), 0)
        self._threads = Threads(max(integer(self._label, "num_threads", num_threads), 1))
        self._names: Sequence[str] = ()

    def _open(self) -> Source:
        if not self._paths or (self._columns is not None and not self._columns):
            raise OperatorError(f"{self._label}: no files, or no columns; expected at least one.")
        index = ParquetIndex(self._label, self._paths, self._columns)
        self._names = index.columns
        return ParquetSource(self._label, index, self._cache_bytes, self._threads)

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        return dict(zip(self._names, outputs, strict=True))


@final
class ParquetSource(Source):
    """Rows by number."""

    def __init__(self, operator: str, index: ParquetIndex, cache_bytes: int, threads: Threads):
        self.operator = operator
        self.index = index
        self.threads = threads
        self.cache = PerProcess(lambda: GroupCache(index, cache_bytes))

    def __len__(self) -> int:
        return len(self.index)

    def name(self, index: int) -> bytes:
        return self.index.name(index)

    def digest(self) -> str:
        return self.index.digest()

    def request(self, indices: np.ndarray) -> Request:
        return _ParquetRequest(self, indices)


@final
class _Rows:
    """The wanted rows of one row group, when they are there."""

    def __init__(self, source: ParquetSource, group: int, rows: np.ndarray):
        self._source = source
        self._group = group
        self._rows = rows
        self.table: Any = None
        self.error: Exception | None = None

    def read(self, dropped: threading.Event) -> None:
        del dropped
        try:
            table = self._source.cache().table(self._group)
            rows = self._rows - self._source.index.starts[self._group]
            first, count = int(rows[0]), len(rows)
            if (rows == np.arange(first, first + count)).all():
                self.table = table.slice(first, count)
            else:
                self.table = table.take(rows)
        except Exception as error:
            self.error = error


@final
class _ParquetRequest(Request):
    def __init__(self, source: ParquetSource, indices: np.ndarray):
        self._source = source
        self._indices = indices
        groups = source.index.group_of(indices)
        # The rows of a group together, and where each row of the batch is then found.
        self._order = np.argsort(groups, kind="stable")
        wanted = [(int(g), indices[groups == g]) for g in np.unique(groups)]
        self._parts = [_Rows(source, group, rows) for group, rows in wanted]
        self._firsts = [int(rows[0]) for _, rows in wanted]
        self._tasks = Tasks(source.threads, [part.read for part in self._parts])

    def result(self) -> tuple[Output, ...]:
        import pyarrow as pa

        self._tasks.wait()
        for part, first in zip(self._parts, self._firsts, strict=True):
            if part.error is not None:
                if isinstance(part.error, ImportError | MemoryError):
                    raise part.error
                raise ReadError(
                    first,
                    f"its row group could not be read ({reason_of(part.error)}). Check the file.",
                )
        table = pa.concat_tables([part.table for part in self._parts])
        if len(self._parts) > 1 and (np.diff(self._order) != 1).any():
            table = table.take(np.argsort(self._order))
        outputs: list[Output] = []
        for name in self._source.index.columns:
            column: Any = table.column(name).combine_chunks()
            if isinstance(column, pa.ChunkedArray):
                column = column.chunk(0)
            try:
                outputs.append(output_of(self._source.operator, name, column))
            except RowError as problem:
                raise ReadError(int(self._indices[problem.row]), str(problem)) from None
        return tuple(outputs)
