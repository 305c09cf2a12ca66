"""Affine matrices: `dynjax.transforms`."""

from ._ops.transforms.combine import combine
from ._ops.transforms.crop import crop
from ._ops.transforms.rotation import rotation
from ._ops.transforms.scale import scale
from ._ops.transforms.shear import shear
from ._ops.transforms.translation import translation

__all__ = ["combine", "crop", "rotation", "scale", "shear", "translation"]
