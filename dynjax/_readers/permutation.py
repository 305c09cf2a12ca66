"""Keyed permutations of [0, n) that need no memory in proportion to n."""

from math import isqrt
from typing import final

import numpy as np

# Up to this size a permutation is a table, made by sorting keyed hashes: a uniform draw among all
# n! orders, which a Feistel network on a handful of values is far from. 32 KiB at most.
TABLE_LIMIT = 4096

# More than the four rounds that the Luby-Rackoff construction needs: its guarantee is weak on
# halves of a few bits, and the order of a data set is read by people who look for patterns.
_ROUNDS = 8
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mix64(x: np.ndarray) -> np.ndarray:
    """Hashes each uint64 to a uint64, bijectively.

    Source: Stafford's variant 13 of the MurmurHash3 finaliser, as in SplitMix64
    (Steele, Lea, Flood 2014).
    """
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def hashes(key: int, counters: np.ndarray) -> np.ndarray:
    """The outputs of the SplitMix64 stream `key` at `counters`, as uint64."""
    start = np.asarray(key, np.uint64)
    return mix64(start + _GOLDEN * (counters.astype(np.uint64) + np.uint64(1)))


def derive_key(seed: int, *words: int) -> int:
    """A 64-bit key from a seed and the numbers of what it is for; any int is accepted."""
    key = 0
    for word in (seed, *words):
        key = int(hashes(key, np.array([word & (2**64 - 1)], np.uint64))[0])
    return key


@final
class Permutation:
    """A bijection of [0, n), a pure function of (n, key) on every platform.

    Large n: a Feistel network on pairs (left, right) of [0, a)^2, a = ceil(sqrt(n)), with additions
    modulo a. The square has at most 2 sqrt(n) values too many, so walking the cycle until a value
    falls below n (Black and Rogaway 2002) is seldom needed.

    Example:
        >>> sorted(Permutation(5, key=1)(np.arange(5)).tolist())
        [0, 1, 2, 3, 4]
    """

    def __init__(self, n: int, key: int):
        self._n = np.uint64(n)
        self._table: np.ndarray | None = None
        if n <= TABLE_LIMIT:
            # A stable sort, so that the order is defined even where two hashes agree.
            self._table = np.argsort(hashes(key, np.arange(n)), kind="stable")
        else:
            self._side = np.uint64(isqrt(n - 1) + 1)
            self._round_keys = hashes(key, np.arange(_ROUNDS))

    def __call__(self, positions: np.ndarray) -> np.ndarray:
        """The images of `positions`, integers in [0, n), as int64."""
        if self._table is not None:
            return self._table[positions]
        images = self._rounds(positions.astype(np.uint64))
        outside = np.flatnonzero(images >= self._n)
        while outside.size:
            images[outside] = self._rounds(images[outside])
            outside = outside[images[outside] >= self._n]
        return images.astype(np.int64)

    def _rounds(self, x: np.ndarray) -> np.ndarray:
        left, right = x // self._side, x % self._side
        for key in self._round_keys:
            # The hash is reduced before the addition: a sum that wrapped at 2^64 would not be
            # one-to-one any more.
            left, right = right, (left + mix64(right + key) % self._side) % self._side
        return left * self._side + right
