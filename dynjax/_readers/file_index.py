"""Which files a reader reads, and their labels."""

import functools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .file_filter import FileFilter
from .file_list import parse_file_list
from .names import NameTable
from .paths import absolute, is_remote, open_file


@final
@dataclass(frozen=True)
class FileIndex:
    """Paths by number, and labels.

    Attributes:
        labels: int32 `[N]`.
        _folders: absolute, or URLs.
        _listed: what stands before the names of each folder where users are told them.
    """

    labels: np.ndarray
    _names: NameTable
    _folders: Sequence[bytes]
    _folder_of: np.ndarray | None = None  # None: all names belong to the one folder
    _listed: Sequence[bytes] = (b"",)

    def __len__(self) -> int:
        return len(self._names)

    @functools.cached_property
    def has_urls(self) -> bool:
        """Whether some names may be URLs."""
        return self._names.holds(b"://")

    @functools.cached_property
    def _prefixes(self) -> list[bytes] | None:
        """What stands before the names of each folder; None if only some are whole paths."""
        whole = self._names.initials() == ord(b"/")
        if self.has_urls or (whole.any() and not whole.all()):
            return None
        return [b"" if whole.any() else folder + b"/" for folder in self._folders]

    def path(self, i: int) -> bytes:
        """The absolute path, or the URL, of sample `i`."""
        folder = self._folders[0 if self._folder_of is None else self._folder_of[i]]
        name = self._names[i]
        whole = name.startswith(b"/") or (self.has_urls and is_remote(name))
        return name if whole else folder + b"/" + name

    def listed(self, i: int) -> bytes:
        """Sample `i` as it was listed: below the folder that was scanned, or as a user wrote it."""
        return self._listed[0 if self._folder_of is None else self._folder_of[i]] + self._names[i]

    def paths(self, indices: np.ndarray) -> list[bytes]:
        """The absolute paths of samples."""
        prefixes = self._prefixes
        if prefixes is None:
            return [self.path(i) for i in indices.tolist()]
        names = self._names.many(indices)
        if self._folder_of is None:
            (root,) = prefixes
            return [root + name for name in names]
        folders = self._folder_of[indices].tolist()
        return [prefixes[k] + name for k, name in zip(folders, names, strict=True)]

    def digest(self) -> str:
        """A hash of names and labels. The folder is left out: a data set may move."""
        return self._names.digest(self.labels.tobytes())


def index_folders(
    operator: str, file_root: PathLike, files: FileFilter, folders: FileFilter | None = None
) -> FileIndex:
    """Class folders of `file_root` in byte order; their files in byte order, labelled by folder.

    Args:
        operator: who asks, for messages.
        file_root: the folder of class folders.
        files: keeps files by name.
        folders: keeps class folders by name; None keeps all. Labels count the kept ones.

    Raises:
        OperatorError: the folder cannot be listed, or nothing is left.
    """
    # An empty path must not become the working folder.
    root = absolute(file_root) if os.fspath(file_root) else b""
    names = sorted(_listing(operator, root, folders=True))
    kept = [name for name in names if folders is None or folders.matches(name)]
    counts: list[int] = []

    def members() -> Iterator[bytes]:
        # A dangling link stays: a file that cannot be read is an error, not a smaller data set.
        for inside in _listings(operator, [root + b"/" + folder for folder in kept]):
            chosen = sorted(filter(files.matches, inside))
            counts.append(len(chosen))
            yield from chosen

    table = NameTable(members())
    if not len(table):
        raise OperatorError(
            f"{operator}: file_root={file_root!r}: no file found among {len(kept)} class folders "
            f"(of {len(names)} folders); expected <file_root>/<class>/<file> with names like "
            f"{files}. Check file_root, file_filters and dir_filters."
        )
    labels = np.repeat(np.arange(len(kept), dtype=np.int32), counts)
    listed = [folder + b"/" for folder in kept]
    return FileIndex(labels, table, [root + b"/" + folder for folder in kept], labels, listed)


def index_tree(operator: str, file_root: PathLike, files: FileFilter) -> FileIndex:
    """The files of a folder, then those of its sub-folders in byte order; no labels (all 0).

    Raises:
        OperatorError: the folder cannot be listed, or no name matches.
    """
    root = absolute(file_root) if os.fspath(file_root) else b""
    inside = sorted(_listing(operator, root, folders=True))
    folders = [root, *(root + b"/" + name for name in inside)]
    counts: list[int] = []

    def members() -> Iterator[bytes]:
        for names in _listings(operator, folders):
            chosen = sorted(filter(files.matches, names))
            counts.append(len(chosen))
            yield from chosen

    table = NameTable(members())
    if not len(table):
        raise OperatorError(
            f"{operator}: file_root={file_root!r}: no file found among {len(folders)} folders; "
            f"expected names like {files}. Check file_root and file_filter."
        )
    numbers = np.repeat(np.arange(len(folders), dtype=np.int32), counts)
    listed = [name + b"/" for name in (b".", *inside)]
    return FileIndex(np.zeros(len(table), np.int32), table, folders, numbers, listed)


