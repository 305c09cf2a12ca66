"""Values of LMDB databases as samples."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from .arguments import PathLike
from .lmdb import index_lmdb
from .parts import PartsRequest, pieces
from .record_index import RecordIndex
from .source import Output, ReadError, Source, gathered
from .wire import WireError


class LmdbSource(Source):
    """One message for each value, in the order of the keys. Abstract: a format parses them.

    Args:
        operator: who asks, for messages.
        paths: folders of databases; one follows the other.

    Raises:
        OperatorError: a database cannot be read, or there is no value.
    """

    def __init__(self, operator: str, paths: Sequence[PathLike]):
        found = [index_lmdb(operator, path) for path in paths]
        files = [file.decode(errors="surrogateescape") for file, _ in found]
        self._index = RecordIndex.of(operator, files, [table for _, table in found])

    def __len__(self) -> int:
        return len(self._index)

    def name(self, index: int) -> bytes:
        return self._index.name(index)

    def digest(self) -> str:
        return self._index.digest()

    @abstractmethod
    def _parsed(self, message: memoryview) -> Sequence[np.ndarray]:
        """The outputs of one sample. Raises WireError for what is no such message."""

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            rows: list[Sequence[np.ndarray]] = []
            for sample, value in zip(indices.tolist(), pieces(data, lengths), strict=True):
                try:
                    row = self._parsed(value.data)
                except WireError as error:
                    raise ReadError(
                        sample, f"{error}. Check the database and the arguments."
                    ) from None
                kinds = [(x.dtype, x.ndim) for x in row]
                if rows and kinds != [(x.dtype, x.ndim) for x in rows[0]]:
                    raise ReadError(
                        sample,
                        "its outputs are of other types or ranks than those of the first of its "
                        "batch. Read them with readers of their own.",
                    )
                rows.append(row)
            return tuple(gathered(column) for column in zip(*rows, strict=True))

        return PartsRequest(self._index.read(indices), decode)
