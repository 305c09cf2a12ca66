"""`hue`, `saturation`, `hsv`, `color_twist`, `color_space_conversion` against float64 matrices."""

import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import types

IMAGES = [noise(0, (5, 7, 3)), noise(1, (9, 33, 3)), noise(2, (1, 4, 3))]
YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])


def twisted(x, hue=0.0, saturation=1.0, brightness=1.0, contrast=1.0):
    h = np.deg2rad(hue)
    turn = np.array([[1, 0, 0], [0, np.cos(h), np.sin(h)], [0, -np.sin(h), np.cos(h)]])
    matrix = np.linalg.inv(YIQ) @ turn @ np.diag([1, saturation, saturation]) @ YIQ
    half = 0.5 if x.dtype.kind == "f" else 128
    return brightness * (half + contrast * (x.astype(np.float64) @ matrix.T - half))


def check(out, wanted, atol=0.502):
    for got, want in zip(arrays(out), wanted, strict=True):
        if got.dtype == np.uint8:
            want = np.clip(want, 0, 255)
        np.testing.assert_allclose(got, want, rtol=0, atol=atol)


@pytest.mark.parametrize("name", ["hue", "saturation", "hsv", "color_twist"])
def test_formula(name):
    given = {
        "hue": {"hue": 40.0},
        "saturation": {"saturation": 1.7},
        "hsv": {"hue": -95.0, "saturation": 0.6, "value": 0.9},
        "color_twist": {"hue": 20.0, "saturation": 1.3, "brightness": 0.8, "contrast": 1.2},
    }[name]
    out = getattr(ndd, name)(ndd.batch(IMAGES, layout="HWC"), **given)
    arguments = {("brightness" if k == "value" else k): v for k, v in given.items()}
    check(out, [twisted(x, **arguments) for x in IMAGES])


@pytest.mark.parametrize("dtype", ["int16", "int32", "float16", "float32"])
def test_types(dtype):
    image = noise(3, (4, 9, 3)).astype(dtype)
    out = ndd.color_twist(ndd.tensor(image, layout="HWC"), hue=30.0, contrast=1.5)
    assert out.dtype == getattr(ndd, dtype)
    check(out, [twisted(image, hue=30.0, contrast=1.5)], 0.51 if dtype != "float32" else 2e-3)


def test_hsv_makes_bytes_unless_told_otherwise():
    image = ndd.tensor(noise(4, (3, 4, 3), "float32") * 200, layout="HWC")
    assert ndd.hsv(image).dtype == ndd.uint8
    assert ndd.hsv(image, dtype=ndd.float32).dtype == ndd.float32


def test_values_of_each_sample_and_frame():
    batch = ndd.batch(IMAGES, layout="HWC")
    hues = np.float32([0.0, 60.0, 180.0])
    out = ndd.hue(batch, hue=ndd.batch(hues))
    check(out, [twisted(x, hue=h) for x, h in zip(IMAGES, hues, strict=True)])
    video = noise(5, (3, 4, 5, 3))
    out = ndd.hue(ndd.tensor(video, layout="FHWC"), hue=ndd.per_frame(ndd.tensor(hues)))
    check(out, [np.stack([twisted(v, hue=h) for v, h in zip(video, hues, strict=True)])])


def test_images_of_other_channels_are_refused():
    with pytest.raises(RuntimeError, match="hsv: the input has 1 channels; expected 3"):
        ndd.hsv(ndd.tensor(np.zeros((2, 2, 1), np.uint8), layout="HWC")).evaluate()


def luma(x):
    return x @ [0.299, 0.587, 0.114]


def to_ycbcr(x):
    """ITU-R BT.601, from the definition of luma and of scaled colour differences."""
    y, (r, _, b) = luma(x), np.moveaxis(x, -1, 0)
    blue, red = (b - y) / 1.772, (r - y) / 1.402
    return np.stack([16 + y * 219 / 255, 128 + blue * 224 / 255, 128 + red * 224 / 255], -1)


def from_ycbcr(x):
    y, blue, red = np.moveaxis(x.astype(np.float64), -1, 0)
    y = (y - 16) * 255 / 219
    b, r = y + (blue - 128) * 255 / 224 * 1.772, y + (red - 128) * 255 / 224 * 1.402
    return np.stack([r, (y - 0.299 * r - 0.114 * b) / 0.587, b], -1)


CONVERSIONS = {
    ("RGB", "GRAY"): lambda x: luma(x)[..., None],
    ("BGR", "GRAY"): lambda x: luma(x[..., ::-1])[..., None],
    ("RGB", "BGR"): lambda x: x[..., ::-1],
    ("BGR", "RGB"): lambda x: x[..., ::-1],
    ("RGB", "YCbCr"): to_ycbcr,
    ("YCbCr", "BGR"): lambda x: from_ycbcr(x)[..., ::-1],
    ("YCbCr", "GRAY"): lambda x: ((x - 16.0) * 255 / 219)[..., :1],
    ("GRAY", "RGB"): lambda x: np.repeat(x, 3, -1),
    ("GRAY", "YCbCr"): lambda x: np.stack(
        [16 + x[..., 0] * (219 / 255), *[np.full(x.shape[:-1], 128.0)] * 2], -1
    ),
}


@pytest.mark.parametrize(("source", "target"), CONVERSIONS)
def test_conversions(source, target):
    images = [x[..., :1].copy() if source == "GRAY" else x for x in IMAGES]
    out = ndd.color_space_conversion(
        ndd.batch(images, layout="HWC"),
        image_type=getattr(types, source),
        output_type=getattr(types, target),
    )
    # The published matrices have three decimals: a hundredth of a count.
    check(out, [CONVERSIONS[source, target](x) for x in images], 0.52)


def test_what_cannot_be_converted():
    image = ndd.tensor(IMAGES[0], layout="HWC")
    with pytest.raises(RuntimeError, match="both RGB; expected two different spaces"):
        ndd.color_space_conversion(image, image_type=types.RGB, output_type=types.RGB).evaluate()
    with pytest.raises(RuntimeError, match="has 3 channels; expected 1"):
        ndd.color_space_conversion(image, image_type=types.GRAY, output_type=types.RGB).evaluate()
    with pytest.raises(TypeError, match="output_type"):
        ndd.color_space_conversion(image, image_type=types.RGB)
