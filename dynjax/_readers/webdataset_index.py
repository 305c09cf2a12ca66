"""The samples of tar archives: members with one name up to the first dot."""

import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from .._native import native
from .._types.errors import OperatorError
from .archive import Archive
from .arguments import PathLike
from .index_cache import IndexCache
from .names import NameTable
from .paths import absolute, is_remote
from .tar import TarError, members, scan_file
from .webdataset_listed import listed


@final
@dataclass(frozen=True)
class Selection:
    """Which members make a sample.

    Attributes:
        outputs: for each output the extensions that it accepts.
        fold: compare them without regard to case.
        missing: `"empty"`, `"skip"` or `"error"`.
    """

    outputs: Sequence[frozenset[bytes]]
    fold: bool
    missing: str


@final
@dataclass(frozen=True)
class WebdatasetIndex:
    """Samples by number.

    Attributes:
        archives: the archives.
        archive_of: int32 `[N]`.
        offsets, sizes: int64 `[N, outputs]`; size 0 for a missing component.
        firsts: int64 `[N]`, where the member lies that each sample is named after.
        names: the names of these members.
        shown: the archives' paths.
    """

    archives: Sequence[Archive]
    archive_of: np.ndarray
    offsets: np.ndarray
    sizes: np.ndarray
    firsts: np.ndarray
    names: Sequence[NameTable]
    starts: np.ndarray
    shown: Sequence[bytes]

    def name(self, index: int) -> bytes:
        """Archive, and offset and name of a component."""
        archive = int(self.archive_of[index])
        name = self.names[archive][index - int(self.starts[archive])]
        return b"%s:%d:%s" % (self.shown[archive], self.firsts[index], name)


def index_archives(
    operator: str,
    paths: Sequence[PathLike],
    index_paths: Sequence[PathLike] | None,
    selection: Selection,
    cache: IndexCache,
) -> WebdatasetIndex:
    """The samples of all archives, from their index files or by scanning them.

    Raises:
        OperatorError: an archive or index cannot be read, a component is missing and must not, or
            there is no sample.
    """
    archives = [Archive(operator, path) for path in paths]
    outputs = [sorted(extensions) for extensions in selection.outputs]
    columns: list[tuple[np.ndarray, ...]] = []
    names: list[NameTable] = []
    for k, path in enumerate(paths):
        if index_paths is None:
            scan = functools.partial(_scanned, operator, path, archives[k])
            entries, blob = _members(path, scan, cache)
        else:
            entries, blob = listed(operator, index_paths[k])
        found = native.select_members(entries, blob, outputs, selection.fold)
        offsets, sizes, text, ends, firsts = found
        del entries, blob, found
        lacking = (offsets < 0).any(axis=1)
        table = NameTable.of(text, ends)
        if lacking.any() and selection.missing == "error":
            row = int(np.flatnonzero(lacking)[0])
            lacked = outputs[int(np.flatnonzero(offsets[row] < 0)[0])]
            raise OperatorError(
                f"{operator}: {os.fspath(path)!r}: sample {_stem(table[row])!r} lacks a component "
                f"of ext: {b';'.join(lacked).decode()!r}. Pass missing_component_behavior='empty' "
                "or 'skip'."
            )
        if lacking.any() and selection.missing == "skip":
            kept = np.flatnonzero(~lacking)
            table = NameTable(table[i] for i in kept.tolist())
            offsets, sizes, firsts = offsets[kept], sizes[kept], firsts[kept]
        columns.append((np.maximum(offsets, 0), sizes, firsts))
        names.append(table)
    starts = np.cumsum([0, *map(len, names)])
    if not starts[-1]:
        raise OperatorError(
            f"{operator}: no sample in {[os.fspath(p) for p in paths]!r}; expected members like "
            "'name.ext'. Check paths and ext."
        )
    offsets, sizes, firsts = map(_joined, zip(*columns, strict=True))
    return WebdatasetIndex(
        archives,
        np.repeat(np.arange(len(names), dtype=np.int32), np.diff(starts)),
        offsets,
        sizes,
        firsts,
        names,
        starts,
        [absolute(path) for path in paths],
    )


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _stem(name: bytes) -> str:
    """The sample that a member belongs to."""
    folder, slash, base = name.rpartition(b"/")
    return (folder + slash + base.partition(b".")[0]).decode(errors="replace")


def _members(
    path: PathLike, scan: Callable[[], tuple[np.ndarray, np.ndarray]], cache: IndexCache
) -> tuple[np.ndarray, np.ndarray]:
    """What `scan` gives, or gave in an earlier run."""
    if not cache.keeps:
        return scan()

    def packed() -> bytes:
        entries, names = scan()
        return len(entries).to_bytes(8, "little") + entries.tobytes() + names.tobytes()

    content = cache.content(path, packed)
    end = 8 + int.from_bytes(content[:8], "little")
    whole = np.frombuffer(content, np.uint8)
    # Entries are read where they lie, which must be at a multiple of 8 bytes.
    return np.require(whole[8:end].view(np.int64), requirements="A").view(np.uint8), whole[end:]


def _scanned(operator: str, path: PathLike, archive: Archive) -> tuple[np.ndarray, np.ndarray]:
    """The members of an archive: a local one is scanned natively."""
    try:
        if not is_remote(archive.path):
            return scan_file(archive.path)
        with archive.open() as file:
            found = list(members(file, archive.size))
    except (TarError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OperatorError(
            f"{operator}: {os.fspath(path)!r}: {reason}; expected a complete tar archive."
        ) from None
    return native.pack_members(
        [member.name for member in found],
        np.array([member.offset for member in found], np.int64),
        np.array([member.size for member in found], np.int64),
    )
