import contextlib

import numpy as np
import pytest
from readers.example_reference import parse_example
from readers.formats import example, write_tfrecords

import dynjax as ndd
from dynjax import OperatorError, tfrecord
from dynjax._readers.examples import Examples
from dynjax._readers.source import ReadError
from dynjax._readers.wire import WireError
from dynjax._types.host import SampleSource


def read(path, features, batch_size=None, **kw):
    reader = ndd.readers.TFRecord(path=path, features=features, **kw)
    return list(reader.next_epoch(batch_size))


def values(outputs, name):
    output = outputs[name]
    return [np.asarray(t) for t in output] if isinstance(output, ndd.Batch) else np.asarray(output)


@pytest.fixture
def one(tmp_path):
    """`one(features, **record)`: the outputs of a file with one record."""

    def make(features, **record):
        write_tfrecords(tmp_path / "one", [example(**record)])
        (outputs,) = read(tmp_path / "one", features)
        return {name: np.asarray(value) for name, value in outputs.items()}

    return make


@pytest.mark.parametrize("indexed", [True, False])
def test_batches_of_several_files(tmp_path, indexed):
    for k, numbers in enumerate(([0, 1, 2], [3, 4])):
        records = [example(image=b"x" * n, label=[n], box=[n / 4] * 2 * n) for n in numbers]
        write_tfrecords(tmp_path / f"{k}", records, tmp_path / f"{k}.idx")
    features = {
        "label": tfrecord.FixedLenFeature([1], tfrecord.int64, -1),
        "image": tfrecord.FixedLenFeature((), tfrecord.string, ""),
        "box": tfrecord.VarLenFeature([2], tfrecord.float32, 0.0),
    }
    paths = [tmp_path / "0", tmp_path / "1"]
    index = [tmp_path / "0.idx", tmp_path / "1.idx"] if indexed else None
    batches = read(paths, features, 3, index_path=index)
    assert [list(b) for b in batches] == [["label", "image", "box"]] * 2
    assert [np.asarray(b["label"]).tolist() for b in batches] == [[[0], [1], [2]], [[3], [4], [0]]]
    assert [len(x) for x in values(batches[0], "image")] == [0, 1, 2]
    assert [x.shape for x in values(batches[0], "box")] == [(0, 2), (1, 2), (2, 2)]
    assert batches[0]["label"].dtype == ndd.int64
    assert batches[0]["image"].dtype == ndd.uint8
    assert batches[0]["box"].dtype == ndd.float32


@pytest.mark.parametrize("packed", [list, tuple])
def test_numbers(one, packed):
    got = one(
        {
            "i": tfrecord.FixedLenFeature([3], tfrecord.int64),
            "f": tfrecord.VarLenFeature(tfrecord.float32, 0.0),
        },
        i=packed([-(2**63), 2**63 - 1, -1]),
        f=packed([0.5, -1e30]),
    )
    assert got["i"].tolist() == [-(2**63), 2**63 - 1, -1]
    np.testing.assert_array_equal(got["f"], np.array([0.5, -1e30], np.float32))


def test_several_texts(tmp_path):
    rng = np.random.default_rng(0)
    records = [{"a": rng.bytes(n), "b": rng.bytes(9 * n), "c": rng.bytes(3)} for n in range(20)]
    write_tfrecords(tmp_path / "a", [example(**r) for r in records])
    features = {k: tfrecord.FixedLenFeature([], tfrecord.string) for k in "abc"}
    (batch,) = read(tmp_path / "a", features, 20)
    for name in "abc":
        assert [bytes(x) for x in values(batch, name)] == [r[name] for r in records]


def test_many_numbers(one):
    numbers = [(-1) ** k * 7**k % 2**62 for k in range(200)]
    got = one({"i": tfrecord.VarLenFeature(tfrecord.int64, 0)}, i=numbers)
    assert got["i"].tolist() == numbers


