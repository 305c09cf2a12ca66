"""Random numbers: generators, keys and distributions: `dynjax.random`."""

from ._ops.random.beta import beta
from ._ops.random.choice import choice
from ._ops.random.coin_flip import coin_flip
from ._ops.random.normal import normal
from ._ops.random.sample_keys import sample_keys
from ._ops.random.uniform import uniform
from ._random.rng import RNG, get_default_rng, set_seed

__all__ = [
    "RNG",
    "beta",
    "choice",
    "coin_flip",
    "get_default_rng",
    "normal",
    "sample_keys",
    "set_seed",
    "uniform",
]
