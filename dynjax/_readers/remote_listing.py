"""What lies in remote folders."""

import os
from collections.abc import Sequence
from typing import Any

from .background import mapped
from .remote import THREADS, as_os_error, filesystem, retried


def listings(folders: Sequence[bytes], *, wanted: str) -> list[list[bytes]]:
    """The names in each folder, in no order; many folders are asked for at a time.

    Args:
        folders: URLs.
        wanted: `"file"` or `"directory"`.

    Raises:
        OSError: one cannot be listed; `filename` says which.
        ImportError: a package is missing.
    """

    def listing(folder: bytes) -> list[bytes]:
        url = os.fsdecode(folder)

        def ask() -> list[dict[str, Any]]:
            system, path = filesystem(url)
            system.invalidate_cache(path)
            return system.ls(path, detail=True)

        try:
            entries = retried(ask)
        except Exception as error:
            found = as_os_error(error)
            if isinstance(found, OSError):
                found.filename = url
            raise found from None
        kept: list[bytes] = []
        for entry in entries:
            path = entry["name"].rstrip("/")
            name = path.rpartition("/")[2]
            # Some stores list the folder itself, as a file without bytes.
            itself = url.endswith(path) and not entry.get("size")
            if entry["type"] == wanted and name and not itself:
                kept.append(os.fsencode(name))
        return kept

    return mapped(THREADS, listing, folders)
