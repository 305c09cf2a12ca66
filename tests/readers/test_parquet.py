"""Rows of Parquet files."""

import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError
from dynjax._readers import remote

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(path, columns, group=4):
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    pq.write_table(table, path, row_group_size=group)
    return str(path)


def rows(path, start=0, count=10, group=4):
    numbers = range(start, start + count)
    columns = {"n": list(numbers), "image": [bytes([k]) * (k % 3) for k in numbers]}
    return write(path, columns, group)


def numbers(batches):
    return [np.asarray(b["n"]).tolist() for b in batches]


def test_columns(tmp_path):
    path = write(
        tmp_path / "a.parquet",
        {
            "i": pa.array([1, 2, 3], pa.int16()),
            "f": pa.array([0.5, None, 2.0]),
            "b": [True, False, True],
            "text": ["a", None, "äb"],
            "binary": [b"12", b"", b"3"],
            "list": [[1.0], None, [2.0, 3.0]],
            "nested": [[[1, 2]], [[3], [4]], []],
            "fixed": pa.array([[1, 2], [3, 4], [5, 6]], pa.list_(pa.int32(), 2)),
            "day": pa.array([0, 1, 2], pa.date32()),
            "time": pa.array([5, 6, 7], pa.timestamp("ms")),
            "word": pa.array(["x", "y", "x"]).dictionary_encode(),
            "image": [{"bytes": b"abc", "path": None}, {"bytes": b"", "path": "x"}, None],
        },
    )
    batch = next(ndd.readers.Parquet(path=path).next_epoch(3))
    found = {name: [np.asarray(t).tolist() for t in b.tensors] for name, b in batch.items()}
    assert np.isnan(found["f"][1])
    found["f"][1] = None
    assert found == {
        "i": [1, 2, 3],
        "f": [0.5, None, 2.0],
        "b": [True, False, True],
        "text": [[97], [], list("äb".encode())],
        "binary": [[49, 50], [], [51]],
        "list": [[1.0], [], [2.0, 3.0]],
        "nested": [[[1, 2]], [[3], [4]], []],
        "fixed": [[1, 2], [3, 4], [5, 6]],
        "day": [0, 1, 2],
        "time": [5, 6, 7],
        "word": [[120], [121], [120]],
        "image": [[97, 98, 99], [], []],
    }
    dtypes = {name: np.asarray(b.tensors[0]).dtype.name for name, b in batch.items()}
    assert (dtypes["i"], dtypes["f"], dtypes["fixed"]) == ("int16", "float64", "int32")
    assert (dtypes["time"], dtypes["day"], dtypes["text"]) == ("int64", "int32", "uint8")
    single = next(ndd.readers.Parquet(path=path, columns=["i", "text"]).next_epoch())
    assert {name: t.shape for name, t in single.items()} == {"i": (), "text": (1,)}


@pytest.mark.parametrize("cache_bytes", [0, 1 << 20])
def test_order_over_files_and_groups(tmp_path, cache_bytes):
    paths = [rows(tmp_path / "a"), rows(tmp_path / "b", 10, 7, group=3)]
    reader = ndd.readers.Parquet(path=paths, cache_bytes=cache_bytes)
    assert numbers(reader.next_epoch(6, last_batch="partial")) == [
        [*range(6)],
        [*range(6, 12)],
        [*range(12, 17)],
    ]
    shuffled = ndd.readers.Parquet(
        path=paths, random_shuffle=True, initial_fill=None, cache_bytes=cache_bytes
    )
    for _ in range(2):
        batches = list(shuffled.next_epoch(5, last_batch="partial"))
        found = np.concatenate(numbers(batches)).tolist()
        assert found != sorted(found)
        assert sorted(found) == [*range(17)]
        images = [np.asarray(t).tolist() for b in batches for t in b["image"].tensors]
        assert images == [[k] * (k % 3) for k in found]


def test_padding_repeats_rows(tmp_path):
    reader = ndd.readers.Parquet(path=rows(tmp_path / "a"))
    assert numbers(reader.next_epoch(4, last_batch="pad"))[-1] == [8, 9, 9, 9]


def test_shards_and_states(tmp_path):
    path = rows(tmp_path / "a", count=16)
    options = {"path": path, "random_shuffle": True, "seed": 7, "columns": "n"}
    shards = [ndd.readers.Parquet(num_shards=2, shard_id=k, **options) for k in (0, 1)]
    assert sorted(np.concatenate([n for s in shards for n in numbers(s.next_epoch(4))])) == [
        *range(16)
    ]
    whole = ndd.readers.Parquet(enable_checkpointing=True, **options)
    expected = [n for _ in range(2) for n in numbers(whole.next_epoch(4))]
    reader = ndd.readers.Parquet(enable_checkpointing=True, **options)
    first = next(reader.next_epoch(4))
    resumed = ndd.readers.Parquet(**options)
    resumed.set_state(reader.get_state())
    assert numbers([first]) + numbers(resumed.next_epoch(4)) == expected[:5]
    other = ndd.readers.Parquet(path=rows(tmp_path / "b", count=16, group=5), columns="n")
    with pytest.raises(ArgumentError, match="data="):
        other.set_state(reader.get_state())


