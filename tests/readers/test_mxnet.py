import struct

import numpy as np
import pytest
from readers.formats import recordio

import dynjax as ndd
from dynjax import OperatorError


def image_record(image, *labels):
    """One label stands in the header, several behind it."""
    if len(labels) == 1:
        return struct.pack("<IfQQ", 0, labels[0], 7, 0) + image
    return (
        struct.pack("<IfQQ", len(labels), 0, 7, 0)
        + struct.pack(f"<{len(labels)}f", *labels)
        + image
    )


def write(folder, blocks, name="a", order=None):
    offsets = np.cumsum([0, *map(len, blocks)])[:-1]
    rows = [f"{k}\t{offsets[k]}\n" for k in order or range(len(blocks))]
    (folder / f"{name}.rec").write_bytes(b"".join(blocks))
    (folder / f"{name}.idx").write_text("".join(rows))
    return {"path": folder / f"{name}.rec", "index_path": folder / f"{name}.idx"}


def read(batch_size=None, **kw):
    batches = list(ndd.readers.MXNet(**kw).next_epoch(batch_size))
    if batch_size is None:
        return [(np.asarray(i).tobytes(), np.asarray(x).tolist()) for i, x in batches]
    return [
        ([np.asarray(t).tobytes() for t in i], [np.asarray(t).tolist() for t in x])
        for i, x in batches
    ]


def test_images_and_labels(tmp_path):
    blocks = [recordio([image_record(b"x" * n, n / 2)]) for n in range(5)]
    files = write(tmp_path, blocks)
    assert read(**files) == [(b"x" * n, [n / 2]) for n in range(5)]
    assert read(5, **files) == [([b"x" * n for n in range(5)], [[n / 2] for n in range(5)])]


def test_the_index_gives_the_order(tmp_path):
    blocks = [recordio([image_record(b"x" * n, n)]) for n in range(4)]
    files = write(tmp_path, blocks, order=[2, 0, 3])
    assert [label for _, label in read(**files)] == [[2], [0], [3]]


def test_several_labels_and_files(tmp_path):
    one = write(tmp_path, [recordio([image_record(b"a", 1, 2, 3)])], "one")
    two = write(tmp_path, [recordio([image_record(b"b", 4)])], "two")
    files = {k: [one[k], two[k]] for k in one}
    assert read(2, **files) == [([b"a", b"b"], [[1, 2, 3], [4]])]


def test_a_record_that_contains_the_magic_number(tmp_path):
    magic = struct.pack("<I", 0xCED7230A)
    whole = image_record(b"1234" + magic + b"56789012" + magic + b"end", 1.5)
    files = write(tmp_path, [recordio(whole.split(magic)), recordio([image_record(b"z", 2)])])
    assert read(**files) == [(whole[24:], [1.5]), (b"z", [2])]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (b"too short", "cut off|does not start"),
        (b"\0" * 64, "does not start"),
        (recordio([b"short"]), "fewer than its header"),
        (recordio([image_record(b"", 1, 2)])[:-4], "cut off or malformed"),
        (recordio([struct.pack("<IfQQ", 2**31, 0, 0, 0)]), "labels take"),
        (recordio([b"a", b"b"])[:12], "it is cut off"),
        (recordio([b"a", b"b"])[12:], "malformed"),
    ],
)
def test_bad_records(tmp_path, block, message):
    with pytest.raises(OperatorError, match=rf"^readers\.MXNet: sample 0 .*({message})"):
        read(**write(tmp_path, [block]))


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("", "hold no record"),
        ("x\n", "line 1: 'x'"),
        ("0 -3\n", "line 1"),
        ("0 9999\n", "has offset 9999"),
    ],
)
def test_bad_indices(tmp_path, index, message):
    files = write(tmp_path, [recordio([image_record(b"a", 1)])])
    files["index_path"].write_text(index)
    with pytest.raises(OperatorError, match=message):
        read(**files)


def test_files_that_are_missing(tmp_path):
    files = write(tmp_path, [recordio([image_record(b"a", 1)])])
    for name in files:
        with pytest.raises(OperatorError, match="No such file"):
            read(**{**files, name: tmp_path / "none"})
    with pytest.raises(OperatorError, match="2 index files for 1 files"):
        read(path=files["path"], index_path=[files["index_path"]] * 2)