def index_path_list(
    operator: str, file_list: PathLike, file_root: PathLike | None = None
) -> FileIndex:
    """The lines of a text file, each a path; relative to `file_root` or the list's folder.

    Raises:
        OperatorError: the list cannot be read, or is empty.
    """
    try:
        with open_file(file_list) as lines:
            table = NameTable(name for line in lines if (name := line.rstrip(b"\r\n")))
    except OSError as error:
        raise OperatorError(
            f"{operator}: file_list={file_list!r}: {error.strerror}; expected a text file with one "
            "path a line. Check the path."
        ) from None
    if not len(table):
        raise OperatorError(
            f"{operator}: file_list={file_list!r} names no file; expected one path a line."
        )
    root = os.fspath(file_root) if file_root else os.path.dirname(os.fspath(file_list))
    return FileIndex(np.zeros(len(table), np.int32), table, [absolute(root)])


def index_files(
    operator: str,
    files: PathLike | Sequence[PathLike],
    labels: Sequence[int] | int | None,
    file_root: PathLike | None = None,
) -> FileIndex:
    """The given files, relative to `file_root` or the working folder; labels 0, 1, 2, ... if None.

    Raises:
        OperatorError: no files, or another number of labels.
        TypeError: labels that are no integers.
    """
    if isinstance(files, str | os.PathLike):
        files = [files]
    try:
        table = NameTable(map(os.fsencode, files))
    except TypeError as error:
        raise TypeError(f"{operator}: files must be a list of paths: {error}.") from None
    if not len(table):
        raise OperatorError(f"{operator}: files is empty; expected at least one path.")
    if labels is None:
        numbers = np.arange(len(table), dtype=np.int32)
    else:
        numbers = _label_array(operator, labels)
        if len(numbers) != len(table):
            raise OperatorError(
                f"{operator}: labels has {len(numbers)} entries for {len(table)} files; "
                "expected one label a file. Pass as many labels as files, or none."
            )
    return FileIndex(numbers, table, [absolute(file_root or "")])


def index_given(
    operator: str,
    files: PathLike | Sequence[PathLike] | None,
    file_list: PathLike | None,
    file_root: PathLike | None,
    pattern: str,
) -> FileIndex:
    """The files that one of the three arguments names; below a root those that match a pattern.

    Raises:
        OperatorError: none of them, or `files` and `file_list`; what is wrong with the one.
    """
    if files is not None and file_list is not None:
        raise OperatorError(f"{operator}: files and file_list={file_list!r} given; expected one.")
    if files is not None:
        return index_files(operator, files, None, file_root)
    if file_list is not None:
        return index_path_list(operator, file_list, file_root)
    if file_root is None:
        raise OperatorError(
            f"{operator}: no data; expected file_root, file_list or files. Pass one of them."
        )
    return index_tree(operator, file_root, FileFilter([pattern], case_sensitive=True))


def index_file_list(
    operator: str, file_list: PathLike, file_root: PathLike | None = None
) -> FileIndex:
    """The lines `path label` of a text file; paths relative to `file_root` or the list's folder.

    Raises:
        OperatorError: the list cannot be read, a line is not of that form, or there is none.
    """
    try:
        with open_file(file_list) as lines:
            table, labels = parse_file_list(operator, file_list, lines)
    except OSError as error:
        raise OperatorError(
            f"{operator}: file_list={file_list!r}: {error.strerror}; expected a text file with "
            "lines 'path label'. Check the path."
        ) from None
    if not len(table):
        raise OperatorError(
            f"{operator}: file_list={file_list!r} names no file; expected lines 'path label'."
        )
    root = os.fspath(file_root) if file_root else os.path.dirname(os.fspath(file_list))
    return FileIndex(labels, table, [absolute(root)])


def _listing(operator: str, folder: bytes, *, folders: bool) -> list[bytes]:
    return next(_listings(operator, [folder], folders=folders))


def _listings(
    operator: str, places: Sequence[bytes], *, folders: bool = False
) -> Iterator[list[bytes]]:
    """The names of the files in each folder, or those of its folders."""
    place = b""
    try:
        if places and is_remote(places[0]):
            from .remote_listing import listings

            yield from listings(places, wanted="directory" if folders else "file")
            return
        for place in places:
            with os.scandir(place) as entries:
                names = [entry.name for entry in entries if entry.is_dir() == folders]
            yield names
    except OSError as error:
        shown = error.filename if isinstance(error.filename, str) else os.fsdecode(place)
        raise OperatorError(
            f"{operator}: file_root: folder {shown!r}: {error.strerror}; expected a "
            "folder that can be listed. Check file_root and its permissions."
        ) from None


def _label_array(operator: str, given: Sequence[int] | int) -> np.ndarray:
    try:
        labels = np.atleast_1d(np.asarray(given))
    except ValueError:
        raise TypeError(f"{operator}: labels must be ints, one a file, got nested lists.") from None
    whole = labels.dtype.kind in "iub" or labels.size == 0
    if not whole and labels.dtype.kind == "f":
        whole = bool(np.all(labels == np.trunc(labels)))
    if not whole or labels.ndim != 1:
        raise TypeError(f"{operator}: labels must be ints, got {labels[:4].tolist()!r}, ...")
    limits = np.iinfo(np.int32)
    if labels.size and not (limits.min <= labels.min() and labels.max() <= limits.max):
        raise OperatorError(
            f"{operator}: labels reach from {labels.min()} to {labels.max()}; expected 32-bit "
            "integers. Number the classes anew."
        )
    return labels.astype(np.int32)
