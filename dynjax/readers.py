"""Readers: `dynjax.readers`."""

from ._readers.file import File

__all__ = ["File"]
