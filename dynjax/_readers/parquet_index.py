"""Parquet files by row, and reading the rows wanted."""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import absolute, is_remote
from .remote import filesystem, reason_of, retried


def pyarrow(operator: str) -> Any:
    """The package's module for Parquet. Raises ImportError with the command that helps."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError(
            f"{operator}: Parquet files need the package pyarrow: pip install 'dynjax[parquet]'"
        ) from None
    return pyarrow.parquet


@final
class ParquetIndex:
    """Row groups by number: the unit that a Parquet file is read in.

    Attributes:
        columns: the names of the columns that are read.
        files: the paths.
        file_of: the file of each row group.
        starts: int64 `[groups + 1]`, the first row of each.

    Args:
        operator: who asks, for messages.
        paths: the files; their rows follow one another.
        columns: names; None: all.

    Raises:
        OperatorError: a file cannot be read, lacks a column, or there is no row.
        ImportError: `pyarrow` is missing.
    """

    def __init__(self, operator: str, paths: Sequence[PathLike], columns: Sequence[str] | None):
        self._parquet = pyarrow(operator)
        self.files = [absolute(path) for path in paths]
        self._footers: list[Any] = []
        self.file_of: list[int] = []
        self._group_of: list[int] = []
        rows = [0]
        self._kinds: list[str] = []
        self.columns: list[str] = list(columns or ())
        for k, path in enumerate(self.files):
            shown = f"{operator}: path={os.fsdecode(path)!r}"
            try:
                with _tried(path, lambda path=path: self._opened(path, None)) as file:
                    footer, schema = file.metadata, file.schema_arrow
            except ImportError:
                raise
            except Exception as error:
                reason = getattr(error, "strerror", None) or reason_of(error)
                raise OperatorError(f"{shown}: {reason}; expected a Parquet file.") from None
            self.columns = self.columns or list(schema.names)
            missing = [name for name in self.columns if name not in schema.names]
            if missing:
                raise OperatorError(
                    f"{shown} has no column {missing[0]!r}; expected one of {schema.names!r:.300}. "
                    "Correct columns."
                )
            kinds = [str(schema.field(name).type) for name in self.columns]
            if self._kinds and kinds != self._kinds:
                raise OperatorError(
                    f"{shown}: its columns are {kinds}, those of the first file {self._kinds}; "
                    "expected files of one schema. Use a reader for each."
                )
            self._kinds = kinds
            self._footers.append(footer)
            for group in range(footer.num_row_groups):
                self.file_of.append(k)
                self._group_of.append(group)
                rows.append(footer.row_group(group).num_rows)
        self.starts = np.cumsum(np.array(rows, np.int64))
        if not self.starts[-1]:
            raise OperatorError(f"{operator}: the files hold no row; expected at least one.")

    def __len__(self) -> int:
        return int(self.starts[-1])

    def group_of(self, rows: np.ndarray) -> np.ndarray:
        """The row group of each row."""
        return np.searchsorted(self.starts, rows, side="right") - 1

    def name(self, row: int) -> bytes:
        """The path of a row's file, and its number there."""
        file = self.file_of[int(self.group_of(np.array(row)))]
        first = int(self.starts[self.file_of.index(file)])
        return b"%s, row %d" % (self.files[file], row - first)

    def digest(self) -> str:
        """A hash of the files' names and rows, and of the columns. The folder may change."""
        state = hashlib.blake2b(self.starts.tobytes(), digest_size=12)
        for text in (*map(os.path.basename, self.files), *(c.encode() for c in self.columns)):
            state.update(text + b"\0")
        return state.hexdigest()

    def read(self, group: int) -> Any:
        """The columns of a row group, as an Arrow table. Raises what pyarrow and fsspec raise."""
        file = self.file_of[group]

        def read() -> Any:
            # pyarrow's own threads would not live on in a forked child.
            with self._opened(self.files[file], self._footers[file]) as opened:
                return opened.read_row_group(
                    self._group_of[group], columns=self.columns, use_threads=False
                )

        return _tried(self.files[file], read)

    def _opened(self, path: bytes, footer: Any) -> Any:
        if not is_remote(path):
            return self._parquet.ParquetFile(os.fsdecode(path), metadata=footer)
        system, place = filesystem(os.fsdecode(path))
        opened = system.open(place, "rb")
        return self._parquet.ParquetFile(opened, metadata=footer, pre_buffer=True)


def _tried(path: bytes, action: Callable[[], Any]) -> Any:
    """The result of an action on a file; only errors of servers may pass."""
    return retried(action) if is_remote(path) else action()


@final
class GroupCache:
    """The row groups used last, up to a number of bytes; each is read once at a time."""

    def __init__(self, index: ParquetIndex, limit: int):
        self._index = index
        self._limit = limit
        self._lock = threading.Lock()
        self._locks: dict[int, threading.Lock] = {}
        self._kept: OrderedDict[int, Any] = OrderedDict()
        self._bytes = 0

    def table(self, group: int) -> Any:
        """The table of a row group. Raises as `ParquetIndex.read` does."""
        with self._lock:
            reading = self._locks.setdefault(group, threading.Lock())
        with reading:
            with self._lock:
                if group in self._kept:
                    self._kept.move_to_end(group)
                    return self._kept[group]
            table = self._index.read(group)
            with self._lock:
                self._kept[group] = table
                self._bytes += table.nbytes
                while self._bytes > self._limit and len(self._kept) > 1:
                    self._bytes -= self._kept.popitem(last=False)[1].nbytes
                self._locks.pop(group, None)
            return table