def test_what_a_record_lacks(one):
    fixed, variable = tfrecord.FixedLenFeature, tfrecord.VarLenFeature
    got = one(
        {
            "absent": fixed([2, 2], tfrecord.float32, 5.0),
            "absent_list": fixed([2], tfrecord.int64, [3, 4]),
            "absent_text": fixed([], tfrecord.string, "none"),
            "absent_rows": variable([3], tfrecord.float32, 1.0),
            "short": fixed([3], tfrecord.int64, 9),
            "other_type": fixed([2], tfrecord.int64, 9),
            "other_rows": variable(tfrecord.int64, 9),
            "scalar": fixed([], tfrecord.int64, 9),
        },
        short=[1, 2], other_type=[1.0, 2.0], other_rows=b"x", scalar=[7],
    )  # fmt: skip
    assert got["absent"].tolist() == [[5, 5], [5, 5]]
    assert got["absent_list"].tolist() == [3, 4]
    assert bytes(got["absent_text"]) == b"none"
    assert got["absent_rows"].shape == (0, 3)
    assert got["short"].tolist() == [1, 2, 0]
    assert got["other_type"].tolist() == [0, 0]
    assert got["other_rows"].shape == (0,)
    assert got["scalar"].shape == ()


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        (tfrecord.FixedLenFeature([1], tfrecord.int64), "2 values, more than the shape"),
        (tfrecord.VarLenFeature([3], tfrecord.int64), "2 values, no rows"),
    ],
)
def test_too_many_values(tmp_path, feature, message):
    write_tfrecords(tmp_path / "a", [example(i=[1, 2])])
    with pytest.raises(OperatorError, match=rf"^readers\.TFRecord: sample 0 .*'i' has {message}"):
        read(tmp_path / "a", {"i": feature})


def test_every_damage_is_an_error_or_a_record(tmp_path):
    """Whatever byte is changed: no crash, no endless loop, no wrong shape."""
    record = example(i=[1, 300], f=[1.0], s=b"text")
    features = {
        "i": tfrecord.FixedLenFeature([2], tfrecord.int64),
        "f": tfrecord.VarLenFeature(tfrecord.float32, 0.0),
        "s": tfrecord.FixedLenFeature([], tfrecord.string, ""),
    }
    rng = np.random.default_rng(0)
    for at in range(len(record)):
        damaged = bytearray(record)
        damaged[at] = rng.integers(256)
        write_tfrecords(tmp_path / "a", [bytes(damaged)])
        with contextlib.suppress(OperatorError):
            (got,) = read(tmp_path / "a", features)
            assert got["i"].shape == (2,)


KINDS = {
    b"i": tfrecord.VarLenFeature(tfrecord.int64),
    b"f": tfrecord.VarLenFeature(tfrecord.float32),
    b"s": tfrecord.FixedLenFeature([], tfrecord.string, "default"),
    b"n": tfrecord.FixedLenFeature([40], tfrecord.int64, 7),
}


def by_native_code(records):
    framed = [len(r).to_bytes(8, "little") + bytes(4) + r + bytes(4) for r in records]
    data = np.frombuffer(b"".join(framed), np.uint8).copy()
    lengths = np.array([len(f) for f in framed], np.int64)
    numbers = np.arange(len(records))
    outputs = Examples(KINDS, checksums=False).outputs(data, lengths, numbers)
    source = SampleSource(numbers, 0, lambda i: b"")
    return [[np.asarray(t) for t in o.batch(source)] for o in outputs]


