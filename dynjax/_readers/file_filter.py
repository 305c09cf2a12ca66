"""Glob patterns for the names of files and folders."""

import fnmatch
import re
from collections.abc import Sequence
from typing import final

_SUFFIX = re.compile(rb"\*[^*?\[]*")


@final
class FileFilter:
    """Keeps names that match one of several glob patterns.

    Args:
        patterns: globs.
        case_sensitive: whether `*.jpg` refuses `A.JPG`. Only ASCII letters fold.
    """

    def __init__(self, patterns: Sequence[str], *, case_sensitive: bool = False):
        self._patterns = tuple(patterns)
        self._fold = not case_sensitive
        encoded = [p.encode() if case_sensitive else p.encode().lower() for p in self._patterns]
        # `*.ext`, all that most data sets need, is one C call for all patterns; a regular
        # expression takes a microsecond a name and pattern.
        self._suffixes = tuple(p[1:] for p in encoded if _SUFFIX.fullmatch(p))
        globs = [p.decode("latin-1") for p in encoded if not _SUFFIX.fullmatch(p)]
        regex = "|".join(map(fnmatch.translate, globs)).encode("latin-1")
        self._glob = re.compile(regex) if globs else None

    def matches(self, name: bytes) -> bool:
        """Whether the name is kept."""
        if self._fold:
            name = name.lower()
        return name.endswith(self._suffixes) or (
            self._glob is not None and self._glob.match(name) is not None
        )

    def __str__(self) -> str:
        return ", ".join(self._patterns)
