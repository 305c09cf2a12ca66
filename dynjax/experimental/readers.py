"""Readers whose names may still change: `dynjax.experimental.readers`."""

from .._readers.experimental_video import Video
from .._readers.fits import Fits

__all__ = ["Fits", "Video"]
