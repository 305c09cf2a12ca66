import json

import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError
from dynjax._readers.coco_rle import mask_of_polygon, mask_of_runs, run_lengths

SQUARE = [2.0, 1, 6, 1, 6, 4, 2, 4]


def annotation(image, category, bbox, segmentation=None, crowd=0):
    return {
        "image_id": image, "category_id": category, "bbox": bbox, "iscrowd": crowd,
        "segmentation": [] if segmentation is None else segmentation,
    }  # fmt: skip


RUNS = {"size": [6, 10], "counts": [6, 3, 51]}
DOCUMENT = {
    "images": [
        {"id": 30, "file_name": "c.jpg", "width": 10, "height": 6},
        {"id": 10, "file_name": "a.jpg", "width": 10, "height": 6},
        {"id": 20, "file_name": "b.jpg", "width": 10, "height": 5},
    ],
    "categories": [{"id": 18}, {"id": 3}],
    "annotations": [
        annotation(30, 3, [2, 1, 4, 3], [SQUARE]),
        annotation(10, 18, [0, 0, 5, 6], [SQUARE, [0.0, 0, 1, 0, 1, 1]]),
        annotation(10, 3, [1.5, 1, 0.05, 2], [SQUARE]),
        annotation(10, 3, [3, 0, 2, 2], RUNS, crowd=1),
    ],
}


@pytest.fixture
def read(tmp_path):
    """`read(**kw)`: the outputs of each sample as NumPy arrays."""
    for name in "abc":
        (tmp_path / f"{name}.jpg").write_bytes(name.encode() * 3)

    def read(document=DOCUMENT, batch_size=None, **kw):
        (tmp_path / "a.json").write_text(json.dumps(document))
        kw = {"file_root": tmp_path, "annotations_file": tmp_path / "a.json", **kw}
        epoch = ndd.readers.COCO(**kw).next_epoch(batch_size)
        return [[np.asarray(x) if batch_size is None else x for x in outputs] for outputs in epoch]

    return read


def test_boxes_and_labels(read):
    samples = read(image_ids=True)
    assert [s[0].tobytes() for s in samples] == [b"aaa", b"bbb", b"ccc"]  # by id
    assert [s[1].tolist() for s in samples] == [[[0, 0, 5, 6], [3, 0, 2, 2]], [], [[2, 1, 4, 3]]]
    assert [s[2].tolist() for s in samples] == [[1, 2], [], [2]]  # by rank in the file
    assert [s[3].tolist() for s in samples] == [[10], [20], [30]]
    assert samples[1][1].shape == (0, 4)
    assert [x.dtype for x in samples[0]] == [np.uint8, np.float32, np.int32, np.int32]


