"""Data sets that are Python objects."""

import threading

import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError
from dynjax._types.storage import Dense, Packed


class Squares:
    """A data set as users write them."""

    def __init__(self, size, bad=()):
        self.size, self.bad = size, set(bad)
        self.threads = set()

    def __len__(self):
        return self.size

    def __getitem__(self, k):
        self.threads.add(threading.current_thread())
        if not 0 <= k < self.size:
            raise IndexError(k)
        if k in self.bad:
            raise RuntimeError(f"no sample {k}")
        return {"x": np.full(k % 3 + 1, k, np.uint8), "y": k * k}


def numbers(batches, name="y"):
    return [np.asarray(b[name]).tolist() for b in batches]


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_dicts(threads):
    data = Squares(5)
    reader = ndd.readers.Objects(data=data, num_threads=threads)
    first, second = reader.next_epoch(3, last_batch="partial")
    assert [x.shape for x in first["x"].tensors] == [(1,), (2,), (3,)]
    assert numbers([first, second]) == [[0, 1, 4], [9, 16]]
    assert second["y"].dtype == ndd.int32
    assert (threading.current_thread() in data.threads) == (threads is None)


@pytest.mark.parametrize(
    ("sample", "dtypes", "shapes"),
    [
        (np.float64([1, 2]), ["float64"], [(2,)]),
        ((np.int64(3), 3, 2.5, True), ["int64", "int32", "float32", "bool"], [()] * 4),
        ((b"ab", "ä", [[1, 2]]), ["uint8", "uint8", "int32"], [(2,), (2,), (1, 2)]),
        ({"bytes": b"abc", "path": None}, ["uint8"], [(3,)]),
        (2**40, ["int64"], [()]),
    ],
)
def test_values(sample, dtypes, shapes):
    outputs = next(ndd.readers.Objects(data=[sample] * 2).next_epoch(2))
    assert isinstance(outputs, tuple)
    assert [np.asarray(o).dtype.name for o in outputs] == dtypes
    assert [o.tensors[1].shape for o in outputs] == shapes
    single = next(ndd.readers.Objects(data=[sample] * 2).next_epoch())
    assert [o.shape for o in single] == shapes


def test_arrays_and_mappings():
    (batch,) = next(ndd.readers.Objects(data=np.arange(6).reshape(3, 2)).next_epoch(3))
    assert np.asarray(batch).tolist() == [[0, 1], [2, 3], [4, 5]]
    data = {"b": np.int32(1), "a": np.int32(2)}
    (batch,) = next(ndd.readers.Objects(data=data).next_epoch(2))
    assert np.asarray(batch).tolist() == [1, 2]


@pytest.mark.parametrize(("dense", "form"), [(True, Dense), (False, Packed)])
def test_dense_or_ragged(dense, form):
    (batch,) = next(ndd.readers.Objects(data=[np.ones(2)] * 2, dense=dense).next_epoch(2))
    assert isinstance(batch.storage, form)
    assert np.asarray(batch).shape == (2, 2)


def test_order_shards_and_states():
    """As every reader: V5 and V6 in small."""
    options = {"random_shuffle": True, "initial_fill": None, "seed": 3, "num_shards": 2}
    make = [
        lambda k=k: ndd.readers.Objects(data=Squares(32), shard_id=k, **options) for k in (0, 1)
    ]
    epochs = [np.concatenate(numbers(make[k]().next_epoch(4))) for k in (0, 1)]
    assert sorted(np.concatenate(epochs)) == [k * k for k in range(32)]
    whole = make[0]()
    expected = [*numbers(whole.next_epoch(4)), *numbers(whole.next_epoch(4))]
    reader = ndd.readers.Objects(
        data=Squares(32), enable_checkpointing=True, num_threads=4, **options
    )
    epoch = reader.next_epoch(4)
    found = numbers([next(epoch) for _ in range(3)])
    state = reader.get_state()
    resumed = make[0]()
    resumed.set_state(state)
    assert found + numbers(resumed.next_epoch(4)) == expected[:7]
    other = ndd.readers.Objects(data=Squares(33), **options)
    with pytest.raises(ArgumentError, match="samples"):
        other.set_state(state)


def test_captured_loop_gives_the_same():
    eager = [
        numbers([{"y": b["y"] + 1}]) for b in ndd.readers.Objects(data=Squares(9)).next_epoch(3)
    ]
    reader = ndd.readers.Objects(data=Squares(9))
    assert [numbers([{"y": b["y"] + 1}]) for b in reader.next_epoch(3, capture=True)] == eager


def test_errors():
    reader = ndd.readers.Objects(data=Squares(6, bad=[4]))
    epoch = reader.next_epoch(3)
    next(epoch)
    with pytest.raises(
        OperatorError, match=r"sample 4 \('Squares\[4\]'\): RuntimeError: no sample"
    ):
        next(epoch)
    reader = ndd.readers.Objects(data=Squares(6, bad=[4]), on_error="skip")
    with pytest.warns(RuntimeWarning, match="1 samples"):
        assert numbers(reader.next_epoch(3)) == [[0, 1, 4], [9, 25]]
    assert reader.skipped[0].index == 4


@pytest.mark.parametrize(
    ("samples", "text"),
    [
        ([(1, 2), 3], "it has one value; the first that was read has 2 values"),
        ([{"a": 1}, {"b": 1}], "the names"),
        ([np.ones(2), np.ones((2, 2))], "2 axes of float64"),
        ([object()], "expected numbers"),
        ([[[1], [1, 2]]], "no array"),
    ],
)
def test_samples_that_differ(samples, text):
    with pytest.raises(OperatorError, match=text):
        next(ndd.readers.Objects(data=samples).next_epoch(2))


def test_wrong_data():
    with pytest.raises(TypeError, match="ExternalSource"):
        ndd.readers.Objects(data=iter([1]))
    with pytest.raises(OperatorError, match="empty"):
        next(ndd.readers.Objects(data=[]).next_epoch(1))


def test_placed_arrays():
    import jax

    reader = ndd.readers.Objects(data=[{"x": np.full(3, k, np.float32)} for k in range(4)])
    batch = next(reader.next_epoch(4, sharding=jax.devices()[0]))
    assert isinstance(batch["x"], jax.Array)
    assert batch["x"].shape == (4, 3)
