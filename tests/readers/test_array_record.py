"""Records of ArrayRecord files."""

import numpy as np
import pytest
from readers.formats import example

import dynjax as ndd
from dynjax import OperatorError

module = pytest.importorskip("array_record.python.array_record_module")

FEATURES = {
    "x": ndd.tfrecord.FixedLenFeature([], ndd.tfrecord.string, ""),
    "n": ndd.tfrecord.FixedLenFeature([1], ndd.tfrecord.int64, 0),
}


def write(path, records, options="group_size:1"):
    writer = module.ArrayRecordWriter(str(path), options)
    for record in records:
        writer.write(record)
    writer.close()
    return str(path)


def contents(batches):
    return [[np.asarray(t).tobytes() for t in b[0].tensors] for b in batches]


def records(start, count):
    return [b"r%d" % k * (k % 3) for k in range(start, start + count)]


@pytest.mark.parametrize("options", ["group_size:1", "group_size:4"])
def test_order_over_files(tmp_path, options):
    paths = [
        write(tmp_path / "a", records(0, 6), options),
        write(tmp_path / "b", records(6, 5), options),
    ]
    reader = ndd.readers.ArrayRecord(path=paths)
    found = contents(reader.next_epoch(4, last_batch="partial"))
    assert found == [records(0, 4), records(4, 4), records(8, 3)]
    reader = ndd.readers.ArrayRecord(path=paths, random_shuffle=True, initial_fill=None)
    (once,) = contents(reader.next_epoch(11))
    assert once != records(0, 11)
    assert sorted(once) == sorted(records(0, 11))


def test_examples(tmp_path):
    path = write(tmp_path / "a", [example(x=b"%d" % k, n=[k]) for k in range(5)])
    reader = ndd.readers.ArrayRecord(path=path, features=FEATURES)
    batch = next(reader.next_epoch(5))
    assert np.asarray(batch["n"]).ravel().tolist() == [*range(5)]
    assert [np.asarray(t).tobytes() for t in batch["x"].tensors] == [b"%d" % k for k in range(5)]
    bad = write(tmp_path / "b", [b"\x0a\xff"])
    with pytest.raises(OperatorError, match=r"record 0.*tf\.train\.Example"):
        next(ndd.readers.ArrayRecord(path=bad, features=FEATURES).next_epoch(1))


def test_states(tmp_path):
    path = write(tmp_path / "a", records(1, 12))
    reader = ndd.readers.ArrayRecord(path=path, enable_checkpointing=True, random_shuffle=True)
    epoch = reader.next_epoch(4)
    next(epoch)
    resumed = ndd.readers.ArrayRecord(path=path, random_shuffle=True)
    resumed.set_state(reader.get_state())
    assert contents(epoch) == contents(resumed.next_epoch(4))[:2]


def test_errors(tmp_path):
    (tmp_path / "bad").write_bytes(b"no record " * 20_000)
    with pytest.raises(OperatorError, match=r"bad'.*expected an ArrayRecord file"):
        next(ndd.readers.ArrayRecord(path=tmp_path / "bad").next_epoch(1))
    with pytest.raises(OperatorError, match="No such file"):
        next(ndd.readers.ArrayRecord(path=tmp_path / "none").next_epoch(1))
    with pytest.raises(OperatorError, match="expected a local file"):
        next(ndd.readers.ArrayRecord(path="memory://a").next_epoch(1))
    with pytest.raises(TypeError, match="features"):
        ndd.readers.ArrayRecord(path="a", features={"x": 3})
