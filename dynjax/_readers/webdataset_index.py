"""The samples of tar archives: members with one name up to the first dot."""

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from .._types.errors import OperatorError
from .archive import Archive
from .arguments import PathLike
from .names import NameTable
from .tar import TarError, members

# So that no offset and no size passes 2^62.
_DIGITS = 18


class Entry(NamedTuple):
    """A member of an archive.

    Attributes:
        extension: what follows the first dot of its base name.
        offset, size: of its content, in bytes.
        name: its path in the archive.
    """

    extension: bytes
    offset: int
    size: int
    name: bytes


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
        names: for each sample archive, and offset and name of a component.
    """

    archives: Sequence[Archive]
    archive_of: np.ndarray
    offsets: np.ndarray
    sizes: np.ndarray
    names: NameTable


def index_archives(
    operator: str,
    paths: Sequence[PathLike],
    index_paths: Sequence[PathLike] | None,
    selection: Selection,
) -> WebdatasetIndex:
    """The samples of all archives, from their index files or by scanning them.

    Raises:
        OperatorError: an archive or index cannot be read, a component is missing and must not, or
            there is no sample.
    """
    archives = [Archive(operator, path) for path in paths]
    archive_of, offsets, sizes = array("i"), array("q"), array("q")
    width = len(selection.outputs)

    def names() -> Iterator[bytes]:
        for k, archive in enumerate(archives):
            shown = os.fsencode(os.path.abspath(paths[k]))
            if index_paths is None:
                samples = _scanned(operator, paths[k], archive)
            else:
                samples = _listed(operator, index_paths[k])
            for sample in samples:
                chosen = _chosen(sample, selection)
                if None in chosen and selection.missing == "skip":
                    continue
                if None in chosen and selection.missing == "error":
                    raise OperatorError(
                        f"{operator}: {os.fspath(paths[k])!r}: sample "
                        f"{_stem(sample[0].name)[0].decode(errors='replace')!r} lacks a component "
                        f"of ext; it has {[e.extension.decode() for e in sample]!r}. Pass "
                        "missing_component_behavior='empty' or 'skip'."
                    )
                archive_of.append(k)
                first = sample[0] if chosen[0] is None else chosen[0]
                for entry in chosen:
                    offsets.append(entry.offset if entry else 0)
                    sizes.append(entry.size if entry else 0)
                yield b"%s:%d:%s" % (shown, first.offset, first.name)

    table = NameTable(names())
    if not len(table):
        raise OperatorError(
            f"{operator}: no sample in {[os.fspath(p) for p in paths]!r}; expected members like "
            "'name.ext'. Check paths and ext."
        )
    return WebdatasetIndex(
        archives,
        np.frombuffer(archive_of, np.int32),
        np.frombuffer(offsets, np.int64).reshape(-1, width),
        np.frombuffer(sizes, np.int64).reshape(-1, width),
        table,
    )


def _stem(name: bytes) -> tuple[bytes, bytes]:
    """A member's sample, and its extension: they part at the first dot of the base name."""
    folder, slash, base = name.rpartition(b"/")
    stem, _, extension = base.partition(b".")
    return folder + slash + stem, extension


def _grouped(found: Iterable[Entry]) -> Iterator[list[Entry]]:
    group: list[Entry] = []
    current = None
    for entry in found:
        stem = _stem(entry.name)[0]
        if group and stem != current:
            yield group
            group = []
        current = stem
        group.append(entry)
    if group:
        yield group


def _chosen(sample: Sequence[Entry], selection: Selection) -> list[Entry | None]:
    chosen: list[Entry | None] = []
    for accepted in selection.outputs:
        for entry in sample:
            extension = entry.extension.lower() if selection.fold else entry.extension
            if extension in accepted:
                chosen.append(entry)
                break
        else:
            chosen.append(None)
    return chosen


def _scanned(operator: str, path: PathLike, archive: Archive) -> Iterator[list[Entry]]:
    try:
        with archive.open() as file:
            yield from _grouped(
                Entry(_stem(m.name)[1], m.offset, m.size, m.name)
                for m in members(file, archive.size)
            )
    except TarError as error:
        raise OperatorError(
            f"{operator}: {os.fspath(path)!r}: {error}; expected a complete tar archive."
        ) from None


def _listed(operator: str, index_path: PathLike) -> Iterator[list[Entry]]:
    """The samples of an index file.

    Its first line is `version count`, each other one a sample: for each component extension,
    offset and size, and since version 1.2 the name.
    """
    shown = os.fspath(index_path)
    try:
        with open(index_path, "rb") as lines:
            version, _, count = lines.readline().partition(b" ")
            if version not in (b"v1.1", b"v1.2") or not count.strip().isdigit():
                raise OperatorError(
                    f"{operator}: index_paths: {shown!r} is no index; expected a first line "
                    "'v1.2 <samples>'. Leave index_paths out to scan the archives."
                )
            width = 4 if version == b"v1.2" else 3
            for number, line in enumerate(lines, start=2):
                yield _parsed_line(operator, shown, number, line.split(), width)
    except OSError as error:
        raise OperatorError(
            f"{operator}: index_paths: {shown!r}: {error.strerror}. Leave index_paths out to scan "
            "the archives."
        ) from None


def _parsed_line(
    operator: str, path: str, number: int, words: list[bytes], width: int
) -> list[Entry]:
    if not words or len(words) % width:
        raise OperatorError(
            f"{operator}: index_paths: {path!r}, line {number}: {len(words)} words; expected "
            f"{width} for each component. Make the index anew."
        )
    sample: list[Entry] = []
    for i in range(0, len(words), width):
        # The extension column decides, not the name, as in the original.
        extension, offset, size = words[i : i + 3]
        if not (offset.isdigit() and size.isdigit() and max(len(offset), len(size)) <= _DIGITS):
            raise OperatorError(
                f"{operator}: index_paths: {path!r}, line {number}: offset {offset!r}, size "
                f"{size!r}; expected bytes. Make the index anew."
            )
        name = words[i + 3] if width == 4 else b"." + extension
        sample.append(Entry(extension, int(offset), int(size), name))
    return sample
