"""The samples of several sound files."""

from collections.abc import Iterator, Sequence

import numpy as np

from .native_sounds import read_sounds
from .sound import SoundFile, SoundForm

_GROUP_BYTES = 1 << 26  # of whole sounds that exist beside what is made of them


def whole_sounds(
    files: Sequence[SoundFile],
    forms: Sequence[SoundForm],
    rooms: Sequence[np.ndarray | None],
) -> Iterator[np.ndarray]:
    """All samples of each file, one after another; the extension reads many at a time.

    Args:
        files: the files.
        forms: decide the dtypes, see `SoundForm.reads`.
        rooms: where to write them: contiguous arrays `[frames, channels]`, or None for a new one.

    Raises:
        SoundError, ImportError: instead of the samples of a file; see `SoundFile.read`.
    """
    for start, stop in _groups(files, forms, rooms):
        part = slice(start, stop)
        yield from _read_group(files[part], forms[part], rooms[part])


def _groups(
    files: Sequence[SoundFile],
    forms: Sequence[SoundForm],
    rooms: Sequence[np.ndarray | None],
) -> Iterator[tuple[int, int]]:
    """First and last of files that are read together, by the memory that they take."""
    start = taken = 0
    for i, (file, form, room) in enumerate(zip(files, forms, rooms, strict=True)):
        size = file.frames * file.channels * form.reads(file).itemsize if room is None else 0
        if taken + size > _GROUP_BYTES and i > start:
            yield start, i
            start, taken = i, 0
        taken += size
    yield start, len(files)


def _read_group(
    files: Sequence[SoundFile],
    forms: Sequence[SoundForm],
    rooms: Sequence[np.ndarray | None],
) -> Iterator[np.ndarray]:
    natives, targets = [], []
    for file, form, room in zip(files, forms, rooms, strict=True):
        dtype = form.reads(file)
        native = file.native(dtype)
        if native is not None and room is None:
            room = np.empty((file.frames, file.channels), dtype)
        natives.append(native)
        targets.append(room)
    filled = read_sounds(natives, targets)
    for file, form, target, done in zip(files, forms, targets, filled, strict=True):
        if target is None:
            yield file.read(form.reads(file))
            continue
        if not done:
            file.read_into(target)
        yield target
