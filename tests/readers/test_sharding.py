import pytest

from dynjax._readers.sharding import Sharding


@pytest.mark.parametrize(
    ("size", "count", "lengths"),
    [
        (29, 11, [2, 3, 2, 3, 3, 2, 3, 3, 2, 3, 3]),
        (50_000, 6, [8333, 8333, 8334, 8333, 8333, 8334]),
        (26, 4, [6, 7, 6, 7]),
    ],
)
def test_lengths(size, count, lengths):
    sharding = Sharding(size, count)
    assert [sharding.length(k) for k in range(count)] == lengths


@pytest.mark.parametrize("size", [1, 2, 7, 10, 29, 100])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 10])
def test_shards_divide_the_samples(size, count):
    sharding = Sharding(size, count)
    covered = [i for k in range(count) for i in range(*sharding.bounds(k))]
    assert covered == list(range(size))


def test_padded_size_and_quota():
    padded = Sharding(10, 3, pad=True)
    assert padded.padded_size == 12
    assert [padded.quota(k) for k in range(3)] == [4, 4, 4]
    plain = Sharding(10, 3)
    assert plain.padded_size == 10
    assert [plain.quota(k) for k in range(3)] == [3, 3, 4]


def test_passes_rotate_or_stick():
    assert [Sharding(10, 3, 1).shard(p) for p in range(5)] == [1, 2, 0, 1, 2]
    assert [Sharding(10, 3, 1, stick=True).shard(p) for p in range(3)] == [1, 1, 1]
