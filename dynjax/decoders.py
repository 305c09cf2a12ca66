"""Decoders: `dynjax.decoders`."""

from ._ops._lib.limits import get_max_image_pixels, set_max_image_pixels
from ._ops.decoders.audio import audio
from ._ops.decoders.bad_samples import bad_samples
from ._ops.decoders.image import image
from ._ops.decoders.image_crop import image_crop
from ._ops.decoders.image_random_crop import image_random_crop
from ._ops.decoders.image_slice import image_slice
from ._ops.decoders.inflate import inflate
from ._ops.decoders.numpy import numpy
from ._ops.decoders.video import video

__all__ = [
    "audio",
    "bad_samples",
    "get_max_image_pixels",
    "image",
    "image_crop",
    "image_random_crop",
    "image_slice",
    "inflate",
    "numpy",
    "set_max_image_pixels",
    "video",
]
