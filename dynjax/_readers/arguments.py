"""Checks of single constructor arguments; messages name the reader and the argument."""

import operator as arithmetic
import os
from collections.abc import Sequence
from typing import Any

PathLike = str | os.PathLike[str]


def integer(reader: str, name: str, value: Any) -> int:
    """An argument as an int. Raises TypeError for what is none; a bool is none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{reader}: {name} must be an int, got {value!r}.")
    return arithmetic.index(value)


def path(reader: str, name: str, value: Any) -> PathLike | None:
    """An argument that is a path or None. Raises TypeError for anything else."""
    if value is None or isinstance(value, str | os.PathLike):
        return value
    raise TypeError(f"{reader}: {name} must be a str or path, got {value!r}.")


def globs(reader: str, name: str, value: Any) -> Sequence[str] | None:
    """An argument that is one glob, a list of them or None. Raises TypeError for anything else."""
    if value is None or isinstance(value, str):
        return None if value is None else [value]
    if isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        return value
    raise TypeError(f"{reader}: {name} must be a str or a list of str, got {value!r}.")


def paths(reader: str, name: str, value: Any) -> list[PathLike]:
    """An argument that is one path or a list of them. Raises TypeError for anything else."""
    if isinstance(value, str | os.PathLike):
        return [value]
    if isinstance(value, Sequence) and all(isinstance(v, str | os.PathLike) for v in value):
        return list(value)
    raise TypeError(f"{reader}: {name} must be a path or a list of paths, got {value!r:.80}.")
