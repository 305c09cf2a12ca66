"""`paste` and `multi_paste` against assignment to a canvas."""

import jax
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd

IMAGE = noise(1, (4, 6, 3))


@pytest.mark.parametrize("jit", [False, True])
def test_paste(jit):
    samples = [IMAGE, IMAGE[:3, :5]]
    ratios = np.array([1.8, 1.0], np.float32)

    def paste(images, ratio):
        return ndd.paste(images, ratio=ratio, fill_value=[10, 20, 30], paste_x=0.2, paste_y=0.7)

    if jit:
        ratios[:] = 1.8
        got = jax.jit(lambda images: paste(images, 1.8))(ndd.batch(samples, layout="HWC"))
    else:
        got = paste(ndd.batch(samples, layout="HWC"), ndd.batch(ratios))
    for one, image, ratio in zip(arrays(got), samples, ratios, strict=True):
        h, w = image.shape[:2]
        canvas = np.empty((int(ratio * np.float32(h)), int(ratio * np.float32(w)), 3), np.uint8)
        canvas[:] = (10, 20, 30)
        y, x = int(0.7 * (canvas.shape[0] - h)), int(0.2 * (canvas.shape[1] - w))
        canvas[y : y + h, x : x + w] = image
        np.testing.assert_array_equal(one, canvas)


def test_least_canvas_and_one_fill_value():
    got = np.asarray(ndd.paste(IMAGE, ratio=1.0, fill_value=9, min_canvas_size=9.7, paste_x=0.0))
    assert got.shape == (9, 9, 3)
    np.testing.assert_array_equal(got[2:6, :6], IMAGE)
    assert (got[6:] == 9).all()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"ratio": 0.5}, "ratio=0.5"),
        ({"paste_x": 2.0}, "paste_x=2.0"),
        ({"fill_value": [1, 2]}, "fill_value has 2"),
    ],
)
def test_errors_of_paste(given, text):
    with pytest.raises(ndd.OperatorError, match=f"paste: {text}"):
        ndd.paste(IMAGE, **{"ratio": 2.0, "fill_value": 0, **given}).evaluate()
    with pytest.raises(ndd.OperatorError, match="paste: the image is float32"):
        ndd.paste(IMAGE.astype(np.float32), ratio=2.0, fill_value=0).evaluate()


A, B = noise(2, (8, 8, 3)), noise(3, (6, 7, 3))


def test_several_inputs_with_regions():
    given = {
        "output_size": [14, 15], "in_anchors": [[1, 2], [0, 3]], "shapes": [[5, 6], [6, 2]],
        "out_anchors": [[0, 0], [3, 4]],
    }  # fmt: skip
    canvas = np.zeros((14, 15, 3), np.uint8)
    canvas[:5, :6] = A[1:6, 2:8]
    canvas[3:9, 4:6] = B[:, 3:5]
    images = [ndd.batch([x, x], layout="HWC") for x in (A, B)]
    for call in (
        lambda *i: ndd.multi_paste(*i, **given),
        jax.jit(lambda *i: ndd.multi_paste(*i, **given)),
    ):
        for one in arrays(call(*images)):
            np.testing.assert_array_equal(one, canvas)


def test_samples_of_a_batch_and_fractions():
    batch = ndd.batch([A, B], layout="HWC")
    got = ndd.multi_paste(
        batch, in_ids=ndd.batch([[0, 1], [1, 0]]), output_size=[10, 10],
        in_anchors_rel=[[0.25, 0.5], [0.0, 0.0]], shapes_rel=[[0.5, 0.4], [0.3, 0.3]],
        out_anchors_rel=[[0.0, 0.0], [0.45, 0.55]],
    )  # fmt: skip
    for one, (first, second) in zip(arrays(got), ((A, B), (B, A)), strict=True):
        canvas = np.zeros((10, 10, 3), np.uint8)
        for image, at, size, place in (
            (first, (0.25, 0.5), (0.5, 0.4), (0, 0)), (second, (0, 0), (0.3, 0.3), (4, 5)),
        ):  # fmt: skip
            y, x = (int(np.float32(a) * n) for a, n in zip(at, image.shape, strict=False))
            h, w = (
                int(np.ceil(np.float32(s) * n)) for s, n in zip(size, image.shape, strict=False)
            )
            canvas[place[0] : place[0] + h, place[1] : place[1] + w] = image[y : y + h, x : x + w]
        np.testing.assert_array_equal(one, canvas)


