"""Annotations that were parsed before, in the original's files."""

import json

import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError

# What the original (DALI 1.5x) writes for DOCUMENT with pixelwise_masks=True.
ORIGINAL = {
    "boxes": (
        "0c0000000000a0400000c0400000e040000000410000803f00000040000040400000804000000000"
        "000000000000004000000040"
    ),
    "counts": "03000000010000000200000000000000",
    "filenames": "61612e6a70670a622e6a70670a632e6a70670a",
    "heights": "03000000280000001400000006000000",
    "labels": "03000000010000000200000001000000",
    "mask_count": "03000000000000000000000001000000000000000000000000000000",
    "masks_offset": "03000000000000000000000000000000000000000100000000000000",
    "masks_rles": (
        "0100000014000000000000000a0000000000000003000000000000000a00000014000000aa000000"
    ),
    "masks_rles_idx": "0100000001000000",
    "offsets": "03000000000000000100000003000000",
    "original_ids": "0300000003000000070000000b000000",
    "polygon_data": (
        "03000000000000000000000003000000000000000000000003000000000000000300000006000000"
    ),
    "polygon_offset": "03000000000000000000000001000000000000000300000000000000",
    "polygons_count": "03000000010000000000000002000000000000000000000000000000",
    "vertices": (
        "090000000000c03f0000004000004040000080400000a0400000c0400000803f0000004000004040"
        "000080400000a0400000c04000000000000000000000803f0000803f000000400000003f"
    ),
    "vertices_count": "03000000030000000000000006000000000000000000000000000000",
    "vertices_offset": "03000000000000000000000003000000000000000900000000000000",
    "widths": "030000001e0000000a00000005000000",
}

CROWD = {"size": [20, 10], "counts": [10, 20, 170]}
DOCUMENT = {
    "categories": [{"id": 5}, {"id": 9}],
    "images": [
        {"id": 7, "file_name": "b.jpg", "width": 10, "height": 20},
        {"id": 3, "file_name": "aa.jpg", "width": 30, "height": 40},
        {"id": 11, "file_name": "c.jpg", "width": 5, "height": 6},
    ],
    "annotations": [
        {
            **{"image_id": 7, "category_id": 9, "bbox": [1, 2, 3, 4], "iscrowd": 0},
            "segmentation": [[1, 2, 3, 4, 5, 6], [0, 0, 1, 1, 2, 0.5]],
        },
        {
            **{"image_id": 3, "category_id": 5, "bbox": [5, 6, 7, 8], "iscrowd": 0},
            "segmentation": [[1.5, 2, 3, 4, 5, 6]],
        },
        {
            **{"image_id": 7, "category_id": 5, "bbox": [0, 0, 2, 2], "iscrowd": 1},
            "segmentation": CROWD,
        },
    ],
}


@pytest.fixture
def folder(tmp_path):
    for name in ("aa", "b", "c"):
        (tmp_path / f"{name}.jpg").write_bytes(name.encode())
    (tmp_path / "a.json").write_text(json.dumps(DOCUMENT))
    return tmp_path


def read(folder, **kw):
    epoch = ndd.readers.COCO(file_root=folder, image_ids=True, **kw).next_epoch()
    return [[np.asarray(x).tolist() for x in outputs] for outputs in epoch]


@pytest.mark.parametrize(
    "kw",
    [
        {},
        {"polygon_masks": True},
        {"pixelwise_masks": True},
        {"masks": True, "ltrb": True},
        {"polygon_masks": True, "ratio": True, "ltrb": True},
        {"pixelwise_masks": True, "ratio": True},
        {"skip_empty": True, "avoid_class_remapping": True},
        {"images": ["c.jpg", "b.jpg"]},
    ],
)
def test_saved_and_loaded(folder, kw):
    saving = {
        "save_preprocessed_annotations": True,
        "save_preprocessed_annotations_dir": folder / "new" / "saved",
    }
    expected = read(folder, annotations_file=folder / "a.json", **saving, **kw)
    assert read(folder, preprocessed_annotations=folder / "new" / "saved", **kw) == expected


def test_files_are_those_of_the_original(folder):
    kw = {"dump_meta_files": True, "dump_meta_files_path": folder / "saved"}
    expected = read(folder, annotations_file=folder / "a.json", pixelwise_masks=True, **kw)
    found = {f.stem: f.read_bytes().hex() for f in (folder / "saved").iterdir()}
    assert found == ORIGINAL
    (folder / "theirs").mkdir()
    for name, content in ORIGINAL.items():
        (folder / "theirs" / f"{name}.dat").write_bytes(bytes.fromhex(content))
    assert read(folder, meta_files_path=folder / "theirs", pixelwise_masks=True) == expected


def saved(folder):
    for name, content in ORIGINAL.items():
        (folder / f"{name}.dat").write_bytes(bytes.fromhex(content))


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("boxes", b"\x05\0\0\0", "boxes.dat has 4 bytes"),
        ("counts", np.array([3, 1, 2, 9], np.int32).tobytes(), "shorter than"),
        ("counts", np.array([3, -1, 2, 9], np.int32).tobytes(), "fit together"),
        ("filenames", b"a\n", "several data sets"),
        ("masks_rles", b"\x09\0\0\0", "Make the files anew"),
        ("widths", None, "No such file.*same kind of masks"),
    ],
)
def test_damaged_files(folder, name, content, text):
    saved(folder)
    if content is None:
        (folder / f"{name}.dat").unlink()
    else:
        (folder / f"{name}.dat").write_bytes(content)
    with pytest.raises(OperatorError, match=text):
        read(folder, preprocessed_annotations=folder, pixelwise_masks=True)


def test_choosing(folder):
    saved(folder)
    rows = read(folder, preprocessed_annotations=folder, images=["b.jpg"])
    assert [row[-1] for row in rows] == [[7]]
    with pytest.raises(OperatorError, match=r"no image 'x\.jpg'"):
        read(folder, preprocessed_annotations=folder, images=["x.jpg"])


def test_a_folder_that_cannot_be_written(folder):
    kw = {"save_preprocessed_annotations": True}
    with pytest.raises(OperatorError, match=r"annotations_dir=.*Not a directory"):
        read(
            folder,
            annotations_file=folder / "a.json",
            save_preprocessed_annotations_dir=folder / "a.json" / "x",
            **kw,
        )
