"""Archives that may be compressed as a whole."""

import gzip
import os
import shutil
import tempfile
import weakref
import zlib
from typing import Any, BinaryIO, final

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import absolute, open_file, size_of

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 20


@final
class Archive:
    """A file with the bytes of an archive, for random access.

    A compressed archive is unpacked into a file without a name in the folder for temporary files;
    it is gone when this object, or the process, is.

    Attributes:
        path: from where the bytes can be read.
        size: in bytes.

    Raises:
        OperatorError: it cannot be read or unpacked.
    """

    def __init__(self, operator: str, path: PathLike):
        self.path = absolute(path)
        try:
            with open_file(path) as file:
                self.size = size_of(path)
                magic = file.read(4)
                file.seek(0)
                if magic[:2] == _GZIP:
                    with gzip.GzipFile(fileobj=file) as stream:
                        self._unpack(stream)
                elif magic == _ZSTD:
                    self._unpack_zstd(operator, file)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise OperatorError(
                f"{operator}: paths: {os.fspath(path)!r}: {reason}; expected a tar archive, plain "
                "or compressed with gzip or zstd."
            ) from None

    def open(self) -> BinaryIO:
        """The bytes as a file of its own."""
        return open_file(os.fsdecode(self.path))

    def _unpack(self, stream: Any) -> None:
        with tempfile.TemporaryFile() as target:
            shutil.copyfileobj(stream, target, _CHUNK)
            target.flush()
            kept = os.dup(target.fileno())
        weakref.finalize(self, os.close, kept)
        self.size = os.fstat(kept).st_size
        self.path = b"/proc/self/fd/%d" % kept

    def _unpack_zstd(self, operator: str, packed: BinaryIO) -> None:
        try:
            import zstandard  # type: ignore[import-not-found]
        except ImportError:
            raise OperatorError(
                f"{operator}: paths: {packed.name!r} is compressed with zstd. Install the package "
                "for it: pip install zstandard."
            ) from None
        reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        try:
            with reader as stream:
                self._unpack(stream)
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from None
