"""Operators, one file each. Importing it gives Tensor and Batch their arithmetic and indexing."""

from . import arithmetic, indexing

__all__ = ["arithmetic", "indexing"]
