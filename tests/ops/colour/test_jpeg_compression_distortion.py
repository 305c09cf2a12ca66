"""`jpeg_compression_distortion` equals Pillow's encoding and decoding, byte for byte."""

import io

import numpy as np
import pytest
from PIL import Image
from support.samples import arrays

import dynjax as ndd

RNG = np.random.default_rng(0)
SIZES = [(32, 48), (17, 23), (5, 3), (1, 1), (7, 40), (16, 6), (100, 67)]
IMAGES = [RNG.normal(128, 60, (*s, 3)).clip(0, 255).astype(np.uint8) for s in SIZES]


def coded(image, quality):
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=quality, subsampling=2)
    return np.asarray(Image.open(io.BytesIO(file.getvalue())))


@pytest.mark.parametrize("quality", [1, 30, 50, 75, 95, 100])
def test_equals_libjpeg(quality):
    out = ndd.jpeg_compression_distortion(ndd.batch(IMAGES, layout="HWC"), quality=quality)
    for got, image in zip(arrays(out), IMAGES, strict=True):
        np.testing.assert_array_equal(got, coded(image, quality))


def test_quality_of_each_sample_and_frames():
    qualities = [5, 20, 40, 60, 80, 90, 100]
    out = ndd.jpeg_compression_distortion(
        ndd.batch(IMAGES, layout="HWC"), quality=ndd.batch(np.int32(qualities))
    )
    for got, image, quality in zip(arrays(out), IMAGES, qualities, strict=True):
        np.testing.assert_array_equal(got, coded(image, quality))
    video = np.stack([IMAGES[0], IMAGES[0][::-1]])
    out = np.asarray(ndd.jpeg_compression_distortion(ndd.tensor(video, layout="FHWC")))
    for frame, got in zip(video, out, strict=True):
        np.testing.assert_array_equal(got, coded(frame, 50))


def test_quality_is_clamped():
    image = ndd.tensor(IMAGES[1], layout="HWC")
    for given, used in ((-5, 1), (300, 100)):
        out = ndd.jpeg_compression_distortion(image, quality=given)
        np.testing.assert_array_equal(np.asarray(out), coded(IMAGES[1], used))


def test_bad_input():
    with pytest.raises(RuntimeError, match="has 1 channels; expected 3"):
        ndd.jpeg_compression_distortion(
            ndd.tensor(np.zeros((4, 4, 1), np.uint8), layout="HWC")
        ).evaluate()
