"""`bbox_rotate` against boxes around turned corners, and against what `rotate` draws."""

import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd

LTRB = np.array([[0.1, 0.2, 0.5, 0.6], [0.3, 0.1, 0.9, 0.8]], np.float32)
HEIGHT, WIDTH = 100, 200


def turned(box, degrees, image, canvas):
    """The corners of a box in pixels, turned about the centre, counter-clockwise as displayed."""
    x, y = box[[0, 2, 2, 0]], box[[1, 1, 3, 3]]
    plane = (x - image[0] / 2) - 1j * (y - image[1] / 2)  # y points up here
    plane = plane * np.exp(1j * np.deg2rad(degrees))
    return plane.real + canvas[0] / 2, -plane.imag + canvas[1] / 2


@pytest.mark.parametrize("angle", [0.0, 30.0, -75.0, 90.0, 200.0])
@pytest.mark.parametrize("mode", ["expand", "fixed", "halfway"])
@pytest.mark.parametrize("layout", ["xyXY", "xyWH"])
def test_formula(angle, mode, layout):
    canvas = np.asarray(
        ndd.rotate(ndd.tensor(np.zeros((HEIGHT, WIDTH, 1), np.uint8), layout="HWC"), angle=angle)
    ).shape[1::-1]
    given = LTRB.copy()
    if layout == "xyWH":
        given[:, 2:] -= given[:, :2]
    got = np.asarray(
        ndd.bbox_rotate(
            *(given,), angle=angle, input_shape=[HEIGHT, WIDTH], mode=mode, bbox_layout=layout
        )
    )
    for box, one in zip(LTRB * [WIDTH, HEIGHT, WIDTH, HEIGHT], got, strict=True):
        x, y = turned(box, angle, (WIDTH, HEIGHT), canvas)
        around = np.array([x.min(), y.min(), x.max(), y.max()])
        half = (box[2:] - box[:2]) / 2
        if round(angle / 90) % 2:  # nearer to a quarter turn
            half = half[::-1]
        middle = np.array([x.mean(), y.mean()])
        fixed = np.concatenate([middle - half, middle + half])
        wanted = {"expand": around, "fixed": fixed, "halfway": (around + fixed) / 2}[mode]
        wanted = np.clip(wanted / [*canvas, *canvas], 0, 1)
        if layout == "xyWH":
            wanted[2:] -= wanted[:2]
        np.testing.assert_allclose(one, wanted, rtol=0, atol=1e-5)


def test_pixels_and_given_canvas():
    box = np.array([[50, 20, 150, 60]], np.float32)
    given = {"input_shape": [WIDTH, HEIGHT], "shape_layout": "WH", "bbox_normalized": False}
    x, y = turned(box[0], 45, (WIDTH, HEIGHT), (120, 140))
    got = ndd.bbox_rotate(box, angle=45.0, size=[140, 120], remove_threshold=0.0, **given)
    wanted = np.array([[max(x.min(), 0), max(y.min(), 0), min(x.max(), 120), min(y.max(), 140)]])
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=0, atol=1e-3)
    kept = ndd.bbox_rotate(box, angle=180.0, keep_size=True, **given)
    np.testing.assert_allclose(np.asarray(kept), [[50, 40, 150, 80]], rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    ("shape_layout", "wanted"),
    [
        ("WH", [0.45575, 0.16142856, 0.72575, 0.47357145]),
        ("HW", [0.463125, 0.09371428, 0.688125, 0.4682857]),
    ],
)
def test_size_is_height_and_width_in_any_layout(shape_layout, wanted):
    """Recorded from the original."""
    box = np.array([[0.441, 0.026, 0.801, 0.463]], np.float32)
    given = {"input_shape": [60, 50], "size": [70, 80], "shape_layout": shape_layout}
    got = np.asarray(ndd.bbox_rotate(box, angle=0.0, **given))
    np.testing.assert_allclose(got, [wanted], rtol=0, atol=1e-6)


def test_boxes_that_leave_the_canvas_are_dropped_with_their_labels():
    boxes, labels = ndd.bbox_rotate(
        ndd.batch([LTRB, LTRB[:1], LTRB[:0]]),
        ndd.batch([np.array([5, 6], np.int32), np.array([7], np.int32), np.zeros(0, np.int32)]),
        angle=ndd.batch([45.0, 0.0, 10.0]),
        input_shape=[HEIGHT, WIDTH],
        keep_size=True,
        remove_threshold=0.8,
    )
    assert [a.tolist() for a in arrays(labels)] == [[5], [7], []]
    assert boxes.shape == [(1, 4), (1, 4), (0, 4)]
    np.testing.assert_allclose(arrays(boxes)[1], LTRB[:1], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"mode": "twist"}, "mode='twist'"),
        ({"bbox_layout": "xy"}, "bbox_layout='xy'"),
        ({"remove_threshold": 1.0}, "remove_threshold=1.0"),
        ({"size": [1]}, "size has 1 values; expected a height"),
        ({"shape_layout": "AB"}, "shape_layout='AB'"),
    ],
)
def test_errors(given, text):
    with pytest.raises(ndd.OperatorError, match=f"bbox_rotate: .*{text}"):
        ndd.bbox_rotate(LTRB, angle=1.0, input_shape=[9, 9], **given).evaluate()
    with pytest.raises(ndd.OperatorError, match="2 boxes and 1 labels"):
        ndd.bbox_rotate(LTRB, np.zeros(1, np.int32), angle=1.0, input_shape=[9, 9])[0].evaluate()
