"""Reader states: user case V6."""

import contextlib
import json
import os
import pathlib
import random
import re
import signal
import time

import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError

OPTIONS = {"random_shuffle": True, "seed": 7, "initial_fill": 8, "enable_checkpointing": True}


def run(reader, rng, batches, *, capture=False, epochs=3):
    """(labels, draw) of up to so many batches; stops in the middle of an epoch."""
    pairs = []
    for _ in range(epochs):
        for _, labels in reader.next_epoch(4, capture=capture):
            draw = ndd.random.uniform(rng=rng, batch_size=4)
            pairs.append((np.asarray(labels + 0).ravel().tolist(), np.asarray(draw).tolist()))
            if len(pairs) == batches:
                return pairs
    return pairs


@pytest.mark.parametrize("save_captured", [False, True])
@pytest.mark.parametrize("restore_captured", [False, True])
def test_stop_and_go_on(memory_reader, save_captured, restore_captured):
    def build():
        return memory_reader(16, prefetch_queue_depth=3, **OPTIONS), ndd.random.RNG(seed=1)

    reference = run(*build(), 12)
    reader, rng = build()
    assert run(reader, rng, 6, capture=save_captured) == reference[:6]
    states = json.loads(json.dumps([reader.get_state(), str(rng.get_state())]))
    assert len(states[0]) < 4096
    fresh, fresh_rng = build()
    fresh.set_state(states[0])
    fresh_rng.set_state(states[1])
    assert run(fresh, fresh_rng, 6, capture=restore_captured) == reference[6:]


def test_saving_does_not_disturb(memory_reader, read_labels, labels_of):
    reference = read_labels(memory_reader(10, **OPTIONS), 3, 2)
    reader = memory_reader(10, **OPTIONS)
    states, got = [], []
    for _ in range(2):
        got.append([])
        for outputs in reader.next_epoch(3):
            got[-1].append(labels_of(outputs))
            states.append(reader.get_state())
    assert got == reference
    assert len(set(states)) == len(states)


def test_the_first_epoch_after_restoring_is_a_full_one(memory_reader, read_labels):
    reader = memory_reader(10, enable_checkpointing=True)
    epoch = reader.next_epoch(3)
    next(epoch), next(epoch)
    fresh = memory_reader(10)
    fresh.set_state(reader.get_state())
    wanted = [
        [[6, 7, 8], [9, 0, 1], [2, 3, 4], [5, 6, 7]],
        [[8, 9, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9]],
    ]
    assert read_labels(fresh, 3, 2) == wanted


@pytest.mark.parametrize("restored_size", [None, 1, 2, 7])
def test_another_batch_size(memory_reader, labels_of, restored_size):
    reader = memory_reader(16, **OPTIONS)
    epoch = reader.next_epoch(3)
    next(epoch)
    fresh = memory_reader(16)
    with pytest.raises(ArgumentError):
        fresh.set_state(reader.get_state())
    fresh = memory_reader(16, **OPTIONS)
    fresh.set_state(reader.get_state())
    rest = [v for outputs in epoch for v in labels_of(outputs)]
    got = []
    for outputs in fresh.next_epoch(restored_size):
        values = labels_of(outputs)
        got += values if isinstance(values, list) else [values]
    assert got[:13] == rest[:13]


def test_restoring_a_reader_in_use(memory_reader, labels_of):
    reader = memory_reader(10, enable_checkpointing=True)
    epoch = reader.next_epoch(2)
    first = next(epoch)
    state = reader.get_state()
    second, third = next(epoch), next(epoch)
    reader.set_state(state)
    again = reader.next_epoch(2)
    assert [labels_of(x) for x in (first, second, third)] == [[0, 1], [2, 3], [4, 5]]
    assert [labels_of(next(again)), labels_of(next(again))] == [[2, 3], [4, 5]]


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"size": 17}, "samples=16; this one has samples=17"),
        ({"seed": 8}, "seed=7; this one has seed=8"),
        ({"initial_fill": 4}, "initial_fill=8; this one has initial_fill=4"),
        ({"random_shuffle": False}, "random_shuffle=True; this one has random_shuffle=False"),
        ({"num_shards": 2}, "num_shards=1; this one has num_shards=2"),
        ({"pad_last_batch": True}, "pad_last_batch=False; this one has pad_last_batch=True"),
    ],
)
def test_the_state_of_another_reader(memory_reader, labels_of, other, field):
    reader = memory_reader(16, **OPTIONS)
    next(reader.next_epoch(3))
    other = {"size": 16, **OPTIONS, **other}
    fresh, same = memory_reader(**other), memory_reader(**other)
    with pytest.raises(
        ArgumentError, match=rf"^readers\.Memory: the state is of a reader with {field}"
    ):
        fresh.set_state(reader.get_state())
    assert labels_of(next(fresh.next_epoch(3))) == labels_of(next(same.next_epoch(3)))


