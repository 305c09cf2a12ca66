import itertools

import jax
import numpy as np
import pytest
from readers.worked_examples import EXAMPLES, expected

import dynjax as ndd
from dynjax import ArgumentError, OperatorError
from dynjax._readers import read_ahead
from dynjax._readers.epochs import Position


@pytest.mark.parametrize(("sharding", "batch_size", "text"), EXAMPLES)
@pytest.mark.parametrize("depth", [1, 5])
def test_worked_examples(memory_reader, read_labels, sharding, batch_size, text, depth):
    reader = memory_reader(
        10,
        num_shards=sharding.num_shards,
        shard_id=sharding.shard_id,
        stick_to_shard=sharding.stick,
        pad_last_batch=sharding.pad,
        prefetch_queue_depth=depth,
    )
    wanted = expected(batch_size, text)
    if batch_size is None:
        wanted = [[i for (i,) in epoch] for epoch in wanted]
    for epoch in wanted:
        assert len(reader.next_epoch(batch_size)) == len(epoch)
        assert read_labels(reader, batch_size) == [epoch]


def test_batches_and_samples(memory_reader):
    data, labels = next(memory_reader(10).next_epoch(3))
    assert isinstance(data, ndd.Batch)
    assert data.shape == [(1,), (2,), (3,)]
    assert [np.asarray(t).tolist() for t in data] == [[0], [1, 1], [2, 2, 2]]
    assert labels.shape == [(1,)] * 3
    assert labels.dtype == ndd.int32
    data, label = next(memory_reader(10).next_epoch())
    assert isinstance(data, ndd.Tensor)
    assert data.shape == (1,)
    assert label.shape == (1,)


def test_construction_touches_no_data(memory_reader):
    reader = memory_reader(10)
    epoch = reader.next_epoch(2)
    assert reader.opened == 0
    next(epoch)
    list(reader.next_epoch(2))
    assert reader.opened == 1


def test_metadata(memory_reader):
    reader = memory_reader(10, num_shards=3, shard_id=2, pad_last_batch=True)
    assert reader.get_metadata(batch_size=2) == {
        "epoch_size": 10, "epoch_size_padded": 12, "number_of_shards": 3, "shard_id": 2,
        "pad_last_batch": 1, "stick_to_shard": 0,
    }  # fmt: skip
    assert len(list(reader.next_epoch(2))) == 2


# One way of use ------------------------------------------------------------------------------


def test_modes_do_not_mix(memory_reader):
    uses = {
        "batches": lambda r: next(r.next_epoch(2)),
        "samples": lambda r: next(r.next_epoch()),
        "call": lambda r: r(),
    }
    for first, second in itertools.permutations(uses, 2):
        reader = memory_reader(10)
        uses[first](reader)
        with pytest.raises(OperatorError, match=r"^readers\.Memory: read .* after it was read"):
            uses[second](reader)


@pytest.mark.parametrize(
    ("maximum", "sizes", "error"),
    [
        (None, [2, 2], None),
        (None, [2, 3], "batch_size=3, but the first use of this reader fixed it to 2"),
        (3, [2, 2], None),
        (3, [4], "batch_size=4 is larger than max_batch_size=3"),
        (3, [None, None, 3], None),
        (3, [None, 2], "batch_size=2, but .* fixed it to 3"),
        (3, [2, None], "batch_size=3, but .* fixed it to 2"),
        (3, ["metadata", 3], None),
        (3, ["metadata", 2], "batch_size=2, but .* fixed it to 3"),
        (None, ["metadata", 1], None),
        (None, ["metadata", None], None),
        (None, ["metadata", 2], "batch_size=2, but .* fixed it to 1"),
        (None, [2, "metadata", 2], None),
    ],
)
def test_batch_sizes(memory_reader, maximum, sizes, error):
    reader = memory_reader(10, maximum)
    for size in sizes[:-1]:
        reader.get_metadata() if size == "metadata" else list(reader.next_epoch(size))
    if error is None:
        assert len(list(reader.next_epoch(sizes[-1]))) > 0
    else:
        with pytest.raises(ArgumentError, match=error):
            next(reader.next_epoch(sizes[-1]))


