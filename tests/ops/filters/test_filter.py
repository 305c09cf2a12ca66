"""`filter` against a sum over the window, tap by tap."""

import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd

MODES = {
    "reflect_101": "reflect",
    "reflect_1001": "symmetric",
    "wrap": "wrap",
    "clamp": "edge",
    "constant": "constant",
}
RNG = np.random.default_rng(0)
WINDOW = RNG.uniform(-0.2, 0.4, (3, 4)).astype(np.float32)
IMAGES = [noise(0, (10, 12, 3)), noise(1, (4, 5, 3)), noise(2, (3, 9, 3))]


def correlated(image, window, border="reflect_101", anchor=None, fill=0):
    """Two axes first."""
    height, width = window.shape
    a, b = (height // 2, width // 2) if anchor is None else anchor
    before, after = (a, b), (height - 1 - a, width - 1 - b)
    pad = [*zip(before, after, strict=True), *[(0, 0)] * (image.ndim - 2)]
    more = {"constant_values": fill} if border == "constant" else {}
    wide = np.pad(image.astype(np.float64), pad, MODES[border], **more)
    rows, columns = image.shape[:2]
    return sum(
        window[i, j] * wide[i : i + rows, j : j + columns] for i, j in np.ndindex(window.shape)
    )


@pytest.mark.parametrize("border", MODES)
def test_borders(border):
    out = ndd.filter(ndd.batch(IMAGES, layout="HWC"), WINDOW, border=border)
    for got, image in zip(arrays(out), IMAGES, strict=True):
        wanted = correlated(image, WINDOW, border).clip(0, 255)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=0.501)


@pytest.mark.parametrize("dtype", ["uint16", "int16", "float32"])
def test_types_and_layouts(dtype):
    image = noise(3, (2, 9, 8)).astype(dtype)
    out = ndd.filter(ndd.tensor(image, layout="CHW"), WINDOW)
    wanted = np.stack([correlated(plane, WINDOW) for plane in image])
    if dtype == "uint16":
        wanted = wanted.clip(0)
    np.testing.assert_allclose(np.asarray(out), wanted, atol=1e-3 if dtype == "float32" else 0.501)
    out = ndd.filter(ndd.tensor(image, layout="FHW"), WINDOW, dtype=ndd.float32)
    assert out.dtype == ndd.float32


def test_filters_and_anchors_of_each_sample():
    windows = [WINDOW, WINDOW[:1].copy(), RNG.random((5, 2)).astype(np.float32) / 5]
    anchors = [[0, 1], [0, -1], [4, 0]]
    out = ndd.filter(
        ndd.batch(IMAGES, layout="HWC"), ndd.batch(windows), anchor=ndd.batch(np.int32(anchors))
    )
    for got, image, window, (a, b) in zip(arrays(out), IMAGES, windows, anchors, strict=True):
        anchor = (a, window.shape[1] // 2 if b == -1 else b)
        wanted = correlated(image, window, anchor=anchor).clip(0, 255)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=0.501)


def test_valid_mode_and_fill_value():
    image = IMAGES[0]
    tensor = ndd.tensor(image, layout="HWC")
    out = np.asarray(ndd.filter(tensor, WINDOW, mode="valid", dtype=ndd.float32))
    assert out.shape == (8, 9, 3)
    np.testing.assert_allclose(out, correlated(image, WINDOW, anchor=(0, 0))[:8, :9], rtol=1e-4)
    out = ndd.filter(tensor, WINDOW, np.uint8(200), border="constant")
    wanted = correlated(image, WINDOW, "constant", fill=200).clip(0, 255)
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=0, atol=0.501)


@pytest.mark.parametrize(
    ("window", "given", "message"),
    [
        (WINDOW, {"border": "round"}, "border='round'"),
        (WINDOW, {"mode": "full"}, "mode='full'"),
        (WINDOW, {"anchor": 3}, "anchor 3 lies outside a filter of 3 weights"),
        (WINDOW.astype(np.float64), {}, "the filter is float64; expected float32"),
        (WINDOW[0], {}, "the filter 1; expected 2"),
        (np.ones((20, 2), np.float32), {"mode": "valid"}, "20 weights do not fit an extent of 10"),
    ],
)
def test_bad_arguments(window, given, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.filter(ndd.tensor(IMAGES[0], layout="HWC"), window, **given).evaluate()
    with pytest.raises(TypeError, match="inputs"):
        ndd.filter(ndd.tensor(IMAGES[0], layout="HWC"))
