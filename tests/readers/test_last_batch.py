"""User case V3, and the mask of padded batches."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax as ndd


@pytest.mark.parametrize(
    ("policy", "sizes", "valid", "traces"),
    [
        ("drop", [4, 4], [4, 4], 1),
        ("partial", [4, 4, 2], [4, 4, 2], 2),
        ("pad", [4, 4, 4], [4, 4, 2], 1),
    ],
)
@pytest.mark.parametrize("capture", [False, True])
def test_policies(memory_reader, policy, sizes, valid, traces, capture):
    traced = []

    @jax.jit
    def step(values, mask):
        traced.append(1)
        return jnp.sum(values * mask[:, None])

    reader = memory_reader(10)
    for _ in range(2):
        epoch = reader.next_epoch(4, last_batch=policy, capture=capture)
        assert len(epoch) == len(sizes)
        # An operator, so that there is something to capture.
        batches = [(labels + 0, labels.valid) for _, labels in epoch]
        assert [labels.batch_size for labels, _ in batches] == sizes
        assert [int(mask.sum()) for _, mask in batches] == valid
        total = sum(float(step(labels.jax(), mask)) for labels, mask in batches)
        assert total == (28 if policy == "drop" else 45)
    assert len(traced) == traces


def test_the_mask_of_padding(memory_reader):
    *_, (data, labels) = memory_reader(10).next_epoch(4, last_batch="pad")
    assert labels.valid.tolist() == [True, True, False, False]
    assert np.asarray(labels).ravel().tolist() == [8, 9, 9, 9]
    assert data.valid.tolist() == [True, True, False, False]
    assert labels.select([1, 2]).valid.tolist() == [True, False]
    assert (labels + 1).valid.tolist() == [True, True, False, False]


def test_batches_without_padding_are_all_valid(memory_reader):
    for _, labels in memory_reader(10).next_epoch(4):
        assert labels.valid.tolist() == [True] * 4
    assert ndd.batch([1, 2]).valid.tolist() == [True, True]


@pytest.mark.parametrize("policy", ["partial", "pad"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_shards_cover_every_epoch_once(memory_reader, policy, shuffle):
    """User case V4: n = 26, k = 4, batch 6."""
    readers = [
        memory_reader(26, num_shards=4, shard_id=k, stick_to_shard=True, random_shuffle=shuffle)
        for k in range(4)
    ]
    for _ in range(2):
        seen, counts = [], []
        for reader in readers:
            own = [x for _, x in reader.next_epoch(6, last_batch=policy)]
            counts.append([int(x.valid.sum()) for x in own])
            seen += [v for x in own for v in np.asarray(x).ravel()[x.valid].tolist()]
        assert counts == [[6], [6, 1], [6], [6, 1]]
        assert sorted(seen) == list(range(26))


def test_equal_steps_on_all_shards(memory_reader):
    total = 0
    for k in range(4):
        reader = memory_reader(
            26, num_shards=4, shard_id=k, stick_to_shard=True, pad_last_batch=True
        )
        own = [x for _, x in reader.next_epoch(6, last_batch="pad")]
        assert [x.batch_size for x in own] == [6, 6]
        total += sum(int(x.valid.sum()) for x in own)
    assert total == 26