def test_captured_loop_gives_the_same(tmp_path):
    path = rows(tmp_path / "a")
    eager = [np.asarray(b["n"] * 2) for b in ndd.readers.Parquet(path=path).next_epoch(5)]
    reader = ndd.readers.Parquet(path=path)
    captured = [np.asarray(b["n"] * 2) for b in reader.next_epoch(5, capture=True)]
    assert np.array_equal(eager, captured)


def test_remote(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    rows(tmp_path / "a")
    fsspec.filesystem("memory").pipe_file("/parquet/a", (tmp_path / "a").read_bytes())
    reader = ndd.readers.Parquet(path="memory://parquet/a")
    assert numbers(reader.next_epoch(5)) == [[*range(5)], [*range(5, 10)]]


def test_pictures_beside_the_file(tmp_path):
    (tmp_path / "1.jpg").write_bytes(b"one")
    images = [{"bytes": b"zero", "path": None}, {"bytes": None, "path": str(tmp_path / "1.jpg")}]
    path = write(tmp_path / "a", {"image": images})
    batch = next(ndd.readers.Parquet(path=path).next_epoch(2))
    assert [np.asarray(t).tobytes() for t in batch["image"].tensors] == [b"zero", b"one"]
    (tmp_path / "1.jpg").unlink()
    with pytest.raises(OperatorError, match=r"sample 1 .*row 1.*1\.jpg.*No such file"):
        next(ndd.readers.Parquet(path=path).next_epoch(2))


def test_null_rows_can_be_skipped(tmp_path):
    path = write(tmp_path / "a", {"n": [0, None, 2, 3]})
    with pytest.raises(OperatorError, match=r"row 1'.*column 'n' is null"):
        next(ndd.readers.Parquet(path=path).next_epoch(4))
    reader = ndd.readers.Parquet(path=path, on_error="skip")
    with pytest.warns(RuntimeWarning, match="1 samples"):
        assert numbers(reader.next_epoch(4)) == [[0, 2, 3]]


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"x": [[[1], [1, 2]]]}, "lists of several lengths"),
        ({"x": [{"a": 1}]}, "column 'x' is of type struct"),
        ({"x": [["a"]]}, "column 'x' is of type string"),
    ],
)
def test_columns_that_cannot_be_read(tmp_path, columns, text):
    with pytest.raises(OperatorError, match=text):
        next(ndd.readers.Parquet(path=write(tmp_path / "a", columns)).next_epoch(1))


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "bad").write_bytes(b"no parquet")
    with pytest.raises(OperatorError, match=r"bad'.*expected a Parquet file"):
        next(ndd.readers.Parquet(path=tmp_path / "bad").next_epoch(1))
    with pytest.raises(OperatorError, match="No such file"):
        next(ndd.readers.Parquet(path=tmp_path / "none").next_epoch(1))
    path = rows(tmp_path / "a")
    with pytest.raises(OperatorError, match="no column 'z'"):
        next(ndd.readers.Parquet(path=path, columns=["z"]).next_epoch(1))
    other = write(tmp_path / "b", {"n": ["x"], "image": [b""]})
    with pytest.raises(OperatorError, match="one schema"):
        next(ndd.readers.Parquet(path=[path, other]).next_epoch(1))
    with pytest.raises(OperatorError, match="no row"):
        next(ndd.readers.Parquet(path=write(tmp_path / "c", {"n": []})).next_epoch(1))


def test_damage_is_told_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(remote, "PAUSES", (None,))  # a second try would fail otherwise
    rows(tmp_path / "a")
    content = (tmp_path / "a").read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    (tmp_path / "a").write_bytes(content[: -8 - length] + b"\xff" * length + content[-8:])
    with pytest.raises(OperatorError, match=r"a': OSError: .*expected a Parquet file"):
        next(ndd.readers.Parquet(path=tmp_path / "a").next_epoch(1))


def collect(epoch, found):
    """As `numbers`; what came before an error is kept."""
    for batch in epoch:
        found += numbers([batch])


def test_a_file_that_goes_away(tmp_path):
    path = rows(tmp_path / "a")
    reader = ndd.readers.Parquet(path=path, cache_bytes=0)
    content = (tmp_path / "a").read_bytes()
    epoch = reader.next_epoch(4, last_batch="partial")
    found = numbers([next(epoch)])
    (tmp_path / "a").write_bytes(content[:20])
    with pytest.raises(OperatorError, match=r"row group could not be read .*Check the file"):
        collect(epoch, found)
    (tmp_path / "a").write_bytes(content)
    collect(reader.next_epoch(4, last_batch="partial"), found)
    assert sorted(np.concatenate(found).tolist()) == [*range(10)]
