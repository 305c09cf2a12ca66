"""Which films a reader reads, with their labels and the parts of them that count."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from .._ops._lib.video import FrameIndex
from .._types.errors import OperatorError
from .arguments import PathLike
from .file_filter import FileFilter
from .file_index import index_files, index_folders

# Folders may hold other files beside the films.
_FILTERS = (
    *("*.3gp", "*.avi", "*.flv", "*.m2ts", "*.m4v", "*.mjpeg", "*.mjpg", "*.mkv", "*.mov", "*.mp4"),
    *("*.mpeg", "*.mpg", "*.mts", "*.ogv", "*.ts", "*.webm", "*.wmv"),
)
# Times in lists are written with few digits, and those of frames are no round numbers.
_SLACK_SECONDS = 1e-5
Unit = Literal["frames", "timestamps"]


@final
@dataclass(frozen=True)
class Rounding:
    """What the bounds in a list mean, and which way they are rounded to frames."""

    unit: Unit
    start_up: bool
    end_up: bool


@final
@dataclass(frozen=True)
class Clip:
    """A film, or a part of it.

    Attributes:
        path: absolute.
        label: of all its sequences.
        start, end: as in the list; None is the film's.
    """

    path: str
    label: int
    start: float | None = None
    end: float | None = None

    def frames(self, index: FrameIndex, rounding: Rounding) -> tuple[int, int]:
        """The first frame and the one behind the last."""
        total = len(index)
        first = 0 if self.start is None else _frame(self.start, index, rounding, rounding.start_up)
        stop = total if self.end is None else _frame(self.end, index, rounding, rounding.end_up)
        return min(max(first, 0), total), min(max(stop, 0), total)


def _frame(bound: float, index: FrameIndex, rounding: Rounding, up: bool) -> int:
    if rounding.unit == "frames":
        return int(np.ceil(bound) if up else np.floor(bound)) + (len(index) if bound < 0 else 0)
    if up:
        return int(np.searchsorted(index.seconds, bound - _SLACK_SECONDS))
    return int(np.searchsorted(index.seconds, bound + _SLACK_SECONDS, side="right")) - 1


def list_clips(
    operator: str,
    filenames: PathLike | Sequence[PathLike] | None,
    labels: Sequence[int] | int | None,
    file_list: PathLike | None,
    file_root: PathLike | None,
) -> tuple[list[Clip], bool]:
    """The clips of one of the three sources, and whether they have labels.

    Raises:
        OperatorError: not exactly one source, nothing in it, or a malformed list.
        TypeError: labels that are no integers.
    """
    given = {"filenames": filenames, "file_list": file_list, "file_root": file_root}
    names = [n for n, v in given.items() if v is not None and not (isinstance(v, str) and not v)]
    if len(names) != 1:
        raise OperatorError(
            f"{operator}: the films are given by {' and '.join(names) or 'nothing'}; expected "
            "exactly one of filenames, file_list and file_root."
        )
    if labels is not None and names != ["filenames"]:
        raise OperatorError(f"{operator}: labels given with {names[0]}; expected filenames.")
    if names == ["file_list"]:
        assert file_list is not None
        return _listed(operator, file_list), True
    if names == ["file_root"]:
        assert file_root is not None
        index = index_folders(operator, file_root, FileFilter(_FILTERS))
    else:
        assert filenames is not None
        # An empty list asks for 0, 1, 2, ...
        numbered = isinstance(labels, Sequence) and not labels
        index = index_files(operator, filenames, None if numbered else labels)
    paths = [os.fsdecode(index.path(i)) for i in range(len(index))]
    clips = [Clip(p, k) for p, k in zip(paths, index.labels.tolist(), strict=True)]
    return clips, labels is not None or names == ["file_root"]


def _listed(operator: str, file_list: PathLike) -> list[Clip]:
    try:
        with open(file_list, "rb") as lines:
            rows = [(number, line.split()) for number, line in enumerate(lines, 1) if line.strip()]
    except OSError as error:
        raise OperatorError(
            f"{operator}: file_list={file_list!r}: {error.strerror}; expected a text file with "
            "lines 'path label [start [end]]'. Check the path."
        ) from None
    clips = [_clip(operator, file_list, number, words) for number, words in rows]
    if not clips:
        raise OperatorError(f"{operator}: file_list={file_list!r} names no film.")
    return clips


def _clip(operator: str, file_list: PathLike, number: int, words: Sequence[bytes]) -> Clip:
    limit = np.iinfo(np.int32).max
    try:
        if not 2 <= len(words) <= 4 or not words[1].isdigit() or int(words[1]) > limit:
            raise ValueError
        start, end = ([float(w) for w in words[2:]] + [None, None])[:2]
        if not all(np.isfinite(b) for b in (start, end) if b is not None):
            raise ValueError
    except ValueError:
        line = b" ".join(words)[:200].decode(errors="replace")
        raise OperatorError(
            f"{operator}: file_list={file_list!r}, line {number}: {line!r}; expected "
            "'path label [start [end]]' with a non-negative 32-bit integer as label, and numbers. "
            "A path must be without blanks. Correct the line."
        ) from None
    return Clip(os.path.abspath(os.fsdecode(words[0])), int(words[1]), start, end)
