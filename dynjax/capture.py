"""Captured loops: marking what does not change, and reports of what was captured."""

from ._capture.report import Report, report
from ._types.invariant import invariant

__all__ = ["Report", "invariant", "report"]
