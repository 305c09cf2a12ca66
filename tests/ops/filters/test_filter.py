"""`filter` against a sum over the window, tap by tap."""

import jax
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


def frames_of(seed, frames, size=(3, 3)):
    return np.random.default_rng(seed).uniform(-0.1, 0.4, (frames, *size)).astype(np.float32)


def assert_frames(got, video, windows, **given):
    """Each frame by its own window; in any of the operator's forms."""
    assert len(got) == len(windows)
    for frame, image, window in zip(got, video, windows, strict=True):
        wanted = correlated(image, window, **given).clip(0, 255)
        np.testing.assert_allclose(frame, wanted, rtol=0, atol=0.501)


@pytest.fixture(params=["eager", "jit", "in_jax"])
def form(request):
    """How a call is made: natively, inside `jit`, and in the JAX form."""
    if request.param == "in_jax":
        return request.getfixturevalue("in_jax")
    return jax.jit if request.param == "jit" else lambda call: call


def test_filters_of_each_frame(form):
    videos = [noise(0, (3, 6, 7, 2)), noise(1, (2, 9, 5, 2))]
    windows = [frames_of(0, 3), frames_of(1, 2, (2, 4))]

    def call(data, windows):
        return ndd.filter(data, ndd.per_frame(windows))

    out = form(call)(ndd.batch(videos, layout="FHWC"), ndd.batch(windows))
    assert out.layout == "FHWC"
    for got, video, own in zip(arrays(out), videos, windows, strict=True):
        assert_frames(got, video, own)
    one = form(call)(ndd.tensor(videos[0], layout="FHWC"), ndd.tensor(windows[0]))
    np.testing.assert_array_equal(np.asarray(one), arrays(out)[0])


def test_anchors_and_fill_values_of_each_frame(form):
    video, windows = noise(2, (3, 6, 7)), frames_of(2, 3)
    anchors, fills = np.int32([[0, 0], [1, 2], [2, 1]]), np.uint8([0, 100, 250])

    def call(data, windows, fills):
        return ndd.filter(
            data,
            ndd.per_frame(windows),
            ndd.per_frame(fills),
            anchor=ndd.per_frame(ndd.tensor(anchors)),
            border="constant",
        )

    out = np.asarray(form(call)(ndd.tensor(video, layout="FHW"), windows, fills))
    for f in range(3):
        given = {"anchor": anchors[f], "border": "constant", "fill": fills[f]}
        assert_frames(out[f : f + 1], video[f : f + 1], windows[f : f + 1], **given)


def test_fill_values_alone_of_each_frame(form):
    video, fills = noise(3, (2, 6, 7)), np.uint8([0, 250])

    def call(data, fills):
        return ndd.filter(data, WINDOW, ndd.per_frame(fills), border="constant")

    out = np.asarray(form(call)(ndd.tensor(video, layout="FHW"), fills))
    for f in range(2):
        assert_frames(out[f : f + 1], video[f : f + 1], [WINDOW], border="constant", fill=fills[f])


@pytest.mark.parametrize(("layout", "result"), [("CHW", "FCHW"), ("HW", "FHW"), (None, None)])
def test_images_are_filtered_once_for_each_filter(form, layout, result):
    images = [noise(k, (6 + k, 7)) for k in range(2)]
    if layout == "CHW":
        images = [np.stack([i, i[::-1]]) for i in images]
    windows = [frames_of(4, 3), frames_of(5, 1)]

    def call(data, windows):
        return ndd.filter(data, ndd.per_frame(windows))

    out = form(call)(ndd.batch(images, layout=layout), ndd.batch(windows))
    assert out.layout == result
    for got, image, own in zip(arrays(out), images, windows, strict=True):
        for plane in range(len(image) if layout == "CHW" else 1):
            seen, filtered = (image[plane], got[:, plane]) if layout == "CHW" else (image, got)
            assert_frames(filtered, [seen] * len(own), own)


def test_valid_mode_of_each_frame(form):
    video, windows = noise(6, (2, 6, 7)), frames_of(6, 2)

    def call(data, windows):
        return ndd.filter(data, ndd.per_frame(windows), mode="valid", dtype=ndd.float32)

    out = np.asarray(form(call)(ndd.tensor(video, layout="FHW"), windows))
    wanted = [correlated(i, w)[1:-1, 1:-1] for i, w in zip(video, windows, strict=True)]
    np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-3)


def test_no_frames_and_no_samples():
    out = ndd.filter(ndd.tensor(IMAGES[0], layout="HWC"), ndd.per_frame(frames_of(0, 0)))
    assert (np.asarray(out).shape, out.layout) == ((0, 10, 12, 3), "FHWC")
    videos = ndd.batch(np.zeros((0, 3, 4, 5), np.uint8), layout="FHW")
    out = ndd.filter(videos, ndd.per_frame(ndd.batch(np.zeros((0, 3, 2, 2), np.float32))))
    assert (out.batch_size, out.layout) == (0, "FHW")


def test_filters_of_each_frame_compile_nothing(compiles):
    def call(seed, *shapes):
        videos = [noise(seed, shape) for shape in shapes]
        windows = ndd.batch([frames_of(seed, len(v)) for v in videos])
        ndd.filter(ndd.batch(videos, layout="FHW"), ndd.per_frame(windows)).evaluate()

    call(0, (2, 5, 6), (3, 4, 7))
    with compiles() as seen:
        call(1, (4, 6, 6), (1, 9, 5))
    assert seen.count == 0


@pytest.mark.parametrize(
    ("windows", "fill", "message"),
    [
        (frames_of(0, 2), None, "filter has 2 frames and data 3"),
        (frames_of(0, 1), None, "filter has 1 frames and data 3"),
        (frames_of(0, 3), np.uint8([1, 2]), "fill_value has 2 frames and data 3"),
        (frames_of(0, 3, (1, 2, 2)), None, "and the filter 3; expected 2"),
        (frames_of(0, 3, (3, 0)), None, "the filter is empty"),
        (frames_of(0, 3), np.uint8([[1], [2], [3]]), "fill_value is uint8 with 2 axes"),
    ],
)
def test_frames_that_do_not_fit(windows, fill, message):
    fills = [] if fill is None else [ndd.per_frame(fill)]
    video = ndd.tensor(noise(0, (3, 5, 6)), layout="FHW")
    with pytest.raises(RuntimeError, match=message):
        ndd.filter(video, ndd.per_frame(windows), *fills, border="constant").evaluate()


def test_other_numbers_of_frames_in_a_batch():
    videos = ndd.batch([noise(0, (3, 5, 6)), noise(1, (2, 5, 6))], layout="FHW")
    windows = ndd.per_frame(ndd.batch([frames_of(0, 3)] * 2))
    with pytest.raises(RuntimeError, match="sample 1: filter has 3 frames and data 2"):
        ndd.filter(videos, windows).evaluate()


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
