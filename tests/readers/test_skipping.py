"""`on_error="skip"`: user case V7 on the reader's side."""

import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError


def labels(epoch):
    # An operator, so that there is something to capture.
    return [np.asarray(x + 0).ravel().tolist() for _, x in epoch]


@pytest.fixture
def broken_reader(memory_reader):
    def make(size, broken, **kw):
        reader = memory_reader(size, on_error="skip", **kw)
        reader.source.broken |= set(broken)
        return reader

    return make


@pytest.mark.parametrize("capture", [False, True])
@pytest.mark.parametrize(
    ("broken", "wanted"),
    [
        ([3, 5], [[0, 1, 2], [4, 6, 7]]),
        ([0, 1, 2, 3], [[4, 5, 6, 7]]),
        ([4, 5, 6, 7], [[0, 1, 2, 3]]),
        (range(8), []),
    ],
)
def test_what_cannot_be_read_is_left_out(broken_reader, broken, wanted, capture):
    reader = broken_reader(8, broken)
    for epoch in range(2):
        with pytest.warns(RuntimeWarning, match=f"{len(broken)} samples of epoch {epoch} could"):
            assert labels(reader.next_epoch(4, capture=capture)) == wanted
        assert [s.index for s in reader.skipped] == list(broken)
    assert reader.skipped[0].name == f"sample{broken[0]}"
    assert reader.skipped[0].reason == "it is broken. Repair it."
    assert reader.skipped[0].epoch == 1
    reader.source.broken.clear()
    assert labels(reader.next_epoch(4)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert reader.skipped == []


@pytest.mark.filterwarnings("ignore:readers.Memory. . samples of epoch")
def test_single_samples_and_calls(broken_reader):
    reader = broken_reader(5, [0, 3])
    assert [x.item() for _, x in reader.next_epoch()] == [1, 2, 4]
    reader = broken_reader(5, [1, 2])
    assert [int(np.asarray(reader()[1])[0]) for _ in range(3)] == [0, 3, 4]


def test_calls_end_where_nothing_can_be_read(broken_reader):
    with pytest.raises(OperatorError, match="no sample could be read"):
        broken_reader(5, range(5))()


@pytest.mark.filterwarnings("ignore:readers.Memory. . samples of epoch")
def test_padded_batches_keep_their_size(broken_reader):
    batches = [x for _, x in broken_reader(6, [1, 4]).next_epoch(4, last_batch="pad")]
    assert [np.asarray(x).ravel().tolist() for x in batches] == [[0, 2, 3, 3], [5, 5, 5, 5]]
    assert [x.valid.tolist() for x in batches] == [[1, 1, 1, 0], [1, 0, 0, 0]]


@pytest.mark.filterwarnings("ignore:readers.Memory. . samples of epoch")
def test_no_batch_without_valid_samples(broken_reader):
    batches = [x for _, x in broken_reader(5, [4]).next_epoch(4, last_batch="pad")]
    assert [x.valid.tolist() for x in batches] == [[True] * 4]


@pytest.mark.filterwarnings("ignore:readers.Memory. . samples of epoch")
def test_leaving_and_restoring_between_skipped_batches(broken_reader):
    reader = broken_reader(12, [4, 5, 6, 7], enable_checkpointing=True)
    epoch = reader.next_epoch(4)
    assert np.asarray(next(epoch)[1])[0] == 0
    state = reader.get_state()
    assert labels(epoch) == [[8, 9, 10, 11]]
    fresh = broken_reader(12, [4, 5, 6, 7])
    fresh.set_state(state)
    assert np.asarray(next(fresh.next_epoch(4))[1])[0] == 8


def test_files(tmp_path):
    for k in range(4):
        (tmp_path / f"{k}").write_bytes(b"x" * k)
    files = [str(tmp_path / str(k)) for k in (0, 1, 9, 2, 3)]
    with pytest.raises(OperatorError, match=r"sample 2 .*No such file"):
        list(ndd.readers.File(files=files).next_epoch(5))
    reader = ndd.readers.File(files=files, on_error="skip")
    with pytest.warns(RuntimeWarning, match=r"1 samples of epoch 0 .*9': .*No such file"):
        ((data, numbers),) = list(reader.next_epoch(5))
    assert data.shape == [(0,), (1,), (2,), (3,)]
    assert np.asarray(numbers).ravel().tolist() == [0, 1, 3, 4]
    assert reader.skipped[0].name == files[2]


def test_argument(memory_reader):
    with pytest.raises(ArgumentError, match="on_error='x'"):
        memory_reader(3, on_error="x")
