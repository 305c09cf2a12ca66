"""The old name of `dynjax.peek_image_shape`."""

from .. import peek_image_shape as _now
from .renamed import renamed

peek_image_shape = renamed("experimental.peek_image_shape", _now.peek_image_shape)
