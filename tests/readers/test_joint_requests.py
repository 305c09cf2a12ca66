"""Small batches that one request reads are those that one request each reads."""

import io
import tarfile

import numpy as np
import pytest
from readers.formats import example, write_tfrecords
from support.loops import assert_same, values

import dynjax as ndd
from dynjax import tfrecord
from dynjax._readers.file_source import FileSource
from dynjax._readers.tfrecord import TFRecordSource
from dynjax._readers.webdataset import WebdatasetSource

SAMPLES = 43


def files(folder):
    paths = []
    for k in range(SAMPLES):
        paths.append(folder / f"{k:02}")
        paths[-1].write_bytes(bytes([k]) * (k % 7))
    return ndd.readers.File(files=paths, labels=list(range(5, SAMPLES + 5)))


def records(folder):
    written = [
        example(text=b"ab" * (k % 5), label=[k], box=[k / 4] * 2 * (k % 3)) for k in range(SAMPLES)
    ]
    write_tfrecords(folder / "records", written, folder / "index")
    features = {
        "text": tfrecord.FixedLenFeature((), tfrecord.string, ""),
        "label": tfrecord.FixedLenFeature([2], tfrecord.int64, -1),
        "box": tfrecord.VarLenFeature([2], tfrecord.float32, 0.0),
        "none": tfrecord.FixedLenFeature((), tfrecord.string, "default"),
    }
    return ndd.readers.TFRecord(
        path=folder / "records", index_path=folder / "index", features=features
    )


def members(folder):
    with tarfile.open(folder / "archive.tar", "w") as tar:
        for k in range(SAMPLES):
            for ext, content in (
                ("bin", bytes([k]) * (k % 4)),
                ("num", np.int32([k, k + 1]).tobytes()),
            ):
                info = tarfile.TarInfo(f"{k:02}.{ext}")
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return ndd.readers.Webdataset(
        paths=folder / "archive.tar", ext=["bin", "num"], dtypes=[ndd.uint8, ndd.int32]
    )


@pytest.mark.parametrize("last_batch", ["wrap", "partial", "pad"])
@pytest.mark.parametrize(
    ("make", "source"),
    [(files, FileSource), (records, TFRecordSource), (members, WebdatasetSource)],
    ids=["File", "TFRecord", "Webdataset"],
)
def test_same_batches(tmp_path, monkeypatch, make, source, last_batch):
    seen, sizes = [], []
    inner = source.request

    def request(self, indices):
        sizes.append(len(indices))
        return inner(self, indices)

    monkeypatch.setattr(source, "request", request)
    for joins in (True, False):
        sizes.clear()
        reader, batches = make(tmp_path), []
        assert reader._ready().source.joins
        reader._ready().source.joins = joins
        for _ in range(3):
            for outputs in reader.next_epoch(3, last_batch=last_batch):
                named = list(outputs.values() if isinstance(outputs, dict) else outputs)
                batches.append([values(named), [o.shape for o in named], named[0].valid.tolist()])
        seen.append(batches)
        assert (max(sizes) > 3) == joins
    assert_same(*seen)