@pytest.mark.parametrize(
    ("size", "error"),
    [
        (0, OperatorError),
        (-1, OperatorError),
        (2.5, TypeError),
        ("a", TypeError),
        (True, TypeError),
    ],
)
def test_impossible_batch_sizes(memory_reader, size, error):
    reader = memory_reader(10)
    with pytest.raises(error, match=r"^readers\.Memory: batch_size"):
        next(reader.next_epoch(batch_size=size))
    with pytest.raises(error, match=r"^readers\.Memory: max_batch_size"):
        next(memory_reader(10, size).next_epoch())


def test_direct_calls(memory_reader, labels_of):
    reader = memory_reader(10)
    assert [labels_of(reader()), labels_of(reader(batch_size=1)), labels_of(reader())] == [
        0,
        [1],
        2,
    ]
    with pytest.raises(OperatorError, match="batch_size=2 in a direct call; expected 1"):
        reader(batch_size=2)
    reader = memory_reader(10, 3)
    assert [labels_of(reader(batch_size=3)), labels_of(reader())] == [[0, 1, 2], 3]
    assert labels_of(reader(batch_size=3)) == [6, 7, 8]


WEB = {"paths": "a", "ext": "x"}


@pytest.mark.parametrize(
    ("kind", "data", "name", "wanted"),
    [
        (ndd.readers.NemoAsr, {"manifest_filepaths": "a"}, "min_duration", "number"),
        (ndd.readers.NemoAsr, {"manifest_filepaths": "a"}, "max_duration", "number"),
        (ndd.readers.NemoAsr, {"manifest_filepaths": "a"}, "sample_rate", "number"),
        (ndd.readers.NemoAsr, {"manifest_filepaths": "a"}, "quality", "number"),
        (ndd.readers.COCO, {"file_root": "a"}, "size_threshold", "number"),
        (ndd.readers.Numpy, {"files": ["a"]}, "fill_value", "number"),
        (ndd.readers.Numpy, {"file_root": "a"}, "file_filter", "str"),
        (ndd.experimental.readers.Fits, {"file_root": "a"}, "file_filter", "str"),
        (ndd.readers.Webdataset, WEB, "missing_component_behavior", "str"),
        (ndd.readers.Webdataset, WEB, "index_cache", "str or path"),
        (ndd.readers.TFRecord, {"path": "a", "features": {}}, "index_cache", "str or path"),
    ],
)
@pytest.mark.parametrize("value", [[1.0], b"x", {}, np.zeros(2)], ids=str)
def test_types_of_arguments(kind, data, name, wanted, value):
    with pytest.raises(TypeError, match=rf"eaders\.\w+: {name} must be a {wanted}, got"):
        kind(**data, **{name: value})


def test_depth_has_a_bound(memory_reader):
    reader = memory_reader(10, prefetch_queue_depth=4000)
    next(reader.next_epoch(1))
    assert len(reader.source.requested) <= read_ahead.MOST_WAITING + 1


def test_arguments(memory_reader):
    for kw in ({"num_shards": 0}, {"shard_id": 1}, {"shard_id": -1}):
        with pytest.raises(ArgumentError, match=r"^readers\.Memory: .*expected"):
            memory_reader(10, **kw)
    for kw in (
        {"num_shards": "a"},
        {"num_shards": 2.0},
        {"prefetch_queue_depth": "a"},
        {"shard_id": np.array([1, 2])},
        {"shard_id": np.float32(1)},
    ):
        with pytest.raises(TypeError, match=r"^readers\.Memory: .* must be an int"):
            memory_reader(10, **kw)
    for kw in (
        {"num_shards": 5, "shard_id": 4},
        {"random_shuffle": True, "shuffle_after_epoch": True},
        {"stick_to_shard": True, "shuffle_after_epoch": True},
        {"random_shuffle": True, "initial_fill": 0},
    ):
        reader = memory_reader(3, **kw)
        with pytest.raises(OperatorError, match=r"^readers\.Memory: .*expected"):
            next(reader.next_epoch(1))
    with pytest.raises(OperatorError, match="num_shards=5 for 3 samples"):
        memory_reader(3, num_shards=5).get_metadata()
    with pytest.raises(ArgumentError, match="last_batch='x'"):
        memory_reader(3).next_epoch(1, last_batch="x")


# Leaving early -------------------------------------------------------------------------------


def leave_by_break(epoch):
    seen = []
    for outputs in epoch:
        seen.append(outputs)
        if len(seen) == 2:
            break
    return seen


