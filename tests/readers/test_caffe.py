import contextlib

import numpy as np
import pytest
from readers.formats import block, number, tensor_proto, write_lmdb

import dynjax as ndd
from dynjax import OperatorError

PIXELS = bytes(range(12))


def datum(data, label=None, encoded=True, shape=None):
    dims = (
        b""
        if shape is None
        else b"".join(number(k, n) for k, n in zip((2, 3, 1), shape, strict=True))
    )
    tail = b"" if label is None else number(5, label)
    return dims + block(4, data) + tail + number(7, encoded)


def read(reader, batch_size=None, **kw):
    return [[np.asarray(x) for x in outputs] for outputs in reader(**kw).next_epoch(batch_size)]


def test_a_tree_of_pages_and_large_values(tmp_path):
    contents = [bytes([n % 251]) * (n * 397 % 9000) for n in range(40)]
    path = write_lmdb(tmp_path / "db", [datum(c, n) for n, c in enumerate(contents)])
    got = read(ndd.readers.Caffe, path=path)
    assert [(i.tobytes(), x.tolist()) for i, x in got] == [(c, [n]) for n, c in enumerate(contents)]


def test_the_same_database_written_by_lmdb(tmp_path):
    lmdb = pytest.importorskip("lmdb")
    contents = [bytes([n % 251]) * (n * 397 % 9000) for n in range(300)]
    with lmdb.open(str(tmp_path / "db"), map_size=1 << 24) as env, env.begin(write=True) as txn:
        for n, content in enumerate(contents):
            txn.put(b"%05d" % n, datum(content, n))
    got = read(ndd.readers.Caffe, path=tmp_path / "db")
    assert [(i.tobytes(), x.tolist()) for i, x in got] == [(c, [n]) for n, c in enumerate(contents)]


def test_caffe_outputs(tmp_path):
    one = write_lmdb(tmp_path / "one", [datum(PIXELS, -3)])
    raw = write_lmdb(tmp_path / "raw", [datum(PIXELS, 1, False, (2, 2, 3))])
    none = write_lmdb(tmp_path / "none", [datum(PIXELS)])
    ((image, label),) = read(ndd.readers.Caffe, path=one)
    assert (image.tobytes(), label.tolist(), label.dtype) == (PIXELS, [-3], np.int32)
    assert read(ndd.readers.Caffe, path=raw)[0][0].shape == (2, 2, 3)
    assert read(ndd.readers.Caffe, path=none)[0][1].shape == (0,)
    assert len(read(ndd.readers.Caffe, path=[one, none])) == 2
    assert len(read(ndd.readers.Caffe, path=one, image_available=False)[0]) == 1
    with pytest.raises(OperatorError, match="at least one output"):
        read(ndd.readers.Caffe, path=one, image_available=False, label_available=False)


def protos(*tensors):
    return b"".join(block(1, t) for t in tensors)


IMAGE = tensor_proto(4, PIXELS)


@pytest.mark.parametrize(
    ("tensors", "kw", "wanted"),
    [
        ([tensor_proto(2, [50])], {}, [np.int32([50])]),
        ([tensor_proto(2, [1, 3])], {"label_type": 1, "num_labels": 4}, [np.int32([0, 1, 0, 1])]),
        ([tensor_proto(1, [0.5, 7])], {"label_type": 2}, [np.float32([0.5, 7])]),
        ([tensor_proto(2, [1, 3]), tensor_proto(1, [0.5, 0.25])],
         {"label_type": 3, "num_labels": 4}, [np.float32([0, 0.5, 0, 0.25])]),
        ([], {"label_type": 4}, []),
        ([tensor_proto(2, [1]), tensor_proto(1, [1, 2], [2, 1]), tensor_proto(2, [4, 5, 6, 7])],
         {"additional_inputs": 1, "bbox": True},
         [np.int32([1]), np.float32([[1], [2]]), np.int32([4, 5, 6, 7])]),
    ],
)  # fmt: skip
def test_caffe2_outputs(tmp_path, tensors, kw, wanted):
    path = write_lmdb(tmp_path / "db", [protos(IMAGE, *tensors)])
    ((image, *rest),) = read(ndd.readers.Caffe2, path=path, **kw)
    assert image.tobytes() == PIXELS
    for got, expected in zip(rest, wanted, strict=True):
        np.testing.assert_array_equal(got, expected, strict=True)


def test_caffe2_image_with_a_shape(tmp_path):
    path = write_lmdb(tmp_path / "db", [protos(tensor_proto(3, PIXELS, [2, 2, 3]))])
    assert read(ndd.readers.Caffe2, path=path, label_type=4)[0][0].shape == (2, 2, 3)


@pytest.mark.parametrize(
    ("tensors", "kw", "message"),
    [
        ([], {}, "no more tensors where a label"),
        ([tensor_proto(2, [1, 2])], {}, "2 labels instead of 1"),
        ([tensor_proto(2, [5])], {"label_type": 1, "num_labels": 5}, "not in 0 to num_labels - 1"),
        ([tensor_proto(2, [1, 2, 3], [2])], {}, "3 values, none of shape"),
        ([tensor_proto(9, b"")], {}, "tensor is of type 9"),
        ([tensor_proto(2, [1])], {"bbox": True}, "no more tensors where a box"),
        ([tensor_proto(2, [1])], {"label_type": 5}, "label_type=5"),
    ],
)
def test_caffe2_errors(tmp_path, tensors, kw, message):
    path = write_lmdb(tmp_path / "db", [protos(tensor_proto(3, PIXELS), *tensors)])
    with pytest.raises(OperatorError, match=rf"^readers\.Caffe2: .*{message}"):
        read(ndd.readers.Caffe2, path=path, **kw)


def test_damaged_databases(tmp_path):
    """Whatever byte of the pages is changed: samples or an error, and an end."""
    path = write_lmdb(tmp_path / "db", [datum(b"x" * 50, n) for n in range(8)], page=512)
    good = (path / "data.mdb").read_bytes()
    rng = np.random.default_rng(0)
    for at in range(0, len(good), 7):
        damaged = bytearray(good)
        damaged[at] = rng.integers(256)
        (path / "data.mdb").write_bytes(damaged)
        with contextlib.suppress(OperatorError):
            assert len(read(ndd.readers.Caffe, path=path)) <= 64


def test_circle_of_pages(tmp_path):
    path = write_lmdb(tmp_path / "db", [datum(b"x", n) for n in range(8)], page=512)
    data = bytearray((path / "data.mdb").read_bytes())
    root = len(data) // 512 - 1
    first = int.from_bytes(data[root * 512 + 16 : root * 512 + 18], "little")
    data[root * 512 + first] = root
    (path / "data.mdb").write_bytes(data)
    with pytest.raises(OperatorError, match="part of a circle"):
        read(ndd.readers.Caffe, path=path)


def test_databases_that_are_none(tmp_path):
    for content, message in ((b"", "empty"), (b"x" * 9999, "no LMDB database"), (None, "No such")):
        if content is not None:
            (tmp_path / "data.mdb").write_bytes(content)
        where = tmp_path if content is not None else tmp_path / "none"
        with pytest.raises(OperatorError, match=message):
            read(ndd.readers.Caffe, path=where)
    with pytest.raises(OperatorError, match="hold no record"):
        read(ndd.readers.Caffe, path=write_lmdb(tmp_path / "db", []))
