import itertools
import random

import numpy as np
import pytest

from dynjax._readers.order import Cursor, SampleStream
from dynjax._readers.sharding import Sharding
from dynjax._readers.shuffling import Shuffling

SHUFFLINGS = [
    Shuffling(),
    Shuffling(random_shuffle=True, seed=1, initial_fill=1),
    Shuffling(random_shuffle=True, seed=1, initial_fill=3),
    Shuffling(random_shuffle=True, seed=1),
    Shuffling(random_shuffle=True, seed=1, initial_fill=None),
    Shuffling(every_epoch=True, every_epoch_seed=1),
]


def one_pass(stream, pass_):
    length = stream.length(Cursor(pass_))
    return stream.indices(Cursor(pass_), length).tolist()[:length]


@pytest.mark.parametrize("shuffling", SHUFFLINGS)
@pytest.mark.parametrize("size", [1, 2, 3, 32, 5000])
def test_a_pass_holds_every_sample_once(shuffling, size):
    stream = SampleStream(Sharding(size), shuffling)
    for pass_ in range(3):
        assert sorted(one_pass(stream, pass_)) == list(range(size))


@pytest.mark.parametrize("shuffling", SHUFFLINGS)
def test_shards_agree_without_talking(shuffling):
    streams = [SampleStream(Sharding(32, 2, k), shuffling) for k in range(2)]
    for pass_ in range(3):
        assert sorted(one_pass(streams[0], pass_) + one_pass(streams[1], pass_)) == [*range(32)]


@pytest.mark.parametrize("make", [
    lambda seed: Shuffling(random_shuffle=True, seed=seed),
    lambda seed: Shuffling(random_shuffle=True, seed=seed, initial_fill=None),
    lambda seed: Shuffling(every_epoch=True, every_epoch_seed=seed),
])  # fmt: skip
def test_seeds_and_passes_differ(make):
    passes = [
        tuple(one_pass(SampleStream(Sharding(32), make(seed)), pass_))
        for seed in (0, 1)
        for pass_ in range(3)
    ]
    assert len(set(passes)) == 6


def test_a_block_of_one_repeats_the_permuted_list():
    stream = SampleStream(Sharding(20), Shuffling(random_shuffle=True, initial_fill=1))
    first = one_pass(stream, 0)
    assert first != list(range(20))
    assert one_pass(stream, 1) == one_pass(stream, 7) == first


@pytest.mark.parametrize(("size", "fill"), [(23, 5), (5000, 300), (20_000, 5000)])
def test_blocks_are_mixed_inside_themselves(size, fill):
    listed = Shuffling(random_shuffle=True, initial_fill=1)
    base = one_pass(SampleStream(Sharding(size), listed), 0)
    mixed = SampleStream(Sharding(size), Shuffling(random_shuffle=True, initial_fill=fill))
    first, second = one_pass(mixed, 0), one_pass(mixed, 1)
    for begin in range(0, size, fill):
        block = base[begin : begin + fill]
        assert sorted(first[begin : begin + fill]) == sorted(block)
        assert sorted(second[begin : begin + fill]) == sorted(block)
    assert first != second != base


def test_a_full_buffer_lets_samples_go_anywhere():
    stream = SampleStream(Sharding(10_000), Shuffling(random_shuffle=True, initial_fill=None))
    moved = np.argsort(one_pass(stream, 0)) - np.argsort(one_pass(stream, 1))
    # The mean distance of two random places among n is n / 3.
    assert abs(np.abs(moved).mean() / (10_000 / 3) - 1) < 0.05


def test_epoch_permutations_deal_the_shards_anew():
    streams = [SampleStream(Sharding(100, 4, k), Shuffling(every_epoch=True)) for k in range(4)]
    first, second = ([set(one_pass(stream, pass_)) for stream in streams] for pass_ in range(2))
    assert not any(a == b for a, b in itertools.product(first, second))


# Property: stream and requests against a model that keeps the whole list.


def model(stream, cursor, counts):
    """What requests of `counts` samples give, one by one from an explicit list of passes."""
    sharding, (pass_, at) = stream.sharding, (cursor.passes, cursor.offset)
    for count in counts:
        if sharding.pad and at >= sharding.quota(sharding.shard(pass_)):
            pass_, at = pass_ + 1, 0
        batch = []
        while len(batch) < count:
            order = one_pass(stream, pass_)
            if at < len(order) or sharding.pad:
                batch.append(order[min(at, len(order) - 1)])
                at += 1
            else:
                pass_, at = pass_ + 1, 0
        yield batch


@pytest.mark.parametrize("seed", range(60))
def test_requests_follow_the_model(seed):
    rnd = random.Random(seed)
    size = rnd.choice([1, 2, 5, 10, 33, 4500])
    count = rnd.randint(1, min(size, 4))
    sharding = Sharding(
        size, count, rnd.randrange(count), stick=rnd.random() < 0.4, pad=rnd.random() < 0.5
    )
    stream = SampleStream(sharding, rnd.choice(SHUFFLINGS))
    counts = [rnd.choice([1, 2, 3, 7, 50]) for _ in range(25)]
    cursor, got, cursors = Cursor(), [], []
    for n in counts:
        cursors.append(cursor)
        got.append(stream.indices(cursor, n).tolist())
        cursor = stream.advance(cursor, n)
    assert got == list(model(stream, Cursor(), counts))
    # A fresh stream gives the same from every place: nothing but the place counts.
    for i in rnd.sample(range(len(counts)), 5):
        fresh = SampleStream(sharding, stream._order._shuffling)
        assert fresh.indices(cursors[i], counts[i]).tolist() == got[i]


@pytest.mark.parametrize("shuffling", SHUFFLINGS)
def test_the_request_size_does_not_matter(shuffling):
    stream = SampleStream(Sharding(50, 2), shuffling)
    whole = stream.indices(Cursor(), 240).tolist()
    for size in (1, 7, 48):
        cursor, parts = Cursor(), []
        for _ in range(240 // size):
            parts += stream.indices(cursor, size).tolist()
            cursor = stream.advance(cursor, size)
        assert parts == whole[: len(parts)]
