"""Decoders: `dynjax.decoders`."""

from ._ops._lib.limits import get_max_image_pixels, set_max_image_pixels
from ._ops.decoders.image import image

__all__ = ["get_max_image_pixels", "image", "set_max_image_pixels"]
