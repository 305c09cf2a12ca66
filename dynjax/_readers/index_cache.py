"""Indices of data files, kept on disk from one run to the next."""

import hashlib
import os
import struct
import tempfile
import warnings
import zlib
from collections.abc import Callable
from typing import final

import numpy as np

from .arguments import PathLike
from .arguments import path as path_or_none
from .paths import absolute, is_remote

_MAGIC = b"dynjax2\n"
# Magic; size and time of change (ns; of a remote file a hash) of the data file; bytes
# and CRC-32 of the index.
_HEADER = struct.Struct("<8sqqqI")


@final
class IndexCache:
    """Indices of data files, each in a file that is believed while the data file is the same.

    Args:
        operator: who asks, for messages.
        where: a folder, made if need be; True: beside the data file, as `<name>.dynjax-index`;
            None or False: nothing is kept.

    Raises:
        TypeError: `where` is something else.
    """

    def __init__(self, operator: str, where: PathLike | bool | None):
        self._operator = operator
        self._where = (
            where if isinstance(where, bool) else path_or_none(operator, "index_cache", where)
        )

    @property
    def keeps(self) -> bool:
        """Whether anything is kept."""
        return self._where is not None and self._where is not False

    def table(self, path: PathLike, scan: Callable[[], np.ndarray]) -> np.ndarray:
        """The table int64 `[n, 2]` of a data file: the one that was kept, or `scan()`.

        What cannot be written is a warning: the index is then in memory alone.
        """
        content = self.content(path, lambda: np.ascontiguousarray(scan(), np.int64).tobytes())
        return np.frombuffer(content, np.int64).reshape(-1, 2)

    def content(self, path: PathLike, scan: Callable[[], bytes]) -> bytes:
        """The index of a data file as bytes; as `table`."""
        if not self.keeps:
            return scan()
        if self._where is True and is_remote(path):
            warnings.warn(
                f"{self._operator}: index_cache=True keeps an index beside its file, and "
                f"{os.fspath(path)!r} is a remote one: nothing is kept. Pass a local folder.",
                RuntimeWarning,
                stacklevel=2,
            )
            return scan()
        place = self._place(path)
        before = _state(path)
        if before is not None and (kept := _load(place, before)) is not None:
            return kept
        content = scan()
        # A file that grew meanwhile has another index the next time.
        if before is not None and _state(path) == before:
            self._save(place, before, content)
        return content

    def _place(self, path: PathLike) -> str:
        whole = os.fsdecode(absolute(path))
        if self._where is True:
            return whole + ".dynjax-index"
        digest = hashlib.blake2b(os.fsencode(whole), digest_size=8).hexdigest()
        return os.path.join(os.fspath(self._where), f"{os.path.basename(whole)}.{digest}")  # type: ignore[arg-type]

    def _save(self, place: str, state: tuple[int, int], content: bytes) -> None:
        header = _HEADER.pack(_MAGIC, *state, len(content), zlib.crc32(content))
        folder = os.path.dirname(place)
        temporary = None
        try:
            os.makedirs(folder, exist_ok=True)
            # Whole or not at all: another process may be reading, or writing the same.
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                temporary = file.name
                file.write(header)
                file.write(content)
            os.replace(temporary, place)
        except OSError as error:
            if temporary is not None and os.path.exists(temporary):
                os.unlink(temporary)
            warnings.warn(
                f"{self._operator}: the index {place!r} cannot be kept ({error.strerror}); it is "
                "made anew by the next run. Make room, or pass another index_cache.",
                RuntimeWarning,
                stacklevel=2,
            )


def _state(path: PathLike) -> tuple[int, int] | None:
    try:
        if is_remote(path):
            from .remote import status

            return status(os.fsdecode(path))
        found = os.stat(path)
    except OSError:
        return None  # `scan` says what is wrong
    return found.st_size, found.st_mtime_ns


def _load(place: str, state: tuple[int, int]) -> bytes | None:
    try:
        with open(place, "rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                return None
            magic, size, changed, length, crc = _HEADER.unpack(header)
            if magic != _MAGIC or (size, changed) != state:
                return None
            content = file.read()
    except OSError:
        return None
    return content if len(content) == length and zlib.crc32(content) == crc else None
