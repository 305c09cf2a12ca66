"""Each augmentation against its formula, and the strengths of the bins."""

import numpy as np
import pytest
from PIL import Image, ImageOps
from support.samples import noise

import dynjax as ndd
from dynjax._auto_aug.augmentations import AUGMENTATIONS, Border
from dynjax._auto_aug.policies import POLICIES, steps_of
from dynjax._auto_aug.suites import AUTO, RAND, TRIVIAL_WIDE
from dynjax._types.enums import DALIInterpType

IMAGES = noise(0, (2, 6, 8, 3)) // 2 + 40
NEAREST = Border(7, DALIInterpType.INTERP_NN)
LUMA = np.array([0.299, 0.587, 0.114])


def augmented(name, parameter, images=IMAGES, layout="HWC"):
    values = np.full(len(images), parameter, np.float32)
    return np.asarray(AUGMENTATIONS[name](ndd.batch(images, layout=layout), values, NEAREST))


def clipped(x):
    return np.clip(x, 0, 255)


def close(got, wanted):
    np.testing.assert_allclose(got, clipped(wanted), rtol=0, atol=0.502)


def test_bits():
    x = IMAGES.astype(int)
    np.testing.assert_array_equal(augmented("invert", 0), 255 - x)
    np.testing.assert_array_equal(augmented("posterize", 3.2), x & 0b11100000)
    np.testing.assert_array_equal(augmented("posterize", 0), x & 0b10000000)
    np.testing.assert_array_equal(augmented("posterize", 8), x)
    np.testing.assert_array_equal(augmented("solarize", 99.5), np.where(x < 99.5, x, 255 - x))
    np.testing.assert_array_equal(augmented("solarize_add", 44), np.where(x < 128, x + 44, x))
    for got, image in zip(augmented("posterize", 3), IMAGES, strict=True):
        np.testing.assert_array_equal(got, ImageOps.posterize(Image.fromarray(image), 3))


@pytest.mark.parametrize("layout", ["HWC", "FHWC"])
def test_colours(layout):
    images = IMAGES if layout == "HWC" else IMAGES[None]
    x = IMAGES.astype(np.float64)
    given = images.astype(np.uint8)
    close(np.reshape(augmented("brightness", 1.7, given, layout), x.shape), x * 1.7)
    center = (x.mean((1, 2), keepdims=True) * LUMA).sum(-1, keepdims=True)
    got = np.reshape(augmented("contrast", 0.3, given, layout), x.shape)
    close(got, center + (x - center) * 0.3)
    low, high = x.min((1, 2), keepdims=True), x.max((1, 2), keepdims=True)
    got = np.reshape(augmented("auto_contrast", 0, given, layout), x.shape)
    close(got, (x - low) * 255 / (high - low))
    assert got.min() == 0
    assert got.max() == 255


def test_a_flat_image_keeps_its_contrast():
    flat = np.full((1, 4, 4, 3), 90, np.uint8)
    np.testing.assert_array_equal(augmented("auto_contrast", 0, flat), flat)
    np.testing.assert_array_equal(augmented("auto_contrast", 0, flat[None], "FHWC"), flat[None])


def test_sharpness():
    x = IMAGES.astype(np.float64)
    window = [[1, 1, 1], [1, 5, 1], [1, 1, 1]]
    moved = [x[:, i : i + 4, j : j + 6] * window[i][j] for i in range(3) for j in range(3)]
    blurred, inner = sum(moved) / 13, x[:, 1:-1, 1:-1]
    for factor in (0.0, 0.4, 1.0, 1.9):
        wanted = blurred + factor * (inner - blurred)
        close(augmented("sharpness", factor)[:, 1:-1, 1:-1], wanted)
    np.testing.assert_array_equal(augmented("color", 1.0), IMAGES)


def test_geometry():
    shifted = np.full_like(IMAGES, 7)
    shifted[:, :, 2:] = IMAGES[:, :, :-2]
    np.testing.assert_array_equal(augmented("translate_x", 2), shifted)
    np.testing.assert_array_equal(augmented("translate_x_share", 0.25), shifted)
    shifted = np.full_like(IMAGES, 7)
    shifted[:, :-3] = IMAGES[:, 3:]
    np.testing.assert_array_equal(augmented("translate_y", -3), shifted)
    np.testing.assert_array_equal(augmented("translate_y_share", -0.5), shifted)
    # A unit shear moves row y by the height of its centre, rounded down: y + 0.5 -> y.
    sheared = augmented("shear_x", 1.0 - 1e-3)
    for y in range(6):
        np.testing.assert_array_equal(sheared[:, y, y:], IMAGES[:, y, : 8 - y])
    square = IMAGES[:, :, :6]
    np.testing.assert_array_equal(augmented("rotate", 90, square), np.rot90(square, axes=(1, 2)))


def test_strengths_of_the_bins():
    plain, minus = np.zeros(3, np.int32), np.ones(3, np.int32)
    ends = np.array([0, 15, 30], np.int32)

    def of(suite, name, sign=plain, bins=ends, count=31):
        return suite[name].parameters(bins, sign, count).round(4).tolist()

    assert of(RAND, "rotate", minus) == [0, -15, -30]
    assert of(RAND, "color", minus) == pytest.approx([1, 0.55, 0.1])
    assert of(RAND, "posterize") == [8, 6, 4]
    assert of(RAND, "solarize", minus) == [256, 128, 0]
    assert of(TRIVIAL_WIDE, "shear_y", minus) == pytest.approx([0, -0.495, -0.99])
    assert of(TRIVIAL_WIDE, "brightness") == pytest.approx([1.01, 1.5, 1.99])
    assert of(TRIVIAL_WIDE, "rotate") == [0, 67.5, 135]
    tenths = np.array([0, 5, 10], np.int32)
    assert of(AUTO, "contrast", minus, tenths, 11) == pytest.approx([0.1, 1, 1.9])
    assert of(AUTO, "solarize_add", minus, tenths, 11) == [0, 55, 110]


@pytest.mark.parametrize("name", POLICIES)
def test_policies(name):
    sequences = steps_of(POLICIES[name])
    assert len(sequences) == 25
    for sequence in sequences:
        assert 1 <= len(sequence) <= 2
        for step, probability, magnitude in sequence:
            assert step in AUTO or step in ("translate_x", "translate_y")
            assert 0 < probability <= 1
            assert 0 <= magnitude <= 10
