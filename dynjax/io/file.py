"""Whole files: `dynjax.io.file`."""

from .._ops.io.file.read import read

__all__ = ["read"]