@pytest.mark.parametrize("seed", range(4))
def test_native_parser_agrees_with_the_reference(seed):
    """On good records, and on damaged ones wherever both read something."""
    rng = np.random.default_rng(seed)
    good, agreed = [], 0
    for _ in range(30):
        wrap = (list, tuple)[rng.integers(2)]
        record = {
            "i": wrap(int(x) for x in rng.integers(-(2**62), 2**62, rng.integers(40))),
            "f": wrap(float(x) for x in rng.normal(size=rng.integers(1, 40))),
            "s": rng.bytes(rng.integers(300)),
            "n": wrap(int(x) for x in rng.integers(-3, 300, rng.integers(1, 40))),
            "other": rng.bytes(20),
        }
        kept = [name for name in record if rng.random() < 0.8]
        good.append(example(**{name: record[name] for name in rng.permutation(kept)}))
    damaged = [bytearray(r) for r in good if r for _ in range(20)]
    for record in damaged:
        record[rng.integers(len(record))] = rng.integers(256)
    for records in (good, *([bytes(r)] for r in damaged)):
        try:
            expected = [parse_example(memoryview(r), KINDS) for r in records]
        except WireError:
            expected = None
        try:
            found = by_native_code(records)
        except ReadError:
            assert expected is None
            continue
        assert expected is not None
        agreed += 1
        for name, column in zip(KINDS, found, strict=True):
            for value, row in zip(column, expected, strict=True):
                np.testing.assert_array_equal(value, row[name])
    assert agreed > 100


def test_checksums(tmp_path):
    path = tmp_path / "a"
    features = {"i": tfrecord.FixedLenFeature([1], tfrecord.int64)}
    write_tfrecords(path, [example(i=[1])])
    assert read(path, features)
    with pytest.raises(OperatorError, match=r"sample 0 .*its checksum is not that of its bytes"):
        read(path, features, checksums=True)
    record = example(i=[1])
    framed = len(record).to_bytes(8, "little")
    framed += masked_crc(framed).to_bytes(4, "little") + record
    path.write_bytes(framed + masked_crc(record).to_bytes(4, "little"))
    (outputs,) = read(path, features, checksums=True)
    assert values(outputs, "i") == [1]


def masked_crc(data):
    """Bit by bit, from the definition."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("content", "index", "message"),
    [
        (b"", None, "hold no record"),
        (b"garbage that is no TFRecord file", None, "goes beyond the end"),
        (None, "", "hold no record"),
        (None, "a b\n", "line 1: 'a b'; expected 'offset size'"),
        (None, "0 9999\n", "its file ends before it does"),
        (None, "0 17\n", "header says 7 bytes, its index 1"),
        (None, "0 3\n", "is no record"),
        (None, f"{2**62} 20\n", "is no record"),
    ],
)
def test_bad_files_and_indices(tmp_path, content, index, message):
    write_tfrecords(tmp_path / "a", [b"\x0a\x05\x0a\x03\x0a\x01i"])
    if content is not None:
        (tmp_path / "a").write_bytes(content)
    if index is not None:
        (tmp_path / "i").write_text(index)
    features = {"i": tfrecord.FixedLenFeature([1], tfrecord.int64)}
    with pytest.raises(OperatorError, match=message):
        read(tmp_path / "a", features, index_path=None if index is None else tmp_path / "i")


def test_arguments(tmp_path):
    features = {"i": tfrecord.FixedLenFeature([1], tfrecord.int64)}
    with pytest.raises(TypeError, match="features="):
        ndd.readers.TFRecord(path="a", features={"i": 3})
    with pytest.raises(TypeError, match="path must be a path"):
        ndd.readers.TFRecord(path=3, features=features)
    with pytest.raises(OperatorError, match="2 index files for 1 files"):
        read("a", features, index_path=["b", "c"])
    with pytest.raises(OperatorError, match="No such file"):
        read(tmp_path / "none", features)
    with pytest.raises(OperatorError, match="features is empty"):
        read("a", {})
    with pytest.raises(ndd.ArgumentError, match="dtype="):
        tfrecord.FixedLenFeature([1], ndd.uint8)
    with pytest.raises(ndd.ArgumentError, match="default_value="):
        tfrecord.FixedLenFeature([2], tfrecord.int64, [1, 2, 3])
    with pytest.raises(TypeError, match="shape="):
        tfrecord.FixedLenFeature([-1], tfrecord.int64)
    with pytest.raises(TypeError, match="arguments"):
        tfrecord.VarLenFeature()
