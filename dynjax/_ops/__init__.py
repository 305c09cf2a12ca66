"""Operators, one file each. Importing it gives Tensor and Batch their arithmetic."""

from . import arithmetic

__all__ = ["arithmetic"]
