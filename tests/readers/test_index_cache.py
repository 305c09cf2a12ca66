"""Indices that are kept on disk: believed only while the data file is the same."""

import os

import numpy as np
import pytest
from readers.formats import example, write_tfrecords

import dynjax as ndd
from dynjax import tfrecord
from dynjax._readers import tfrecord_index
from dynjax._readers.index_cache import IndexCache

FEATURES = {"i": tfrecord.FixedLenFeature([1], tfrecord.int64)}


def write(path, numbers):
    write_tfrecords(path, [example(i=[n]) for n in numbers])


@pytest.fixture
def scans(monkeypatch):
    """The files that were scanned."""
    seen = []
    scan = tfrecord_index._scanned

    def spy(operator, path):
        seen.append(os.path.basename(path))
        return scan(operator, path)

    monkeypatch.setattr(tfrecord_index, "_scanned", spy)
    return seen


def read(path, **kw):
    reader = ndd.readers.TFRecord(path=path, features=FEATURES, **kw)
    return [int(outputs["i"].item()) for outputs in reader.next_epoch()]


@pytest.mark.parametrize("beside", [True, False])
def test_a_second_run_scans_nothing(tmp_path, scans, beside):
    path, cache = tmp_path / "a", True if beside else tmp_path / "new" / "cache"
    write(path, [1, 2, 3])
    for _ in range(3):
        assert read(path, index_cache=cache) == [1, 2, 3]
    assert scans == ["a"]
    assert (tmp_path / "a.dynjax-index").exists() == beside


def test_nothing_is_written_unasked(tmp_path, scans):
    write(tmp_path / "a", [1])
    for _ in range(2):
        assert read(tmp_path / "a") == [1]
    assert scans == ["a", "a"]
    assert os.listdir(tmp_path) == ["a"]


def test_another_file_is_scanned_anew(tmp_path, scans):
    path = tmp_path / "a"
    write(path, [1, 2, 3])
    read(path, index_cache=True)
    write(path, [4, 5])  # another size
    assert read(path, index_cache=True) == [4, 5]
    times = os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns + 1
    os.utime(path, ns=times)
    assert read(path, index_cache=True) == [4, 5]
    assert len(scans) == 3


@pytest.mark.parametrize("damage", [lambda c: c[:-8], lambda c: c[:5], lambda c: c[:-1] + b"\x7f"])
def test_a_damaged_index_is_made_anew(tmp_path, scans, damage):
    path = tmp_path / "a"
    write(path, [1, 2, 3])
    read(path, index_cache=True)
    kept = tmp_path / "a.dynjax-index"
    kept.write_bytes(damage(kept.read_bytes()))
    assert read(path, index_cache=True) == [1, 2, 3]
    assert len(scans) == 2
    assert read(path, index_cache=True) == [1, 2, 3]
    assert len(scans) == 2


def test_a_full_disk_is_a_warning(tmp_path, monkeypatch):
    path = tmp_path / "a"
    write(path, [1, 2, 3])

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(RuntimeWarning, match="cannot be kept .No space left on device"):
        assert read(path, index_cache=True) == [1, 2, 3]
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_that_grows_meanwhile_is_not_kept(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"1")

    def scan():
        path.write_bytes(b"12")
        return np.zeros((1, 2), np.int64)

    assert len(IndexCache("reader", True).table(path, scan)) == 1
    assert os.listdir(tmp_path) == ["a"]
