"""The order of the samples within each pass: a pure function of seeds, pass, shard and position."""

from dataclasses import dataclass
from typing import final

import numpy as np

from .permutation import TABLE_LIMIT, Permutation, derive_key, hashes
from .sharding import Sharding

# What a key is for, so that no two uses share one.
_LIST, _BLOCK, _EPOCH = range(3)


@final
@dataclass(frozen=True)
class Shuffling:
    """How the list of samples is mixed; the default leaves it as it is.

    Attributes:
        random_shuffle: permute the list once by `seed` (shards are cut from the permuted list, so
            that they never overlap), and in every pass mix anew inside consecutive blocks of
            `initial_fill` samples.
        initial_fill: block length, at least 1; None, or at least the shard's length, mixes the
            whole pass.
        seed: -1 is a fixed default, like any other number.
        every_epoch: permute the whole list anew for every pass, by `every_epoch_seed`.
    """

    random_shuffle: bool = False
    initial_fill: int | None = 1024
    seed: int = -1
    every_epoch: bool = False
    every_epoch_seed: int = 0


@final
class PassOrder:
    """Sample numbers of any stretch of any pass, in constant memory.

    Stretches are computed in aligned chunks, and the last few chunks kept: a NumPy call costs as
    much as some thousand elements, a batch has some dozens.
    """

    _KEPT = 4

    def __init__(self, sharding: Sharding, shuffling: Shuffling):
        self._sharding = sharding
        self._shuffling = shuffling
        self._kept: dict[tuple[int, int], np.ndarray] = {}
        self._epoch_permutation: tuple[int, Permutation] | None = None
        # Small blocks are mixed by one sort for all of them, so a chunk holds only whole ones.
        fill = min(shuffling.initial_fill or TABLE_LIMIT, TABLE_LIMIT)
        self._chunk = TABLE_LIMIT // fill * fill
        if shuffling.random_shuffle:
            self._list = Permutation(sharding.size, derive_key(shuffling.seed, _LIST))

    def indices(self, pass_: int, start: int, stop: int) -> np.ndarray:
        """The numbers of the samples at `start` ... `stop - 1` of a pass, as int64; not empty.

        They may be a view of what is kept, and are not to be written to.
        """
        parts = []
        for chunk in range(start // self._chunk, (stop - 1) // self._chunk + 1):
            first = chunk * self._chunk
            parts.append(self._kept_chunk(pass_, chunk)[max(start - first, 0) : stop - first])
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _kept_chunk(self, pass_: int, chunk: int) -> np.ndarray:
        values = self._kept.get((pass_, chunk))
        if values is None:
            if len(self._kept) == self._KEPT:
                del self._kept[next(iter(self._kept))]
            values = self._kept[pass_, chunk] = self._compute(pass_, chunk)
            values.flags.writeable = False
        return values

    def _compute(self, pass_: int, chunk: int) -> np.ndarray:
        shard = self._sharding.shard(pass_)
        first, end = self._sharding.bounds(shard)
        start = chunk * self._chunk
        positions = np.arange(start, min(start + self._chunk, end - first))
        if self._shuffling.every_epoch:
            return self._permutation_of(pass_)(first + positions)
        if self._shuffling.random_shuffle:
            return self._list(first + self._mixed(pass_, shard, positions, end - first))
        return first + positions

    def _mixed(self, pass_: int, shard: int, positions: np.ndarray, length: int) -> np.ndarray:
        """Where the samples at `positions` of a pass come from, after mixing inside its blocks."""
        seed = self._shuffling.seed
        fill = min(self._shuffling.initial_fill or length, length)
        start, stop = int(positions[0]), int(positions[-1]) + 1
        if fill <= TABLE_LIMIT:
            # The chunk starts and ends between blocks: one sort by (block, hash) mixes them all.
            key = derive_key(seed, _BLOCK, pass_, shard)
            return start + np.lexsort((hashes(key, positions), positions // fill))
        parts = []
        for block in range(start // fill, (stop - 1) // fill + 1):
            begin, end = block * fill, min((block + 1) * fill, length)
            inside = Permutation(end - begin, derive_key(seed, _BLOCK, pass_, shard, block))
            parts.append(begin + inside(np.arange(max(start, begin), min(stop, end)) - begin))
        return np.concatenate(parts)

    def _permutation_of(self, pass_: int) -> Permutation:
        if self._epoch_permutation is None or self._epoch_permutation[0] != pass_:
            key = derive_key(self._shuffling.every_epoch_seed, _EPOCH, pass_)
            self._epoch_permutation = (pass_, Permutation(self._sharding.size, key))
        return self._epoch_permutation[1]
