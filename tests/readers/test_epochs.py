import dataclasses
import json
import random

import pytest
from readers.worked_examples import EXAMPLES, expected

from dynjax._readers.epochs import EpochRule, Position
from dynjax._readers.order import Cursor, SampleStream
from dynjax._readers.sharding import Sharding
from dynjax._readers.shuffling import Shuffling


def walk(rule, position=None, epochs=1, stop_after=None):
    """Epochs of steps; the position goes along."""
    position, out = position or Position(), []
    for _ in range(epochs):
        steps = []
        for _ in range(rule.batches(position)):
            steps.append(rule.step(position.cursor))
            position = position.after_batch(steps[-1].after)
        position = rule.finish(position)
        out.append(steps)
    return out, position


def samples(epochs):
    return [[step.indices.tolist() for step in epoch] for epoch in epochs]


@pytest.mark.parametrize(("sharding", "batch_size", "text"), EXAMPLES)
def test_worked_examples(sharding, batch_size, text):
    wanted = expected(batch_size, text)
    rule = EpochRule(SampleStream(sharding, Shuffling()), batch_size or 1)
    got, _ = walk(rule, epochs=len(wanted))
    assert samples(got) == wanted


def rule_of(size, batch_size, last_batch, shards=1, shard=0, **kw):
    stream = SampleStream(Sharding(size, shards, shard, **kw), Shuffling())
    return EpochRule(stream, batch_size, last_batch)


@pytest.mark.parametrize(
    ("last_batch", "lengths", "valid"),
    [("drop", [4, 4], [4, 4]), ("partial", [4, 4, 2], [4, 4, 2]), ("pad", [4, 4, 4], [4, 4, 2])],
)
def test_last_batch_policies(last_batch, lengths, valid):
    epochs, position = walk(rule_of(10, 4, last_batch), epochs=2)
    assert position == Position(epoch=2, cursor=Cursor(2))
    for epoch in epochs:
        assert [len(step.indices) for step in epoch] == lengths
        counts = [len(s.indices) if s.valid is None else int(s.valid.sum()) for s in epoch]
        assert counts == valid
        assert epoch[0].indices.tolist() == [0, 1, 2, 3]


def test_pad_marks_its_repetitions():
    (epoch,), _ = walk(rule_of(10, 4, "pad"))
    assert epoch[-1].indices.tolist() == [8, 9, 9, 9]
    assert epoch[-1].valid.tolist() == [True, True, False, False]
    masks = [s.valid if s.valid is not None else [True] * 4 for s in epoch]
    assert sum(int((s.indices * m).sum()) for s, m in zip(epoch, masks, strict=True)) == 45


def test_partial_batches_of_unequal_shards():
    lengths = [
        [len(s.indices) for s in walk(rule_of(26, 6, "partial", 4, k, stick=True))[0][0]]
        for k in range(4)
    ]
    assert lengths == [[6], [6, 1], [6], [6, 1]]


def test_equal_steps_on_all_shards():
    total = 0
    for k in range(4):
        rule = rule_of(26, 6, "pad", 4, k, stick=True, pad=True)
        (epoch,), position = walk(rule)
        assert [len(step.indices) for step in epoch] == [6, 6]
        assert position.cursor == Cursor(1)
        total += sum(6 if step.valid is None else int(step.valid.sum()) for step in epoch)
    assert total == 26


@pytest.mark.parametrize("last_batch", ["partial", "pad"])
@pytest.mark.parametrize("shuffling", [
    Shuffling(),
    Shuffling(random_shuffle=True, initial_fill=4),
    Shuffling(every_epoch=True),
])  # fmt: skip
def test_every_epoch_over_all_shards_holds_every_sample_once(last_batch, shuffling):
    seen = [[], [], []]
    for k in range(4):
        stream = SampleStream(Sharding(26, 4, k), shuffling)
        epochs, _ = walk(EpochRule(stream, 6, last_batch), epochs=3)
        for e, epoch in enumerate(epochs):
            for s in epoch:
                seen[e] += s.indices.tolist() if s.valid is None else s.indices[s.valid].tolist()
    assert [sorted(epoch) for epoch in seen] == [list(range(26))] * 3


def test_dropping_all_of_a_small_shard_goes_on_to_the_next():
    epochs, position = walk(rule_of(10, 4, "drop", 3), epochs=4)
    assert samples(epochs) == [[], [], [[6, 7, 8, 9]], []]
    assert position.cursor == Cursor(4)


def test_an_unfinished_epoch_goes_on_where_it_stopped():
    rule = rule_of(10, 4, "partial")
    position = Position().after_batch(rule.step(Cursor()).after)
    epochs, _ = walk(rule, position, epochs=2)
    assert samples(epochs) == [[[4, 5, 6, 7], [8, 9]], [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]]


def test_restart_keeps_shards_apart():
    # One reader had reached beyond the end of its shard, the other had not.
    for drawn, cursor in ((1, Cursor(1, 2)), (1, Cursor(0, 5))):
        assert Position(3, drawn, cursor).restart() == Position(4, 0, Cursor(4))
    assert Position(3, 0, Cursor(3, 2)).restart() == Position(3, 0, Cursor(3))


def test_positions_are_json():
    position = Position(3, 2, Cursor(4, 17))
    state = json.loads(json.dumps(dataclasses.asdict(position)))
    assert Position(**{**state, "cursor": Cursor(**state["cursor"])}) == position


# Property: random walks against a model of the loader with mutable state.


def model(size, shards, shard, batch_size, stick, pad, epochs):
    """Epochs of batches without shuffling: the specification's rules, sample by sample."""
    padded = -(-size // shards) * shards if pad else size

    def cut(k, total):
        return total * k // shards

    def quota(k):
        return cut(k + 1, padded) - cut(k, padded)

    def following(k):
        return k if stick else (k + 1) % shards

    out, epoch_shard, current, at, taken = [], shard, shard, cut(shard, size), 0
    for _ in range(epochs):
        epoch = []
        while len(epoch) * batch_size < quota(epoch_shard):
            if pad and taken >= quota(current):
                current, taken = following(current), 0
                at = cut(current, size)
            batch = []
            for _ in range(batch_size):
                if at == cut(current + 1, size) and not pad:
                    current = following(current)
                    at = cut(current, size)
                last = cut(current + 1, size) - 1
                batch.append(min(at, last))
                at, taken = min(at, last) + 1, taken + 1
            epoch.append(batch)
        out.append(epoch)
        epoch_shard = following(epoch_shard)
    return out


@pytest.mark.parametrize("seed", range(150))
def test_walks_follow_the_model(seed):
    rnd = random.Random(seed)
    size = rnd.randint(1, 20)
    shards = rnd.randint(1, min(size, 5))
    args = (size, shards, rnd.randrange(shards))
    stick, pad, batch_size = rnd.random() < 0.4, rnd.random() < 0.5, rnd.randint(1, 25)
    stream = SampleStream(Sharding(*args, stick=stick, pad=pad), Shuffling())
    got, _ = walk(EpochRule(stream, batch_size), epochs=6)
    assert samples(got) == model(*args, batch_size, stick, pad, 6)