LEAVING = {
    "break": leave_by_break,
    "islice": lambda epoch: list(itertools.islice(epoch, 2)),
    "zip": lambda epoch: [outputs for _, outputs in zip(range(2), epoch, strict=False)],
    "next": lambda epoch: [next(epoch), next(epoch)],
}


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_the_next_epoch_goes_on_where_one_was_left(memory_reader, read_labels, labels_of, leave):
    reader = memory_reader(20, prefetch_queue_depth=3)
    assert [labels_of(o) for o in leave(reader.next_epoch(4))] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    # A full epoch from there, by the default rule.
    assert read_labels(reader, 4)[0][0] == [8, 9, 10, 11]


def test_exceptions_in_the_body_come_out_unchanged(memory_reader, read_labels):
    reader = memory_reader(20)
    error = KeyError("mine")

    def loop():
        for _ in reader.next_epoch(4):
            raise error

    with pytest.raises(KeyError) as raised:
        loop()
    assert raised.value is error
    assert read_labels(reader, 4)[0][0] == [4, 5, 6, 7]


def test_two_iterators_share_the_stream(memory_reader, labels_of):
    reader = memory_reader(10)
    a, b = reader.next_epoch(3), reader.next_epoch(3)
    seen = [labels_of(next(i)) for i in (a, b, a)]
    assert seen == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert [labels_of(o) for o in a] == [[9, 0, 1], [2, 3, 4]]
    assert [labels_of(o) for o in b] == [[5, 6, 7], [8, 9, 0], [1, 2, 3]]


def test_reset_starts_a_fresh_epoch(memory_reader, read_labels):
    reader = memory_reader(20, prefetch_queue_depth=3)
    list(itertools.islice(reader.next_epoch(4), 2))
    reader.reset()
    assert read_labels(reader, 4)[0][0] == [0, 1, 2, 3]
    reader.reset()  # nothing was begun: no effect
    assert read_labels(reader, 4)[0][0] == [0, 1, 2, 3]


def test_reset_of_a_shuffled_reader_brings_another_order(memory_reader, read_labels):
    reader = memory_reader(32, random_shuffle=True)
    whole = read_labels(memory_reader(32, random_shuffle=True), 4, 2)
    next(reader.next_epoch(4))
    reader.reset()
    assert read_labels(reader, 4) == [whole[1]]


def test_closing(memory_reader):
    with memory_reader(10) as reader:
        epoch = reader.next_epoch(2)
        next(epoch)
    reader.close()
    for read in (lambda: next(epoch), lambda: next(reader.next_epoch(2)), reader.get_metadata):
        with pytest.raises(OperatorError, match="the reader is closed"):
            read()
    reader = memory_reader(10)
    epoch = reader.next_epoch(2)
    epoch.close()
    assert list(epoch) == []
    assert len(list(reader.next_epoch(2))) == 5


# Order ---------------------------------------------------------------------------------------


def flat_list(batches):
    return [i for batch in batches for i in batch]


SHUFFLES = [
    {},
    {"random_shuffle": True, "seed": 0},
    {"random_shuffle": True, "seed": 1, "initial_fill": 4},
    {"random_shuffle": True, "initial_fill": None},
    {"shuffle_after_epoch": True},
    {"shuffle_after_epoch": True, "shuffle_after_epoch_seed": 3},
]


@pytest.mark.parametrize("kw", SHUFFLES)
def test_order_does_not_depend_on_batch_size_or_depth(memory_reader, read_labels, kw):
    def flat(batch_size, depth):
        reader = memory_reader(32, prefetch_queue_depth=depth, **kw)
        epochs = read_labels(reader, batch_size, 3)
        return [flat_list(e) if batch_size else e for e in epochs]

    orders = [flat(batch_size, depth) for batch_size in (None, 1, 4, 32) for depth in (1, 4)]
    assert all(order == orders[0] for order in orders)
    for epoch in orders[0]:
        assert sorted(epoch) == list(range(32))
    if kw:
        assert orders[0][0] != orders[0][1]


