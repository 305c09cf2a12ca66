"""`random_bbox_crop`: what it guarantees of windows and boxes."""

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd

BOXES = np.array([[0.1, 0.2, 0.5, 0.6], [0.3, 0.0, 0.9, 0.8]], np.float32)
LABELS = np.array([1, 2], np.int32)
FREE = {"scaling": [0.3, 1.0], "aspect_ratio": [0.5, 2.0], "allow_no_crop": False}


def many(count=64, boxes=BOXES, labels=LABELS, seed=1, **given):
    data = ndd.batch([boxes] * count), ndd.batch([labels] * count)
    out = ndd.random_bbox_crop(*data, key=jax.random.key(seed), **{**FREE, **given})
    return [arrays(o) for o in out]


def overlap(box, anchor, shape):
    low, high = np.maximum(box[:2], anchor), np.minimum(box[2:], anchor + shape)
    common = np.maximum(high - low, 0).prod()
    return common, (box[2:] - box[:2]).prod()


@pytest.mark.parametrize("kind", ["iou", "overlap"])
@pytest.mark.parametrize("every", [True, False])
def test_thresholds_are_reached(kind, every):
    anchors, shapes, _, _ = many(
        thresholds=[0.4], threshold_type=kind, all_boxes_above_threshold=every, num_attempts=5
    )
    for anchor, shape in zip(anchors, shapes, strict=True):
        reached = []
        for box in BOXES:
            common, area = overlap(box, anchor, shape)
            whole = area if kind == "overlap" else area + shape.prod() - common
            reached.append(common / whole >= 0.4 - 1e-5)
        assert all(reached) if every else any(reached)
        assert (anchor >= 0).all()
        assert (anchor + shape <= 1 + 1e-6).all()
        assert shape.min() >= 0.3 - 1e-6
        assert 0.5 - 1e-5 <= shape[0] / shape[1] <= 2 + 1e-5
    assert len({tuple(a) for a in anchors}) > 50


def test_boxes_whose_centre_is_inside_are_kept_and_clipped():
    anchors, shapes, boxes, labels, numbers = many(output_bbox_indices=True, scaling=[0.2, 0.5])
    for anchor, shape, kept, names, which in zip(
        *(anchors, shapes, boxes, labels, numbers), strict=True
    ):
        centre = (BOXES[:, :2] + BOXES[:, 2:]) / 2
        inside = ((centre >= anchor) & (centre <= anchor + shape)).all(axis=1)
        assert inside.any()
        assert which.tolist() == np.flatnonzero(inside).tolist()
        assert names.tolist() == LABELS[inside].tolist()
        moved = (BOXES[inside].reshape(-1, 2, 2) - anchor) / shape
        np.testing.assert_allclose(kept, np.clip(moved, 0, 1).reshape(-1, 4), rtol=0, atol=1e-5)


def test_no_crop_is_one_of_the_choices():
    anchors, shapes, _, _ = many(400, allow_no_crop=True, thresholds=[0.0])
    whole = [(s == 1).all() and not a.any() for a, s in zip(anchors, shapes, strict=True)]
    share = np.mean(whole)
    assert 0.4 < share < 0.6


def test_a_fixed_window_in_pixels():
    anchors, shapes, boxes, _ = many(
        16, crop_shape=[40, 60], input_shape=[100, 200], shape_layout="HW", scaling=None,
        aspect_ratio=None,
    )  # fmt: skip
    for anchor, shape in zip(anchors, shapes, strict=True):
        assert shape.tolist() == [60, 40]
        assert (anchor == np.round(anchor)).all()
        assert (anchor >= 0).all()
        assert (anchor + shape <= [200, 100]).all()
    assert all((b >= 0).all() and (b <= 1).all() for b in boxes)


def test_sizes_are_equal_by_default():
    _, shapes, _, _ = many(16, aspect_ratio=None)
    assert all(abs(s[0] - s[1]) < 1e-6 for s in shapes)


def test_pruning_drops_boxes_that_are_mostly_outside():
    anchors, shapes, _, _, numbers = many(scaling=[0.3, 0.6], bbox_prune_threshold=0.7,
                                          output_bbox_indices=True)  # fmt: skip
    for anchor, shape, which in zip(anchors, shapes, numbers, strict=True):
        assert len(which)
        for box in BOXES[which]:
            common, area = overlap(box, anchor, shape)
            assert common / area >= 0.7 - 1e-5


def test_volumes_and_box_layouts():
    box = np.array([[0.1, 0.2, 0.1, 0.4, 0.4, 0.3]], np.float32)
    anchor, shape, kept = ndd.random_bbox_crop(
        box, bbox_layout="xyzWHD", scaling=[0.6, 0.9], aspect_ratio=[0.5, 2.0], num_attempts=9
    )
    assert anchor.shape == shape.shape == (3,)
    assert kept.shape == (1, 6)


def test_the_same_key_gives_the_same_window_in_any_batch():
    keys = jax.random.split(jax.random.key(3), 3)
    words = ndd.batch(jax.random.key_data(keys))
    together = ndd.random_bbox_crop(ndd.batch([BOXES] * 3), key=words, **FREE)
    alone = ndd.random_bbox_crop(BOXES, key=keys[2], **FREE)
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_array_equal(arrays(a)[2], np.asarray(b))


def test_no_boxes_and_no_samples():
    anchor, _, boxes = ndd.random_bbox_crop(BOXES[:0], **FREE)
    assert anchor.shape == (2,)
    assert boxes.shape == (0, 4)
    out = ndd.random_bbox_crop(ndd.batch(np.zeros((0, 1, 4), np.float32)), **FREE)
    assert [o.batch_size for o in out] == [0, 0, 0]


def test_impossible_wishes_end():
    wish = {**FREE, "thresholds": [1.0], "scaling": [0.1, 0.2]}
    anchor, _, _ = ndd.random_bbox_crop(BOXES, total_num_attempts=20, **wish)
    assert anchor.shape == (2,)
    with pytest.raises(ndd.OperatorError, match="none of 10000 windows fits"):
        ndd.random_bbox_crop(BOXES[:1], **wish)[0].evaluate()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"scaling": [0.9, 0.2]}, "scaling="),
        ({"aspect_ratio": [1.0]}, "aspect_ratio="),
        ({"thresholds": []}, "thresholds="),
        ({"thresholds": [2.0]}, "thresholds="),
        ({"threshold_type": "area"}, "threshold_type='area'"),
        ({"num_attempts": 0}, "num_attempts=0"),
        ({"crop_shape": [4, 6]}, "crop_shape needs input_shape"),
        ({"bbox_layout": "XYxy"}, "bbox_layout='XYxy'"),
    ],
)
def test_errors(given, text):
    with pytest.raises(ndd.OperatorError, match=f"random_bbox_crop: .*{text}"):
        ndd.random_bbox_crop(BOXES, **{**FREE, **given})[0].evaluate()


def test_bad_boxes_are_refused_by_the_call():
    with pytest.raises(ndd.OperatorError, match=r"sample 0 has a box outside \[0, 1\]"):
        ndd.random_bbox_crop(BOXES * 2)
    with pytest.raises(TypeError, match="runs on the host only"):
        jax.jit(lambda b: ndd.random_bbox_crop(b, key=jax.random.key(1)))(BOXES)