# Of a row of 10 pixels, 1 to 10: share, first share, and the pixels that the original takes.
SHARES = [
    (0.31, 0.28, [3, 4, 5, 6]),
    (0.3, 0.0, [1, 2, 3]),
    (0.01, 0.9, [10]),
    (0.71, 0.29, [3, 4, 5, 6, 7, 8, 9, 10]),
    (0.99, 0.0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    (0.0, 0.5, []),
]


@pytest.mark.parametrize(("share", "first", "taken"), SHARES)
@pytest.mark.parametrize("jit", [False, True])
def test_fractions_of_a_shape_are_rounded_up(share, first, taken, jit):
    row = ndd.batch([np.arange(1, 11, dtype=np.uint8).reshape(1, 10, 1)] * 2, layout="HWC")

    def paste(x, shares):
        return ndd.multi_paste(
            x, output_size=[1, 12], shapes_rel=shares, in_anchors_rel=[[0.0, first]]
        )

    shares = ndd.batch(np.float32([[[1, share]], [[1, 0.1]]]))
    got = arrays((jax.jit(paste) if jit else paste)(row, shares))
    assert got[0].ravel().tolist() == taken + [0] * (12 - len(taken))
    assert np.count_nonzero(got[1]) == 1


def test_defaults_and_sequences():
    np.testing.assert_array_equal(np.asarray(ndd.multi_paste(A)), A)
    video = ndd.tensor(np.stack([A, A + 1]), layout="FHWC")
    got = ndd.multi_paste(video, output_size=[9, 9], dtype=ndd.float32)
    assert (got.layout, got.shape, got.dtype) == ("FHWC", (2, 9, 9, 3), ndd.float32)
    np.testing.assert_array_equal(np.asarray(got)[1, :8, :8], A + 1)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, "several sizes"),
        ({"output_size": [9]}, "output_size has 1"),
        ({"output_size": [9, 9], "in_ids": [0]}, "in_ids goes with one input"),
        ({"output_size": [9, 9], "shapes": [[9, 9], [1, 1]]}, "within the image"),
        ({"output_size": [9, 9], "out_anchors": [[5, 5], [0, 0]]}, "a canvas of 9"),
        ({"output_size": [9, 9], "out_anchors": [[0, 0]]}, "out_anchors has 1 rows"),
        ({"output_size": [9, 9], "shapes": [[1, 1]] * 2, "shapes_rel": [[1, 1]] * 2}, "both given"),
    ],
)
def test_errors_of_multi_paste(given, text):
    with pytest.raises(ndd.OperatorError, match=f"multi_paste: .*{text}"):
        ndd.multi_paste(A, B, **given).evaluate()
    with pytest.raises(ndd.OperatorError, match="in_ids names sample 5"):
        ndd.multi_paste(A, in_ids=[5]).evaluate()


def test_different_numbers_of_pasted_images():
    images = ndd.batch([np.full((2, 2, 1), k + 1, np.uint8) for k in range(3)], layout="HWC")
    ids = ndd.batch([np.int32(i) for i in ([0], [1, 2], [])])
    places = ndd.batch([np.int32(p).reshape(-1, 2) for p in ([[0, 1]], [[0, 0], [0, 2]], [])])
    result = ndd.multi_paste(images, in_ids=ids, out_anchors=places, output_size=[2, 4])
    rows = [[0, 1, 1, 0], [2, 2, 3, 3], [0, 0, 0, 0]]
    np.testing.assert_array_equal(np.asarray(result)[:, :, :, 0], [[r, r] for r in rows])
    few = ndd.batch([np.int32([[0, 0]])] * 3)
    with pytest.raises(ndd.OperatorError, match="sample 1: shapes has 1 rows; expected 2"):
        ndd.multi_paste(images, in_ids=ids, shapes=few, output_size=[2, 4]).evaluate()
