"""`brightness`, `contrast`, `brightness_contrast` against their formula in float64."""

import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd

IMAGES = [noise(0, (5, 7, 3)), noise(1, (9, 4, 3)), noise(2, (1, 40, 3))]
HALF = {"uint8": 128, "int16": 16384, "int32": 1073741824, "float32": 0.5}
RANGE = {"uint8": 255, "int16": 32767, "int32": 2147483647, "float32": 1}


def reference(x, gain=1.0, shift=0.0, contrast=1.0, center=None, dtype=None):
    out = np.dtype(dtype or x.dtype)
    center = HALF[x.dtype.name] if center is None else center
    value = shift * RANGE[out.name] + gain * (center + contrast * (x.astype(np.float64) - center))
    if out.kind == "f":
        return value
    info = np.iinfo(out)
    return np.clip(value, info.min, info.max)


def check(out, wanted):
    for got, want in zip(arrays(out), wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=0, atol=0.501)


@pytest.mark.parametrize("source", RANGE)
@pytest.mark.parametrize("dtype", RANGE)
def test_formula(source, dtype):
    image = (noise(3, (6, 11, 3), source) / (1 if source == "uint8" else 2)).astype(source)
    out = ndd.brightness_contrast(
        ndd.tensor(image, layout="HWC"),
        brightness=0.75,
        brightness_shift=0.125,
        contrast=0.5,
        dtype=dtype,
    )
    assert (out.dtype, out.layout) == (getattr(ndd, dtype), "HWC")
    wanted = reference(image, 0.75, 0.125, 0.5, dtype=dtype)
    # Half a count, and what float32 sums of this size leave out.
    largest = max(np.abs(wanted).max(), np.abs(image.astype(np.float64)).max(), HALF[source])
    atol = (0.501 if np.dtype(dtype).kind == "i" or dtype == "uint8" else 1e-6) + largest * 2**-21
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=0, atol=atol)


def test_ragged_and_per_sample():
    batch = ndd.batch(IMAGES, layout="HWC")
    gains, centers = [0.5, 1.0, 1.6], [10.0, 100.0, 200.0]
    check(
        ndd.brightness(batch, brightness=ndd.batch(np.float32(gains)), brightness_shift=0.1),
        [reference(x, gain=g, shift=0.1) for x, g in zip(IMAGES, gains, strict=True)],
    )
    check(
        ndd.contrast(batch, contrast=1.5, contrast_center=ndd.batch(np.float32(centers))),
        [reference(x, contrast=1.5, center=c) for x, c in zip(IMAGES, centers, strict=True)],
    )


def test_any_number_of_channels_and_frames():
    video = noise(4, (3, 4, 5, 2))
    out = ndd.brightness(ndd.tensor(video, layout="FHWC"), brightness=1.25)
    check(out, [reference(video, gain=1.25)])
    gains = np.float32([0.5, 1.0, 2.0])
    out = ndd.brightness(
        ndd.tensor(video, layout="FHWC"), brightness=ndd.per_frame(ndd.tensor(gains))
    )
    check(out, [np.stack([reference(v, gain=g) for v, g in zip(video, gains, strict=True)])])


def test_frames_of_samples_with_one_value():
    videos = [noise(5, (4, 4, 5, 2)), noise(6, (2, 3, 5, 2))]
    gains, shifts = [[0.5], [0.75, 1.25]], [[0.1, -0.1, 0.2, 0], [0.05]]
    out = ndd.brightness(
        ndd.batch(videos, layout="FHWC"),
        brightness=ndd.per_frame(ndd.batch([np.float32(g) for g in gains])),
        brightness_shift=ndd.per_frame(ndd.batch([np.float32(s) for s in shifts])),
    )
    every = [(videos[0], gains[0] * 4, shifts[0]), (videos[1], gains[1], shifts[1] * 2)]
    check(
        out,
        [
            np.stack([reference(v, gain=g, shift=s) for v, g, s in zip(*sample, strict=True)])
            for sample in every
        ],
    )


def test_halves_are_rounded_away_from_zero():
    row = ndd.tensor(np.arange(-5, 6, dtype=np.int16).reshape(1, 11, 1), layout="HWC")
    out = np.asarray(ndd.brightness(row, brightness=0.5)).ravel()
    assert out.tolist() == [-3, -2, -2, -1, -1, 0, 1, 1, 2, 2, 3]


def test_values_beyond_the_range_are_clamped():
    row = ndd.tensor(np.uint8([[[0], [255]]]), layout="HWC")
    assert np.asarray(ndd.brightness(row, brightness=2.0)).ravel().tolist() == [0, 255]
    assert np.asarray(ndd.brightness(row, brightness_shift=-2.0)).ravel().tolist() == [0, 0]


@pytest.mark.parametrize(
    ("dtype", "message"),
    [("uint16", "brightness: the input is uint16; expected"), ("bool", "bool")],
)
def test_other_types_are_refused(dtype, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.brightness(ndd.tensor(np.zeros((2, 2, 3), dtype), layout="HWC")).evaluate()


def test_other_layouts_are_refused():
    with pytest.raises(ValueError, match="brightness"):
        ndd.brightness(ndd.tensor(np.zeros((2, 2), np.uint8), layout="HW")).evaluate()
