"""The key of a random operator's call, and the keys of its samples.

The key of sample i is `fold_in(call key, i)`, so that the values of a sample depend neither on how
large the batch is nor on how the work is spread.
"""

from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np

from .._random.rng import RNG, get_default_rng
from .._random.threefry import fold_in
from .._random.words import key_words
from .._schema import Operator
from .._types.batch import Batch
from .._types.columns import Column
from .._types.errors import ArgumentError, at_call

# What one call takes from its generator, whatever it computes.
_WORDS_PER_CALL = 7


@final
class CallKey:
    """The key of one call: two words, or two for each sample (`per_sample`)."""

    __slots__ = ("_name", "_words", "per_sample")

    def __init__(self, name: str, words: Any, per_sample: bool):
        self._name = name
        self._words = words
        self.per_sample = per_sample

    def batch_size(self, given: Any) -> Any:
        """The batch size that a call asks for: keys for samples make it a batch call."""
        return len(self._words) if given is None and self.per_sample else given

    def columns(self, count: int) -> tuple[Column, Column]:
        """The two words of each sample's key."""
        words = self._words
        if self.per_sample:
            if len(words) != count:
                raise at_call(
                    ArgumentError(
                        f"{self._name}: key holds keys of {len(words)} samples; the batch has "
                        f"{count}."
                    )
                )
            return words[:, 0], words[:, 1]
        xp = jnp if isinstance(words, jax.Array) else np
        return fold_in((words[:1], words[1:]), xp.arange(count, dtype=np.uint32))


def take_key(record: Operator, given: dict[str, Any], traced: bool) -> CallKey:
    """Removes `key` and `rng` from the arguments of a call and gives its key.

    Without a key, words are drawn from the generator now: the order of calls settles the values.

    Raises:
        TypeError: a literal in place of the generator; no key inside `jit`, where a draw would be
            compiled in and repeat for ever.
        ArgumentError: something else that is no generator or no key, or both are given.
    """
    key, rng = given.pop("key", None), given.pop("rng", None)
    if key is not None:
        if rng is not None:
            raise at_call(ArgumentError(f"{record.name}: key and rng are given; pass one of them."))
        return _given(record.name, key)
    if traced:
        raise TypeError(f"{record.name}: inside jit, vmap or grad pass key=, such as a JAX key.")
    if rng is None:
        rng = get_default_rng()
    elif isinstance(rng, bool | int | float | str | bytes | list | tuple):
        raise TypeError(f"{record.name}: rng={rng!r}; expected a dynjax.random.RNG.")
    elif not isinstance(rng, RNG):
        raise ArgumentError(f"{record.name}: rng={rng!r}; expected a dynjax.random.RNG.")
    words = [rng() for _ in range(_WORDS_PER_CALL)]
    return CallKey(record.name, np.array(words[:2], np.uint32), False)


def _given(name: str, key: Any) -> CallKey:
    words = key_words(key)
    if words is None:
        raise at_call(
            ArgumentError(
                f"{name}: key={key!r} is no key; expected a JAX key, its uint32 words, or one for "
                "each sample."
            )
        )
    return CallKey(name, words, isinstance(key, Batch) or words.ndim == 2)
