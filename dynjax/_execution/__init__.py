"""How operators run. Importing it lets operators be called (`eager` announces itself)."""

from . import eager

__all__ = ["eager"]
