"""Files elsewhere, through fsspec: which file system, what is tried again, what an error says."""

import errno
import functools
import os
import random
import threading
import zlib
from collections.abc import Callable
from typing import Any, TypeVar

from .background import Threads

T = TypeVar("T")

# They wait for the network, not for a core.
THREADS = Threads(16)
# Pauses before the second and later tries, in seconds: 3 s for all of them.
PAUSES = (0.1, 0.2, 0.4, 0.8, 1.6)
# What another try does not change.
_FINAL = (
    *(FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError),
    *(ImportError, ValueError, NotImplementedError),
)
_PACKAGES = {
    **{"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "http": "aiohttp"},
    **{"https": "aiohttp", "az": "adlfs", "abfs": "adlfs", "hf": "huggingface_hub"},
}
# Its own: the pauses of many threads should differ, and the user's draws should not.
_JITTER = random.Random()


@functools.cache
def check_installed(scheme: str) -> None:
    """Raises ImportError with the command that helps, if packages for a scheme are missing.

    Args:
        scheme: what stands before `://`, for example `"s3"`.
    """
    try:
        import fsspec
    except ImportError:
        raise ImportError(
            f"{scheme}:// paths need the package fsspec: pip install 'dynjax[remote]'"
        ) from None
    last = scheme.rpartition("::")[2]
    try:
        fsspec.get_filesystem_class(last)
    except ImportError as error:
        name = _PACKAGES.get(last)
        command = f": pip install {name}" if name else ""
        raise ImportError(
            f"{scheme}:// paths need a package that is missing ({error}){command}"
        ) from None
    except ValueError:
        pass  # no such scheme: an error of the path, raised where it is opened


def scheme_of(url: str) -> str:
    """What stands before `://`."""
    return url.partition("://")[0]


def filesystem(url: str) -> tuple[Any, str]:
    """The file system of a URL, and its path there; fsspec keeps one for each place."""
    check_installed(scheme_of(url))
    from fsspec.core import url_to_fs

    return url_to_fs(url)


def retried(action: Callable[[], T], stop: threading.Event | None = None) -> T:
    """The result of an action, which is tried again after errors that may pass.

    Args:
        action: called up to six times.
        stop: once set, the pauses end and the next error is final.

    Raises:
        Exception: that of the last try.
    """
    for pause in PAUSES:
        try:
            return action()
        except _FINAL:
            raise
        except Exception:
            if stop is not None and stop.is_set():
                raise
            (stop or threading.Event()).wait(pause * _JITTER.uniform(0.75, 1.25))
    return action()


def reason_of(error: Exception) -> str:
    """What went wrong, as the operating system would say it if it has a word for it."""
    for kind, number in (
        (FileNotFoundError, errno.ENOENT),
        (PermissionError, errno.EACCES),
        (IsADirectoryError, errno.EISDIR),
        (NotADirectoryError, errno.ENOTDIR),
    ):
        if isinstance(error, kind):
            return os.strerror(number)
    return f"{type(error).__name__}: {str(error).strip()}"[:300]


def as_os_error(error: Exception) -> Exception:
    """An OSError whose `strerror` says what went wrong; an ImportError as it is."""
    if isinstance(error, ImportError):
        return error
    number = errno.ENOENT if isinstance(error, FileNotFoundError) else errno.EIO
    return OSError(number, reason_of(error))


def fetched(url: str, start: int | None = None, stop: int | None = None) -> bytes:
    """The bytes `start` to `stop - 1` of a file, or all of it. Raises what fsspec raises."""
    system, path = filesystem(url)
    return system.cat_file(path, start, stop)


def status(url: str) -> tuple[int, int]:
    """Size of a file in bytes, and a number that changes when the file does, if that is known.

    Raises:
        OSError: it cannot be asked for.
        ImportError: a package is missing.
    """

    def ask() -> dict[str, Any]:
        system, path = filesystem(url)
        system.invalidate_cache(path)
        return system.info(path)

    try:
        info = retried(ask)
    except Exception as error:
        raise as_os_error(error) from None
    if info.get("type") == "directory":
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if info.get("size") is None:
        raise OSError(errno.EIO, "its size is not known to the server")
    stamps = ("ETag", "etag", "version_id", "generation", "LastModified", "mtime", "created")
    stamp = repr([info[name] for name in stamps if name in info])
    return int(info["size"]), zlib.crc32(stamp.encode())
