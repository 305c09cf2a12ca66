"""`bbox_paste` against boxes drawn on a canvas."""

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd

LTRB = np.array([[0.1, 0.2, 0.5, 0.6], [0.3, 0.0, 0.9, 0.8]], np.float32)


def on_canvas(corners, ratio, x, y):
    """Corners in pixels of a 1 x 1 image, moved onto a canvas, relative to that."""
    place = np.array([x, y, x, y]) * (ratio - 1)
    return (corners.astype(np.float64) + place) / ratio


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("ltrb", [True, False])
def test_formula(jit, ltrb):
    given = LTRB if ltrb else np.concatenate([LTRB[:, :2], LTRB[:, 2:] - LTRB[:, :2]], axis=1)

    def paste(boxes, ratio):
        return ndd.bbox_paste(boxes, ratio=ratio, paste_x=0.25, paste_y=0.75, ltrb=ltrb)

    samples = [given, given[:1]]
    got = (jax.jit(paste) if jit else paste)(ndd.batch(samples), ndd.batch([2.0, 1.5]))
    for one, n, ratio in zip(arrays(got), (2, 1), (2.0, 1.5), strict=True):
        wanted = on_canvas(LTRB[:n], ratio, 0.25, 0.75)
        if not ltrb:
            wanted[:, 2:] -= wanted[:, :2]
        np.testing.assert_allclose(one, wanted, rtol=0, atol=1e-6)


def test_places_boxes_where_paste_places_the_image():
    image = ndd.tensor(np.full((10, 20, 1), 255, np.uint8), layout="HWC")
    canvas = np.asarray(ndd.paste(image, ratio=2.5, paste_x=0.2, paste_y=0.6, fill_value=0))
    box = ndd.bbox_paste(np.array([[0, 0, 1, 1]], np.float32), ratio=2.5, paste_x=0.2, paste_y=0.6)
    x, y, w, h = np.asarray(box)[0] * [50, 25, 50, 25]
    rows, columns = np.nonzero(canvas[:, :, 0])
    assert (rows.min(), columns.min()) == (round(y), round(x))
    assert (np.ptp(rows) + 1, np.ptp(columns) + 1) == (round(h), round(w))


def test_errors():
    with pytest.raises(ndd.OperatorError, match="bbox_paste: boxes are int32"):
        ndd.bbox_paste(np.ones((1, 4), np.int32), ratio=2.0)
    with pytest.raises(TypeError, match="'ratio' is required"):
        ndd.bbox_paste(LTRB)
