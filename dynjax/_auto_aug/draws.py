"""Random numbers of samples, on the host or inside `jit`.

The draw number `tag` of a sample is a function of the sample's key alone. So a sample's
augmentation does not depend on the batch it is in.
"""

from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from .._execution.keys import drawn
from .._ops._lib.key_blocks import fold_in
from .._random.rng import RNG, get_default_rng
from .._random.words import key_words
from .._types.errors import ArgumentError, at_call

# How many draws are made at once inside `jit`.
_TRACED_TAGS = 128
Tag = int | np.ndarray


@final
class Draws:
    """The numbers of `count` samples, from `key` or `rng` as operators take them.

    Raises:
        ArgumentError: both are given, no key, keys of another number of samples.
        TypeError: an `rng` that is no RNG; no key inside `jit`.
    """

    def __init__(self, name: str, key: Any, rng: Any, count: int, traced: bool):
        words = _words(name, key, rng, traced)
        self.traced = isinstance(words, Tracer)
        self._xp = jnp if self.traced else np
        if words.ndim == 2 and len(words) != count:
            raise at_call(
                ArgumentError(
                    f"{name}: key holds keys of {len(words)} samples; the batch has {count}."
                )
            )
        if words.ndim == 2:
            first, second, numbers = words[:, 0], words[:, 1], self._xp.zeros(count, np.uint32)
        else:
            first, second, numbers = words[:1], words[1:], self._xp.arange(count, dtype=np.uint32)
        keys = fold_in((first, second), numbers)
        if self.traced:
            # All draws at once, and on every platform kept apart from what uses them.
            keys = jax.lax.optimization_barrier(keys)
            tags = np.arange(_TRACED_TAGS, dtype=np.uint32)[:, None]
            self._table = jax.lax.optimization_barrier(fold_in(keys, tags))
        self._keys = keys

    def keys(self, tag: int) -> Any:
        """Keys for an operator's own draws, uint32 `[N, 2]`."""
        return self._xp.stack(self._drawn(tag), axis=-1)

    def unit(self, tag: Tag) -> Any:
        """Uniform in [0, 1), float32 `[N]`; for several tags a row for each of them."""
        first, second = self._drawn(tag)
        return ((first ^ second) >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)

    def below(self, tag: Tag, count: int) -> Any:
        """Uniform in 0 to `count - 1`, int32 `[N]`, or a row for each tag."""
        numbers = (self.unit(tag) * np.float32(count)).astype(np.int32)
        return self._xp.minimum(numbers, count - 1)

    def between(self, tag: Tag, low: float, high: float) -> Any:
        """Uniform in [low, high), float32 `[N]`, or a row for each tag."""
        return np.float32(low) + self.unit(tag) * np.float32(high - low)

    def _drawn(self, tag: Tag) -> tuple[Any, Any]:
        if self.traced and np.max(tag) < _TRACED_TAGS:
            first, second = self._table
            return first[tag], second[tag]
        return fold_in(self._keys, np.asarray(tag, np.uint32)[..., None])


def _words(name: str, key: Any, rng: Any, traced: bool) -> Any:
    if key is not None:
        if rng is not None:
            raise at_call(ArgumentError(f"{name}: key and rng are given; pass one of them."))
        words = key_words(key)
        if words is None:
            raise at_call(
                ArgumentError(
                    f"{name}: key={key!r} is no key; expected a JAX key, its uint32 words, or one "
                    "for each sample."
                )
            )
        return words
    if traced:
        raise TypeError(f"{name}: inside jit, vmap or grad pass key=, such as a JAX key.")
    if rng is None:
        rng = get_default_rng()
    if not isinstance(rng, RNG):
        raise TypeError(f"{name}: rng={rng!r}; expected a dynjax.random.RNG.")
    return drawn(rng)
