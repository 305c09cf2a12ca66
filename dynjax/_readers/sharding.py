"""Which samples belong to which shard: `spec` of every reader's `num_shards` and `shard_id`."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Sharding:
    """N samples divided among K shards: shard k owns floor(k N / K) ... floor((k + 1) N / K) - 1.

    A *pass* is one reading of one shard. Pass p of the reader that starts at shard `shard_id` reads
    shard (shard_id + p) mod K, or always `shard_id` with `stick`.

    Attributes:
        size: N, at least `num_shards`.
        num_shards: K.
        shard_id: the shard of pass 0.
        stick: every pass reads the same shard.
        pad: count N up to a multiple of K, so that all shards are equally long; a shard that has
            fewer samples of its own repeats its last one.
    """

    size: int
    num_shards: int = 1
    shard_id: int = 0
    stick: bool = False
    pad: bool = False

    @property
    def padded_size(self) -> int:
        """N, rounded up to a multiple of K with `pad`: metadata `epoch_size_padded`."""
        if not self.pad:
            return self.size
        return -(-self.size // self.num_shards) * self.num_shards

    def shard(self, pass_: int) -> int:
        """The shard that pass `pass_` reads."""
        return self.shard_id if self.stick else (self.shard_id + pass_) % self.num_shards

    def bounds(self, shard: int) -> tuple[int, int]:
        """The first sample of a shard, and the one after its last."""
        return self._cut(shard, self.size), self._cut(shard + 1, self.size)

    def length(self, shard: int) -> int:
        """The number of samples that the shard owns."""
        start, stop = self.bounds(shard)
        return stop - start

    def quota(self, shard: int) -> int:
        """The number of samples that the shard owes an epoch, padding counted."""
        return self._cut(shard + 1, self.padded_size) - self._cut(shard, self.padded_size)

    def _cut(self, shard: int, size: int) -> int:
        return shard * size // self.num_shards
