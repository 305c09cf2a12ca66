"""The key of a random operator's call, and the keys of its samples.

The key of sample i is `fold_in(call key, i)`, so that the values of a sample depend neither on how
large the batch is nor on how the work is spread. Where the user gives a key for each sample, it is
`fold_in(key, 0)`: what the sample would get alone, in a call of its own or under `vmap`.
"""

from collections.abc import Sequence
from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np

from .._native import native
from .._ops._lib.key_blocks import fold_in
from .._random.rng import RNG, get_default_rng
from .._random.words import key_words
from .._schema import Operator
from .._types.batch import Batch
from .._types.columns import Column
from .._types.errors import ArgumentError, at_call

# What one call takes from its generator, whatever it computes.
WORDS_PER_CALL = 7


@final
class CallKey:
    """The key of one call: two words, or two for each sample (`per_sample`)."""

    __slots__ = ("_name", "_words", "per_sample")

    def __init__(self, name: str, words: Any, per_sample: bool):
        self._name = name
        self._words = words
        self.per_sample = per_sample

    @property
    def words(self) -> Any:
        """uint32 `[2]`, or `[N, 2]`."""
        return self._words

    def batch_size(self, given: Any) -> Any:
        """The batch size that a call asks for: keys for samples make it a batch call."""
        return len(self._words) if given is None and self.per_sample else given

    def check(self, count: int) -> None:
        """Refuses keys for samples that are not as many as the samples."""
        if self.per_sample and len(self._words) != count:
            raise at_call(
                ArgumentError(
                    f"{self._name}: key holds keys of {len(self._words)} samples; the batch has "
                    f"{count}."
                )
            )

    def table(self, count: int) -> np.ndarray:
        """The words of each sample's key, uint32 `[N, 2]`, on the host."""
        self.check(count)
        words = np.ascontiguousarray(self._words).reshape(-1)
        return native.fold_in(words, count)

    def columns(self, count: int) -> tuple[Column, Column]:
        """The two words of each sample's key."""
        words = self._words
        xp = jnp if isinstance(words, jax.Array) else np
        self.check(count)
        if self.per_sample:
            # Each sample is as the only one of a call with its key, as it is under `vmap`.
            return fold_in((words[:, 0], words[:, 1]), xp.zeros(count, dtype=np.uint32))
        return fold_in((words[:1], words[1:]), xp.arange(count, dtype=np.uint32))


@final
class JoinedKeys:
    """The keys of several calls, whose batches, all of one size, lie one behind another."""

    __slots__ = ("_calls",)

    def __init__(self, calls: Sequence[CallKey]):
        self._calls = calls

    def batch_size(self, given: Any) -> Any:
        """The batch size that the call asks for."""
        return given

    def check(self, count: int) -> None:
        """Refuses batches that are not of one size."""
        if count % len(self._calls):
            raise ArgumentError(f"{count} samples; expected {len(self._calls)} equal batches.")

    def table(self, count: int) -> np.ndarray:
        """The words of each sample's key, uint32 `[N, 2]`, on the host."""
        size = count // len(self._calls)
        return np.concatenate([key.table(size) for key in self._calls])

    def columns(self, count: int) -> tuple[Column, Column]:
        """The two words of each sample's key."""
        words = self.table(count)
        return words[:, 0], words[:, 1]


AnyKey = CallKey | JoinedKeys


@final
class LazyKeys(Sequence):
    """What a rule gets as the columns of its keys: worked out when it looks at them.

    A rule that only hands them on as a table describes every call of its signature.
    """

    __slots__ = ("_call_key", "_columns", "_count")

    def __init__(self, call_key: AnyKey, count: int):
        call_key.check(count)
        self._call_key = call_key
        self._count = count
        self._columns: tuple[Column, Column] | None = None

    @property
    def read(self) -> bool:
        """Whether anybody looked."""
        return self._columns is not None

    def __len__(self) -> int:
        return 2

    def __getitem__(self, which: Any) -> Any:
        if self._columns is None:
            self._columns = self._call_key.columns(self._count)
        return self._columns[which]


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
    return CallKey(record.name, drawn(rng), False)


def drawn(rng: RNG) -> np.ndarray:
    """The key of a call that draws from a generator."""
    words = np.array([rng(), rng()], np.uint32)
    rng.advance(WORDS_PER_CALL - 2)
    return words


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
