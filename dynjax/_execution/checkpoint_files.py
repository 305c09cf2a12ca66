"""Numbered files of checkpoints, such as `run/{seq:04d}.json`."""

import glob
import os
import re
import string
import tempfile

from .._types.errors import ArgumentError


def write_next(pattern: str, text: str) -> str:
    """Writes a text to the file with the number after the highest that exists.

    The file appears with all of its content or not at all, even if the process dies meanwhile.

    Raises:
        ValueError: a pattern without `{seq}`, or with another field.
        OSError: the file cannot be written.
    """
    path = pattern.format(seq=max(_existing(pattern), default=-1) + 1)
    folder = os.path.dirname(path) or "."
    handle, temporary = tempfile.mkstemp(prefix=".dynjax-", suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def newest_file(pattern: str) -> str:
    """The file with the highest number.

    Raises:
        ValueError: a pattern without `{seq}`, or with another field.
        FileNotFoundError: there is none.
    """
    existing = _existing(pattern)
    if not existing:
        raise FileNotFoundError(f"Checkpoint.load: no file matches {pattern!r}.")
    return existing[max(existing)]


def _existing(pattern: str) -> dict[int, str]:
    """Number -> path of the files of a pattern."""
    wildcard, regex = "", ""
    fields = 0
    for literal, field, _, _ in string.Formatter().parse(pattern):
        wildcard += glob.escape(literal)
        regex += re.escape(literal)
        if field is None:
            continue
        if field != "seq":
            raise ArgumentError(f"Checkpoint: {pattern!r} has the field {field!r}; expected seq.")
        wildcard += "*"
        regex += r"(\d+)" if fields == 0 else r"\d+"
        fields += 1
    if fields == 0:
        raise ArgumentError(f"Checkpoint: {pattern!r} has no {{seq}}; expected it in the name.")
    found: dict[int, str] = {}
    for path in glob.glob(wildcard):
        match = re.fullmatch(regex, path)
        if match and pattern.format(seq=int(match[1])) == path:
            found[int(match[1])] = path
    return found
