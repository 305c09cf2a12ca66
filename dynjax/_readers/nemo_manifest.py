"""Manifests of speech data: one JSON object a line."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import open_file


@final
@dataclass(frozen=True)
class Utterance:
    """A piece of a sound file.

    Attributes:
        path: of the file.
        text: what is said.
        offset: where it starts, in seconds.
        duration: in seconds; None: to the end.
        number: among all entries that are kept, from 0.
    """

    path: str
    text: bytes
    offset: float
    duration: float | None
    number: int

    def part(self, rate: int) -> slice:
        """Its samples, of those of the file at `rate` Hz."""
        start = round(self.offset * rate)
        return slice(start, None if self.duration is None else start + round(self.duration * rate))


def read_manifests(
    operator: str, manifests: Sequence[PathLike], min_duration: float, max_duration: float
) -> list[Utterance]:
    """The entries of all manifests whose duration lies between the limits.

    Args:
        operator: who asks, for messages.
        manifests: the files.
        min_duration, max_duration: in seconds; a maximum of 0 is none.

    Raises:
        OperatorError: a file cannot be read, a line is no entry, or none is left.
    """
    kept: list[Utterance] = []
    for manifest in manifests:
        for where, entry in _entries(operator, manifest):
            duration = _number(where, entry, "duration")
            length = 0.0 if duration is None else duration
            if length < min_duration or (0 < max_duration < length):
                continue
            path, text = entry.get("audio_filepath"), entry.get("text", "")
            if not isinstance(path, str) or not isinstance(text, str):
                raise OperatorError(
                    f"{where}: audio_filepath={path!r:.60}, text={text!r:.60}; expected two "
                    "strings. Correct the line."
                )
            offset = _number(where, entry, "offset") or 0.0
            kept.append(Utterance(path, text.encode(), offset, duration, len(kept)))
    if not kept:
        shown = [os.fspath(m) for m in manifests]
        raise OperatorError(
            f"{operator}: {shown!r} have no entry with a duration of {min_duration} to "
            f"{max_duration or 'any number of'} seconds. Check min_duration and max_duration."
        )
    return kept


def _entries(operator: str, manifest: PathLike) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        with open_file(manifest) as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                where = f"{operator}: {os.fspath(manifest)!r}, line {number}"
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise OperatorError(f"{where}: {error}; expected a JSON object.") from None
                if not isinstance(entry, dict):
                    raise OperatorError(f"{where}: {entry!r:.60}; expected a JSON object.")
                yield where, entry
    except OSError as error:
        raise OperatorError(
            f"{operator}: manifest_filepaths: {os.fspath(manifest)!r}: {error.strerror}; expected "
            "a file with a JSON object a line."
        ) from None


def _number(where: str, entry: dict[str, Any], name: str) -> float | None:
    value = entry.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise OperatorError(f"{where}: {name}={value!r:.60}; expected seconds. Correct the line.")
    return float(value)
