"""Input of files: `dynjax.io`."""

from . import file

__all__ = ["file"]