def test_forms_of_boxes(read):
    assert read(ltrb=True)[0][1].tolist() == [[0, 0, 5, 6], [3, 0, 5, 2]]
    np.testing.assert_allclose(read(ratio=True)[2][1], [[0.2, 1 / 6, 0.4, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(
        read(ratio=True, ltrb=True)[2][1], [[0.2, 1 / 6, 0.6, 4 / 6]], rtol=1e-6
    )


def test_filters(read):
    assert [s[2].tolist() for s in read(avoid_class_remapping=True)] == [[18, 3], [], [3]]
    assert [s[2].tolist() for s in read(include_iscrowd=False)] == [[1], [], [2]]
    assert [s[2].tolist() for s in read(size_threshold=0.01)] == [[1, 2, 2], [], [2]]
    assert [s[3].tolist() for s in read(skip_empty=True, image_ids=True)] == [[10], [30]]
    ids = [s[3].tolist() for s in read(images=["c.jpg", "a.jpg"], image_ids=True)]
    assert ids == [[30], [10]]


def test_polygons(read):
    samples = read(polygon_masks=True)
    assert samples[0][3].tolist() == [[0, 0, 4], [0, 4, 7]]  # none of the crowd
    np.testing.assert_array_equal(samples[0][4][:4], np.reshape(SQUARE, (4, 2)))
    assert [samples[1][k].shape for k in (3, 4)] == [(0, 3), (0, 2)]
    assert read(masks=True)[0][3].tolist() == [[0, 0, 8], [0, 8, 14]]
    relative = read(polygon_masks=True, ratio=True)[2][4]
    np.testing.assert_allclose(relative, np.reshape(SQUARE, (4, 2)) / [10, 6], rtol=1e-6)


def test_pixels(read):
    batch = read(batch_size=3, pixelwise_masks=True)[0]
    assert batch[3].layout == "HWC"
    assert batch[3].shape == [(6, 10, 1), (5, 10, 1), (6, 10, 1)]
    first, second, third = (np.asarray(t)[..., 0] for t in batch[3])
    wanted = np.zeros((6, 10), int)
    wanted[1:4, 2:6] = 2
    np.testing.assert_array_equal(third, wanted)
    assert not second.any()
    # The crowd's runs: six pixels down the first column, then three of the second.
    wanted = np.where(wanted == 2, 1, 0)
    wanted[:3, 1] = 2
    np.testing.assert_array_equal(first, wanted)


def test_the_larger_label_wins(read):
    document = {**DOCUMENT, "annotations": [
        annotation(10, 3, [0, 0, 9, 9], [SQUARE]),
        annotation(10, 18, [0, 0, 9, 9], [[0.0, 0, 9, 0, 9, 6, 0, 6]]),
    ]}  # fmt: skip
    mask = read(document, pixelwise_masks=True)[0][3][..., 0]
    assert (mask[1:4, 2:6] == 2).all()
    assert (mask == 1).sum() == 54 - 12


def compress(runs):
    """The COCO API's text form, written from its description."""
    text = ""
    for k, run in enumerate(runs):
        value = run - (runs[k - 2] if k > 2 else 0)
        more = True
        while more:
            code = value & 31
            value >>= 5
            more = value != -1 if code & 16 else value != 0
            text += chr((code | 32 if more else code) + 48)
    return text


@pytest.mark.parametrize(
    "runs", [[60], [0, 60], [6, 3, 51], [1] * 60, [40, 2, 1, 17], [0, 7, 0, 53]]
)
def test_compressed_runs(runs):
    for counts in (runs, compress(runs)):
        got = run_lengths({"size": [6, 10], "counts": counts}, 6, 10)
        assert got.tolist() == runs
    pixels = [k % 2 == 1 for k, run in enumerate(runs) for _ in range(run)]
    np.testing.assert_array_equal(mask_of_runs(got, 6, 10).T.ravel(), pixels)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # its own use of NumPy
def test_masks_equal_those_of_pycocotools():
    mask = pytest.importorskip("pycocotools.mask")
    rng = np.random.default_rng(0)
    for _ in range(200):
        height, width = (int(n) for n in rng.integers(1, 40, 2))
        points = rng.uniform(-5, 45, (int(rng.integers(3, 9)), 2))
        if rng.random() < 0.5:
            points = np.round(points)
        (rle,) = mask.frPyObjects([points.ravel().tolist()], height, width)
        wanted = mask.decode(rle).astype(bool)
        np.testing.assert_array_equal(mask_of_polygon(points, height, width), wanted)
        runs = run_lengths(
            {"size": [height, width], "counts": rle["counts"].decode()}, height, width
        )
        np.testing.assert_array_equal(mask_of_runs(runs, height, width), wanted)


def damaged(**changes):
    document = json.loads(json.dumps(DOCUMENT))
    for where, value in changes.items():
        kind, field = where.split("__")
        document[kind][0][field] = value
    return document


@pytest.mark.parametrize(
    ("segmentation", "message"),
    [
        ([[1, 2, 3]], "no list of x, y"),
        ([["a", "b"]], "no list of x, y"),
        ([[1e30, 0, 1, 1]], "beyond 2\\^24"),
        ({"size": [9, 9], "counts": [81]}, r"size \[9, 9\], the image \[6, 10\]"),
        ({"size": [6, 10], "counts": [61]}, "mask has 61 pixels"),
        ({"size": [6, 10], "counts": [-1, 3]}, "mask has 2 pixels"),
        ({"size": [6, 10], "counts": "~"}, "has the letter"),
        ({"size": [6, 10], "counts": "P"}, "is cut off"),
        ({"size": [6, 10], "counts": "o" * 99}, "has the letter"),
        ({"size": [6, 10]}, "has no counts"),
    ],
)
def test_bad_masks(read, segmentation, message):
    with pytest.raises(OperatorError, match=rf"^readers\.COCO: sample 2 .*{message}"):
        read(damaged(annotations__segmentation=segmentation), pixelwise_masks=True)


@pytest.mark.parametrize(
    ("document", "kw", "message"),
    [
        (damaged(annotations__bbox=[1]), {}, "an entry"),
        (damaged(annotations__category_id=99), {}, "lacks 99"),
        (damaged(images__width=0), {"ratio": True}, "has width 0"),
        (damaged(images__width=2**31), {"pixelwise_masks": True}, "has width 2147483648"),
        ([], {}, "an entry"),
        ({}, {}, "no image is left"),
        (DOCUMENT, {"images": ["x.jpg"]}, "no image 'x.jpg'"),
        (DOCUMENT, {"polygon_masks": True, "pixelwise_masks": True}, "expected one of them"),
        (DOCUMENT, {"file_root": None}, "expected file_root and one"),
        (DOCUMENT, {"annotations_file": "none"}, "No such file"),
        (DOCUMENT, {"preprocessed_annotations": "x"}, "expected file_root and one"),
        (DOCUMENT, {"save_preprocessed_annotations": True}, "annotations_dir too"),
    ],
)
def test_errors(read, document, kw, message):
    with pytest.raises(OperatorError, match=rf"^readers\.COCO: .*{message}"):
        read(document, **kw)


def test_no_json(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xff\xd8 no json")
    reader = ndd.readers.COCO(file_root=tmp_path, annotations_file=tmp_path / "a.json")
    with pytest.raises(OperatorError, match="expected a COCO annotation file"):
        reader.get_metadata()
