"""Paths of files here and elsewhere: a path that starts with `scheme://` is a remote one."""

import io
import os
import re
from collections.abc import Sequence
from typing import BinaryIO

from .arguments import PathLike

# Several schemes before the slashes are fsspec's chains: `simplecache::s3://bucket/a.tar`.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-:]*://")


def is_remote(path: PathLike | bytes) -> bool:
    """Whether a path is one for fsspec."""
    text = os.fsdecode(path)
    return "://" in text and _URL.match(text) is not None


def any_remote(paths: Sequence[bytes]) -> bool:
    """Whether one of them is; a search in all of them costs less than one in each."""
    return b"://" in b"".join(paths) and any(map(is_remote, paths))


def absolute(path: PathLike) -> bytes:
    """A path that means the same in every folder, without a slash at its end."""
    if not is_remote(path):
        return os.fsencode(os.path.abspath(path))
    url = os.fsencode(path)
    return url if url.endswith(b"://") else url.rstrip(b"/")


def open_file(path: PathLike) -> BinaryIO:
    """A file to be read as bytes; a remote one is fetched in large pieces as it is read.

    Raises:
        OSError: it cannot be read; `strerror` says why.
        ImportError: a package for it is missing.
    """
    if not is_remote(path):
        return open(path, "rb")
    from .remote_file import RemoteFile

    return io.BufferedReader(RemoteFile(os.fsdecode(path)), 1 << 16)


def size_of(path: PathLike) -> int:
    """The size of a file in bytes. Raises as `open_file` does."""
    if not is_remote(path):
        return os.stat(path).st_size
    from .remote import status

    return status(os.fsdecode(path))[0]
