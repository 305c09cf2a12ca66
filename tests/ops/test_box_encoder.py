"""`box_encoder` against matching by loops."""

import math

import jax
import numpy as np
import pytest
from support.samples import arrays, padded

import dynjax as ndd

ANCHORS = np.array(
    [[0, 0, 0.5, 0.5], [0.25, 0, 0.9, 0.75], [0.5, 0.5, 1, 1], [0.1, 0.2, 0.3, 0.9]], np.float32
)
BOXES = np.array([[0.1, 0.2, 0.5, 0.6], [0.3, 0.0, 0.9, 0.8], [0.6, 0.55, 0.95, 0.9]], np.float32)
LABELS = np.array([3, 8, 5], np.int32)


def overlap(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    area = sum((x[2] - x[0]) * (x[3] - x[1]) for x in (a, b))
    return common / (area - common)


def matched(boxes, criteria):
    """For each anchor the number of its box, or None."""
    best = [None] * len(ANCHORS)
    for k, anchor in enumerate(ANCHORS):
        found = [(overlap(box, anchor), i) for i, box in enumerate(boxes)]
        found = [f for f in found if f[0] > criteria]
        best[k] = max(found)[1] if found else None
    for i, box in enumerate(boxes):
        best[max((overlap(box, anchor), k) for k, anchor in enumerate(ANCHORS))[1]] = i
    return best


def centred(box):
    return np.array(
        [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[2] - box[0], box[3] - box[1]]
    )


def expected(boxes, labels, criteria, means=None, stds=None):
    out, classes = [], []
    for anchor, i in zip(ANCHORS, matched(boxes, criteria), strict=True):
        a, b = centred(anchor), centred(anchor if i is None else boxes[i])
        if means is not None:
            off = [(b[0] - a[0]) / a[2], (b[1] - a[1]) / a[3], math.log(b[2] / a[2])]
            off.append(math.log(b[3] / a[3]))
            b = np.zeros(4) if i is None else (np.array(off) - means) / stds
        out.append(b)
        classes.append(0 if i is None else labels[i])
    return np.array(out), np.array(classes)


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("jit", [False, True])
def test_formula(offset, jit):
    means, stds = [0.1, 0.2, 0.0, 0.3], [0.1, 0.1, 0.2, 0.2]

    def encode(boxes, labels):
        return ndd.box_encoder(
            boxes, labels, anchors=ANCHORS.reshape(-1).tolist(), criteria=0.4, offset=offset,
            means=means, stds=stds, scale=3.0,
        )  # fmt: skip

    sizes = (3, 1, 0, 2)
    boxes = ndd.batch([BOXES[:n] for n in sizes], layout="NC")
    got = (jax.jit(encode) if jit else encode)(boxes, ndd.batch([LABELS[:n] for n in sizes]))
    for encoded, classes, n in zip(*map(arrays, got), sizes, strict=True):
        how = (means, stds) if offset else ()
        wanted = expected(BOXES[:n], LABELS[:n], 0.4, *how)
        np.testing.assert_allclose(encoded, wanted[0], rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(classes, wanted[1])


@pytest.mark.parametrize("ndim", [1, 2])
def test_without_layout_inside_jit(ndim):
    """Then the width of a box is data too, and its slot may be wider."""

    def encode(boxes, labels):
        return ndd.box_encoder(boxes, labels, anchors=ANCHORS.reshape(-1).tolist(), criteria=0.4)

    for sizes in ((3, 0, 1), (0, 0)):
        rows = [BOXES[:n] for n in sizes]
        labels = [LABELS[:n].reshape((n, 1)[:ndim]) for n in sizes]
        wanted = encode(ndd.batch(rows), ndd.batch(labels))
        slot = (max(sizes), 4)
        wide = (
            padded(rows, (slot[0] + 1, 6), fill=np.nan, layout=None),
            padded(labels, (slot[0], 3)[:ndim], fill=9, layout=None),
        )
        for given in ((ndd.batch(rows), ndd.batch(labels)), wide):
            for got, want in zip(jax.jit(encode)(*given), wanted, strict=True):
                np.testing.assert_array_equal(got, want)


def test_of_equals_the_last_wins():
    both = np.array([[0, 0, 0.5, 0.5]] * 2, np.float32)
    _, classes = ndd.box_encoder(
        both, np.array([3, 8], np.int32), anchors=ANCHORS.reshape(-1).tolist()
    )
    assert np.asarray(classes).tolist() == [8, 0, 0, 0]
    _, far = ndd.box_encoder(
        np.array([[0.95, 0, 1, 0.05]], np.float32),
        *(np.array([4], np.int32),),
        anchors=[0, 0, 0.5, 0.5, 0, 0.5, 0.5, 1],
    )
    assert np.asarray(far).tolist() == [0, 4]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"anchors": [0.0, 0.0]}, "anchors has 2"),
        ({"criteria": 2.0}, "criteria=2.0"),
        ({"means": [0.0]}, "means has 1"),
        ({"stds": [0.0, 1, 1, 1]}, "stds="),
    ],
)
def test_errors(given, text):
    arguments = {"anchors": [0.0, 0.0, 1.0, 1.0], **given}
    with pytest.raises(ndd.OperatorError, match=f"box_encoder: {text}"):
        ndd.box_encoder(BOXES, LABELS, **arguments)[0].evaluate()
    with pytest.raises(ndd.OperatorError, match="3 boxes and 1 labels"):
        ndd.box_encoder(BOXES, LABELS[:1], anchors=[0.0, 0.0, 1.0, 1.0])[0].evaluate()