@pytest.mark.parametrize("kw", SHUFFLES)
@pytest.mark.parametrize("pad", [False, True])
def test_two_shards_share_each_epoch(memory_reader, read_labels, kw, pad):
    args = {"num_shards": 2, "pad_last_batch": pad, **kw}
    epochs = [read_labels(memory_reader(32, shard_id=k, **args), 4, 3) for k in range(2)]
    for a, b in zip(*epochs, strict=True):
        assert sorted(flat_list(a + b)) == list(range(32))


@pytest.mark.parametrize("kw", SHUFFLES)
@pytest.mark.parametrize("sharding", [
    {},
    {"num_shards": 3, "shard_id": 1},
    {"num_shards": 3, "pad_last_batch": True},
])  # fmt: skip
@pytest.mark.parametrize("batch_size", [None, 4])
def test_restoring_any_position_gives_the_same_rest(
    memory_reader, labels_of, kw, sharding, batch_size
):
    def trail(reader, count):
        """(position before, labels) of `count` reads over as many epochs as they take."""
        out = []
        while len(out) < count:
            for outputs in reader.next_epoch(batch_size):
                out.append((reader._position, labels_of(outputs)))
                if len(out) == count:
                    break
        return out

    reference = trail(memory_reader(16, **kw, **sharding), 24)
    for i in (0, 1, 3, 7, 8, 15):
        fresh = memory_reader(16, prefetch_queue_depth=3, **kw, **sharding)
        fresh._position = reference[i][0]
        rest = trail(fresh, 24 - i - 1)
        # Epochs are counted from the restored place, so only the samples are the same.
        assert [labels for _, labels in rest] == [labels for _, labels in reference[i + 1 :]]
        assert [p.cursor for p, _ in rest] == [p.cursor for p, _ in reference[i + 1 :]]


@pytest.mark.parametrize("last_batch", ["drop", "partial"])
def test_last_batch(memory_reader, read_labels, last_batch):
    reader = memory_reader(10)
    epoch = reader.next_epoch(4, last_batch=last_batch)
    wanted = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]][: 2 if last_batch == "drop" else 3]
    assert len(epoch) == len(wanted)
    assert read_labels(reader, 4, 2, last_batch=last_batch) == [wanted, wanted]
    assert reader._position == Position(2, 0, reader._position.cursor)


@pytest.mark.parametrize(
    "options", [{}, {"capture": True}, {"sharding": (None, jax.devices()[0])}], ids=str
)
@pytest.mark.parametrize("last_batch", ["wrap", "drop"])
def test_a_reader_that_is_restored_in_the_last_step_stands_there(
    memory_reader, options, last_batch
):
    reader = memory_reader(10, enable_checkpointing=True)

    def epoch(restore=False):
        loop, states = reader.next_epoch(3, last_batch=last_batch, **options), []
        for outputs in loop:
            states.append(reader.get_state())
            yield np.asarray(ndd.cast(outputs[-1], dtype=ndd.float32)).ravel().tolist()
            if restore and len(states) == len(loop):
                reader.set_state(states[0])
        if restore:
            assert reader.get_state() == states[0]

    if last_batch == "drop":
        assert list(epoch(restore=True)) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
        assert list(epoch()) == [[3, 4, 5], [6, 7, 8]]
        assert next(epoch()) == [0, 1, 2]
    else:
        assert list(epoch(restore=True)) == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 0, 1]]
        assert list(epoch()) == [[3, 4, 5], [6, 7, 8], [9, 0, 1], [2, 3, 4]]
        assert next(epoch()) == [5, 6, 7]


# Failures ------------------------------------------------------------------------------------


def test_a_failed_batch_can_be_read_again(memory_reader, labels_of):
    reader = memory_reader(10, prefetch_queue_depth=2)
    reader.source.broken = {5}
    epoch = reader.next_epoch(4)
    assert labels_of(next(epoch)) == [0, 1, 2, 3]
    for _ in range(2):
        with pytest.raises(OperatorError, match=r"^readers\.Memory: sample 5 \('sample5'\): it is"):
            next(epoch)
    with pytest.raises(OperatorError, match="sample 5"):
        next(reader.next_epoch(4))
    reader.source.broken = set()
    assert [labels_of(o) for o in epoch] == [[4, 5, 6, 7], [8, 9, 0, 1]]


def test_what_is_read_ahead_may_fail_unseen(memory_reader, read_labels):
    reader = memory_reader(10, prefetch_queue_depth=4)
    reader.source.broken = {9}
    epoch = reader.next_epoch(3)
    assert [int(np.asarray(next(epoch)[1].select(0))[0]) for _ in range(3)] == [0, 3, 6]


