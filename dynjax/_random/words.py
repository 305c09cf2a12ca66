"""The uint32 words behind whatever a user may pass as a key."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from .._types.data import Data
from .threefry import threefry2x32


def key_words(key: Any) -> Any:
    """The words of a key, uint32 `[2]`, or of many, `[N, 2]`; None if it is no key."""
    if isinstance(key, Data):
        key = key.storage.array if key.storage.is_traced() else key._dense_host()
    if isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key):
        key = jax.random.key_data(key)
    if not isinstance(key, np.ndarray | jax.Array) or key.dtype != np.uint32:
        return None
    if key.ndim not in (1, 2) or key.shape[-1] not in (2, 4):
        return None
    words = key if isinstance(key, Tracer) else np.asarray(key)
    if words.shape[-1] == 4:
        # Keys of other generators are longer: all of their words take part.
        pairs = [words[..., i : i + 1] for i in range(4)]
        mixed = threefry2x32((pairs[0], pairs[1]), (pairs[2], pairs[3]))
        xp = jnp if isinstance(words, Tracer) else np
        words = xp.concatenate(mixed, axis=-1)
    return words
