"""Operators whose names may still change: `dynjax.experimental`."""

from .._ops.experimental.dilate import dilate
from .._ops.experimental.erode import erode
from .._ops.experimental.median_blur import median_blur
from .._ops.experimental.peek_image_shape import peek_image_shape
from .._ops.experimental.remap import remap
from .._ops.experimental.warp_perspective import warp_perspective
from .._ops.resize import resize  # the original's other backend for it, not another operator
from . import decoders, readers

__all__ = [
    "decoders",
    "dilate",
    "erode",
    "median_blur",
    "peek_image_shape",
    "readers",
    "remap",
    "resize",
    "warp_perspective",
]
