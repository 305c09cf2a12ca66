"""`segmentation`: objects against SciPy's labels, pixels, and polygons."""

import jax
import numpy as np
import pytest
from scipy import ndimage
from support.samples import arrays, padded

import dynjax as ndd
from dynjax._ops._lib.regions import find_regions

MASK = np.zeros((12, 14), np.int32)
MASK[2:5, 3:9] = 1
MASK[7:11, 1:4] = 2
MASK[8:10, 8:13] = 1


def boxes_of(mask, background=0):
    """Label and bounding box of each region, by SciPy."""
    found = set()
    for label in np.unique(mask):
        if label == background:
            continue
        parts, _ = ndimage.label(mask == label)
        for box in ndimage.find_objects(parts):
            found.add((int(label), tuple(s.start for s in box), tuple(s.stop for s in box)))
    return found


@pytest.mark.parametrize("shape", [(17,), (9, 13), (1, 8), (6, 7, 5), (3, 1, 4, 6)])
@pytest.mark.parametrize("labels", [2, 4])
def test_regions(shape, labels):
    rng = np.random.default_rng(len(shape) * labels)
    for _ in range(5):
        mask = rng.integers(0, labels, shape).astype(np.int32)
        got = find_regions(mask, 0)
        both = zip(got.labels, got.starts, got.ends, strict=True)
        names = [(int(n), tuple(a.tolist()), tuple(b.tolist())) for n, a, b in both]
        assert set(names) == boxes_of(mask)
        count = sum(ndimage.label(mask == n)[1] for n in range(1, labels))
        assert len(names) == count


def test_spirals_are_one_region():
    mask = np.ones((9, 9), np.uint8)
    mask[1::2, :-1] = 0
    mask[3::4, 0], mask[3::4, -1] = 1, 0
    got = find_regions(mask, 0)
    assert len(got) == ndimage.label(mask)[1]


@pytest.mark.parametrize("form", ["anchor_shape", "start_end", "box"])
def test_objects_are_picked(form):
    out = ndd.segmentation.random_object_bbox(
        ndd.batch([MASK] * 90), format=form, output_class=True, key=jax.random.key(1)
    )
    parts = [arrays(o) for o in out]
    known = boxes_of(MASK)
    seen = []
    for *box, label in zip(*parts, strict=True):
        flat = np.concatenate(box)
        start, end = flat[:2], flat[2:] + (flat[:2] if form == "anchor_shape" else 0)
        seen.append((int(label), tuple(start.tolist()), tuple(end.tolist())))
    assert set(seen) == known
    # Classes are equally likely, then their objects.
    assert 30 < sum(label == 2 for label, _, _ in seen) < 60


def test_options_of_object_boxes():
    def picked(**given):
        out = ndd.segmentation.random_object_bbox(
            MASK, format="box", output_class=True, key=jax.random.key(2), **given
        )
        return [np.asarray(o).tolist() for o in out]

    assert picked(classes=[2]) == [[7, 1, 11, 4], 2]
    assert picked(classes=[1], k_largest=1) == [[2, 3, 5, 9], 1]
    assert picked(class_weights=[0.0, 1.0]) == [[7, 1, 11, 4], 2]
    assert picked(classes=[1, 2], class_weights=[0.0, 1.0]) == [[7, 1, 11, 4], 2]
    assert picked(threshold=[4, 3]) == [[7, 1, 11, 4], 2]
    assert picked(threshold=3, classes=[1]) == [[2, 3, 5, 9], 1]
    whole = [[0, 0, 12, 14], 0]
    assert picked(foreground_prob=0.0) == picked(classes=[7]) == picked(threshold=[9, 9]) == whole
    assert picked(background=1, classes=[2]) == [[7, 1, 11, 4], 2]
    one, _ = ndd.segmentation.random_object_bbox(MASK == 2, ignore_class=True)
    assert np.asarray(one).tolist() == [7, 1]


@pytest.mark.parametrize(
    ("mask", "given", "text"),
    [
        (MASK.astype(np.float32), {}, "float32"),
        (MASK, {"format": "corners"}, "format='corners'"),
        (MASK, {"k_largest": 0}, "k_largest=0"),
        (MASK, {"ignore_class": True, "classes": [1]}, "ignore_class cannot"),
        (MASK, {"classes": [1, 2], "class_weights": [1.0]}, "2 classes and 1"),
        (MASK, {"classes": [1], "background": 1}, "among the classes"),
        (MASK, {"class_weights": [-1.0]}, "class_weights="),
    ],
)
def test_errors_of_object_boxes(mask, given, text):
    with pytest.raises(ndd.OperatorError, match=f"random_object_bbox: .*{text}"):
        ndd.segmentation.random_object_bbox(mask, **given)[0].evaluate()