@pytest.mark.parametrize("memory_reader", [False], indirect=True)
def test_read_ahead_keeps_its_depth(memory_reader):
    reader = memory_reader(100, prefetch_queue_depth=3)
    epoch = reader.next_epoch(10)
    next(epoch)
    assert len(reader.source.requested) == 4
    next(epoch)
    assert len(reader.source.requested) == 5
    assert reader.source.requested[-1] == list(range(40, 50))


def test_read_ahead_is_bounded_in_bytes(memory_reader):
    reader = memory_reader(100, prefetch_queue_depth=8)
    epoch = reader.next_epoch(10)
    next(epoch)
    reader._limit.bytes = 150  # a batch takes about 60
    asked = len(reader.source.requested)
    for _ in range(7):
        next(epoch)
    assert len(reader.source.requested) == asked
    next(epoch)
    assert len(reader.source.requested) == asked + 1


def test_batches_know_their_samples(memory_reader):
    reader = memory_reader(10, random_shuffle=True)
    list(reader.next_epoch(4))
    _, labels = next(reader.next_epoch(4))
    source = labels._source
    assert source.epoch == 1
    assert source.indices.tolist() == np.asarray(labels.jax()).reshape(-1).tolist()
    assert source.name(1) == f"sample{source.indices[1]}"


one_request_for_several = pytest.mark.parametrize("memory_reader", [True], indirect=True)


@one_request_for_several
def test_small_batches_are_read_together(memory_reader, read_labels):
    reader = memory_reader(40)
    assert read_labels(reader, 2)[0] == [[k, k + 1] for k in range(0, 40, 2)]
    sizes = [len(indices) for indices in reader.source.requested]
    assert sizes[:3] == [2, 2, 8]  # how large they are is known once one was read
    assert set(sizes[2:]) == {8}


@one_request_for_several
def test_large_batches_and_those_that_must_not_wait_are_read_one_by_one(memory_reader, monkeypatch):
    reader = memory_reader(40)
    list(reader.next_epoch(2, max_bytes_in_flight=40))
    assert {len(indices) for indices in reader.source.requested} == {2}
    monkeypatch.setattr(read_ahead, "SMALL_BYTES", 5)
    reader = memory_reader(40)
    list(reader.next_epoch(2))
    assert {len(indices) for indices in reader.source.requested} == {2}


@one_request_for_several
def test_small_batches_keep_the_bound_in_bytes(memory_reader):
    reader = memory_reader(400, prefetch_queue_depth=50)
    epoch = reader.next_epoch(2, max_bytes_in_flight=200)
    for _ in range(60):  # how much that is, is known once a batch was read
        next(epoch)
    for _ in range(20):
        next(epoch)
        assert 8 <= len(reader._ready().ahead._waiting) <= 17  # a batch takes about 12


@one_request_for_several
@pytest.mark.parametrize("broken", [8, 11, 20])
def test_a_broken_sample_fails_its_own_batch_of_those_read_together(memory_reader, broken):
    reader = memory_reader(40)
    reader.source.broken = {broken}
    epoch, got = reader.next_epoch(2), []
    for k in range(20):
        if k == broken // 2:
            for _ in range(2):
                with pytest.raises(OperatorError, match=f"sample {broken} .*it is broken"):
                    next(epoch)
            reader.source.broken = set()
        got.append(np.asarray(next(epoch)[1]).reshape(-1).tolist())
    assert got == [[k, k + 1] for k in range(0, 40, 2)]


def test_a_direct_call_gives_a_single_output_itself(tmp_path):
    for k in range(3):
        np.save(tmp_path / f"{k}.npy", np.arange(k, k + 2))
    reader = ndd.readers.Numpy(file_root=tmp_path)
    assert np.asarray(reader()).tolist() == [0, 1]
    assert [np.asarray(v).tolist() for v in reader(batch_size=1)] == [[1, 2]]
    (outputs,) = ndd.readers.Numpy(file_root=tmp_path).next_epoch(3)
    assert isinstance(outputs, tuple)
    rows = ndd.readers.Objects(data=[{"x": np.int32(4)}])
    assert rows().item() == 4
