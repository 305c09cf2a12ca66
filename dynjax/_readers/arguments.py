"""Checks of single constructor arguments; messages name the reader and the argument."""

import operator as arithmetic
import os
from collections.abc import Sequence
from typing import Any

PathLike = str | os.PathLike[str]


def integer(reader: str, name: str, value: Any) -> int:
    """An argument as an int. Raises TypeError for what is none; a bool is none."""
    try:
        if not isinstance(value, bool):
            return arithmetic.index(value)
    except TypeError:
        pass  # arrays have the method, too
    raise TypeError(f"{reader}: {name} must be an int, got {value!r:.80}.")


def number(reader: str, name: str, value: Any, default: float) -> float:
    """An argument as a float, None as the default. Raises TypeError for anything else."""
    try:
        if not isinstance(value, bool | str | bytes):
            return default if value is None else float(value)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{reader}: {name} must be a number, got {value!r:.80}.")


def path(reader: str, name: str, value: Any) -> PathLike | None:
    """An argument that is a path or None. Raises TypeError for anything else."""
    if value is None or isinstance(value, str | os.PathLike):
        return value
    raise TypeError(f"{reader}: {name} must be a str or path, got {value!r}.")


def text(reader: str, name: str, value: Any, default: str) -> str:
    """An argument as a str, None as the default. Raises TypeError for anything else."""
    if value is None or isinstance(value, str):
        return default if value is None else value
    raise TypeError(f"{reader}: {name} must be a str, got {value!r:.80}.")


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
