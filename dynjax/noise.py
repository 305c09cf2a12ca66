"""Noise: `dynjax.noise`."""

from ._ops.noise.gaussian import gaussian
from ._ops.noise.salt_and_pepper import salt_and_pepper
from ._ops.noise.shot import shot

__all__ = ["gaussian", "salt_and_pepper", "shot"]