def test_pixels():
    masks = [MASK, MASK[:8, :10], (MASK == 2).astype(np.int32), np.zeros((2, 3), np.int32)] * 8

    def pick(batch, value, keys):
        return (
            ndd.segmentation.random_mask_pixel(batch, foreground=1, key=keys),
            ndd.segmentation.random_mask_pixel(batch, foreground=1, value=value, key=keys),
        )

    keys = ndd.batch(jax.random.key_data(jax.random.split(jax.random.key(5), len(masks))))
    values = ndd.batch([2] * len(masks))
    got = [arrays(g) for g in pick(ndd.batch(masks), values, keys)]
    for mask, above, two in zip(masks, *got, strict=True):
        assert mask[tuple(above)] > 0 or not mask.any()
        assert mask[tuple(two)] == 2 or not (mask == 2).any()
    assert len({tuple(p) for p in got[0]}) > 15
    # What lies outside the masks in their slots would be foreground.
    slots = padded(masks, (12, 14), fill=9, layout="HW")
    for a, b in zip(got, jax.jit(pick)(slots, values, keys), strict=True):
        np.testing.assert_array_equal(a, arrays(b))


def test_all_pixels_are_equally_likely():
    mask = ndd.batch([np.zeros((2, 3), np.int32)] * 600)
    got = np.stack(arrays(ndd.segmentation.random_mask_pixel(mask, key=jax.random.key(1))))
    counts = np.bincount(got[:, 0] * 3 + got[:, 1], minlength=6)
    assert counts.min() > 70
    assert counts.max() < 130


def test_pixel_options():
    pixel = ndd.segmentation.random_mask_pixel
    assert pixel(MASK).dtype == ndd.int64
    values = np.array([[0.1, 0.7], [0.3, 0.2]], np.float32)
    assert np.asarray(pixel(values, foreground=1, threshold=0.5)).tolist() == [0, 1]
    with pytest.raises(ndd.OperatorError, match="value and threshold"):
        pixel(MASK, value=1, threshold=1.0).evaluate()
    with pytest.raises(ndd.OperatorError, match="no pixels"):
        pixel(np.zeros((0, 3), np.int32)).evaluate()


POLYGONS = np.array([[0, 0, 2], [1, 2, 4], [0, 4, 5]], np.int32)
VERTICES = np.arange(10, dtype=np.float32).reshape(5, 2)


@pytest.mark.parametrize(
    ("ids", "again", "table", "rows"),
    [
        ([0], False, [[0, 0, 2], [0, 2, 3]], [0, 1, 4]),
        ([1, 0], True, [[0, 0, 2], [1, 2, 4], [1, 4, 5]], [2, 3, 0, 1, 4]),
        ([], False, np.zeros((0, 3)), []),
    ],
)
def test_masks_are_selected(ids, again, table, rows):
    kept, points = ndd.segmentation.select_masks(
        np.array(ids, np.int32), POLYGONS, VERTICES, reindex_masks=again
    )
    np.testing.assert_array_equal(np.asarray(kept), table)
    np.testing.assert_array_equal(np.asarray(points), VERTICES[rows])


def test_masks_of_a_batch():
    ids = ndd.batch([np.array([1], np.int32), np.array([0, 1], np.int32)])
    kept, points = ndd.segmentation.select_masks(
        ids, ndd.batch([POLYGONS] * 2), ndd.batch([VERTICES] * 2, layout="NC")
    )
    assert kept.shape == [(1, 3), (3, 3)]
    assert points.shape == [(2, 2), (5, 2)]
    assert points.layout == "NC"


@pytest.mark.parametrize(
    ("ids", "polygons", "text"),
    [
        ([5], POLYGONS, "mask 5 is not"),
        ([1, 1], POLYGONS, "twice"),
        ([1], [[1, 2, 9]], r"vertices \[2, 9\)"),
        ([1], [[1, 3, 2]], r"vertices \[3, 2\)"),
        ([1], [[1, 3, 2, 0]], "4 columns"),
    ],
)
def test_errors_of_masks_are_raised_by_the_call(ids, polygons, text):
    with pytest.raises(ndd.OperatorError, match=f"select_masks: .*{text}"):
        ndd.segmentation.select_masks(
            np.array(ids, np.int32), np.array(polygons, np.int32), VERTICES
        )