def test_another_file_list(tmp_path):
    for name in "abcd":
        (tmp_path / name).write_bytes(b"")
        (tmp_path / "moved").mkdir(exist_ok=True)
        (tmp_path / "moved" / name).write_bytes(b"")

    def reader(names, root=tmp_path):
        return ndd.readers.File(file_root=root, files=list(names), enable_checkpointing=True)

    first = reader("abc")
    next(first.next_epoch(2))
    with pytest.raises(ValueError, match=r"data='[0-9a-f]+'; this one has data="):
        reader("abd").set_state(first.get_state())
    moved = reader("abc", tmp_path / "moved")
    moved.set_state(first.get_state())
    assert np.asarray(next(moved.next_epoch(2))[1]).ravel().tolist() == [2, 0]


@pytest.mark.parametrize("shards", [(2, 3), (3, 1), (4, 2)])
def test_another_number_of_shards_between_epochs(memory_reader, labels_of, shards):
    before, after = shards
    states = []
    for k in range(before):
        reader = memory_reader(24, num_shards=before, shard_id=k, **OPTIONS)
        list(reader.next_epoch(4, last_batch="partial"))
        states.append(reader.get_state())
    seen = []
    for k in range(after):
        reader = memory_reader(24, num_shards=after, shard_id=k, **OPTIONS)
        reader.set_state(states[k % before])
        seen += [v for x in reader.next_epoch(4, last_batch="partial") for v in labels_of(x)]
    assert sorted(seen) == list(range(24))


def test_when_there_is_no_state(memory_reader):
    with pytest.raises(OperatorError, match="checkpointing is not enabled"):
        memory_reader(3).get_state()
    with pytest.raises(OperatorError, match="nothing was read yet"):
        memory_reader(3, enable_checkpointing=True).get_state()
    reader = memory_reader(3, enable_checkpointing=True)
    next(reader.next_epoch(1))
    state = reader.get_state()
    assert isinstance(state, ndd.checkpoint.ReaderState)
    assert state == str(state)
    assert str(state).isascii()
    assert hash(state) == hash(reader.get_state())
    fresh = memory_reader(3)
    fresh.set_state(str(state).encode())
    assert fresh.get_state() == state


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "3", '{"version": 1}', b"\xff", "[" * 10**6])
def test_texts_that_are_no_state(memory_reader, text):
    with pytest.raises(ArgumentError, match="is no state of a reader"):
        memory_reader(3).set_state(text)


def test_numbers_that_are_no_position(memory_reader):
    reader = memory_reader(3, enable_checkpointing=True)
    next(reader.next_epoch(1))
    for field, value in (("offset", -1), ("passes", 1.5), ("epoch", True), ("offset", 99)):
        content = {**json.loads(reader.get_state()), field: value}
        with pytest.raises(ArgumentError):
            memory_reader(3).set_state(json.dumps(content))
    with pytest.raises(TypeError, match=r"state=3\.5"):
        memory_reader(3).set_state(3.5)


def read_and_save(log, checkpoints, files):
    """Reads for ever; after each batch saves, then notes which batch came before which save."""
    reader = ndd.readers.File(files=files, random_shuffle=True, seed=3)
    saved = ndd.checkpoint.Checkpoint()
    with contextlib.suppress(FileNotFoundError):
        saved.load(checkpoints)
    saved.register(reader, "reader")
    with open(log, "a") as file:
        while True:
            for _, labels in reader.next_epoch(3):
                numbers = np.asarray(labels).ravel().tolist()
                saved.collect()
                path = saved.save(checkpoints)
                file.write(json.dumps([int(path[-11:-5]), numbers]) + "\n")
                file.flush()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:RuntimeWarning", "ignore:.*fork:DeprecationWarning")
def test_killed_at_random_moments(tmp_path):
    """User case V6: what was saved last goes on exactly, so that each number has one batch."""
    files = [str(tmp_path / str(k)) for k in range(20)]
    for file in files:
        pathlib.Path(file).write_bytes(b"x")
    rng = random.Random(0)
    log, checkpoints = tmp_path / "log", str(tmp_path / "c{seq:06d}.json")
    log.touch()
    for _ in range(50):
        before = log.stat().st_size
        child = os.fork()
        if child == 0:
            try:
                read_and_save(log, checkpoints, files)
            finally:
                os._exit(1)
        while log.stat().st_size == before:  # it has begun
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
    # A line may have been cut off by the kill; the next process starts behind it.
    lines = [m.group() for m in re.finditer(r"\[\d+, \[[\d, ]+\]\]", log.read_text())]
    batches = dict(json.loads(line) for line in lines)
    reader = ndd.readers.File(files=files, random_shuffle=True, seed=3)
    expected = []
    while len(expected) <= max(batches):
        expected += [np.asarray(x).ravel().tolist() for _, x in reader.next_epoch(3)]
    assert len(batches) >= 50
    assert batches == {k: expected[k] for k in batches}
