"""Old names of decoders: `dynjax.experimental.decoders`."""

from .._ops.decoders import image as _image
from .._ops.decoders import image_crop as _image_crop
from .._ops.decoders import image_random_crop as _image_random_crop
from .._ops.decoders import image_slice as _image_slice
from .._ops.experimental.renamed import renamed

__all__ = ["image", "image_crop", "image_random_crop", "image_slice"]

image = renamed("experimental.decoders.image", _image.image)
image_crop = renamed("experimental.decoders.image_crop", _image_crop.image_crop)
image_random_crop = renamed(
    "experimental.decoders.image_random_crop", _image_random_crop.image_random_crop
)
image_slice = renamed("experimental.decoders.image_slice", _image_slice.image_slice)
