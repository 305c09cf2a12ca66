"""User cases: pictures stored sideways are turned upright; shrinking gives predictable pixels."""

import io

import jax
import numpy as np
import pytest
from PIL import Image
from support.samples import arrays

import dynjax as ndd

# Cameras store a rotation beside the pixels ------------------------------------------------

COLOURS = {"R": (255, 0, 0), "G": (0, 255, 0), "B": (0, 0, 255), "W": (255, 255, 255)}
# The corners as displayed, row by row, for the tags 1 to 8.
UPRIGHT = ["RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"]


def sideways(tag) -> np.ndarray:
    """A JPEG file of 16 rows and 24 columns; `tag` may be None, or bytes that are no EXIF block."""
    image = np.zeros((16, 24, 3), np.uint8)
    for name, (y, x) in zip("RGBW", ((0, 0), (0, 16), (8, 0), (8, 16)), strict=True):
        image[y : y + 8, x : x + 8] = COLOURS[name]
    file = io.BytesIO()
    options = {}
    if isinstance(tag, bytes):
        options["exif"] = tag
    elif tag is not None:
        exif = Image.Exif()
        exif[0x0112] = tag
        options["exif"] = exif
    Image.fromarray(image).save(file, "JPEG", quality=95, subsampling=0, **options)
    return np.frombuffer(file.getvalue(), np.uint8)


def corners(image) -> str:
    h, w = image.shape[:2]
    found = ""
    for y, x in ((4, 4), (4, w - 4), (h - 4, 4), (h - 4, w - 4)):
        near = {n: np.abs(image[y, x].astype(int) - c).max() for n, c in COLOURS.items()}
        name = min(near, key=near.__getitem__)
        assert near[name] <= 4
        found += name
    return found


@pytest.mark.parametrize("tag", range(1, 9))
def test_pictures_are_upright(tag):
    file = sideways(tag)
    upright = np.asarray(ndd.decoders.image(file))
    assert upright.shape == ((16, 24, 3) if tag < 5 else (24, 16, 3))
    assert corners(upright) == UPRIGHT[tag - 1]
    stored = np.asarray(ndd.decoders.image(file, adjust_orientation=False))
    assert (stored.shape, corners(stored)) == ((16, 24, 3), "RGBW")
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == list(upright.shape)
    cut = ndd.decoders.image_slice(file, [0.0, 0.0], [0.5, 0.5], axis_names="HW")
    np.testing.assert_array_equal(np.asarray(cut)[4, 4], upright[4, 4])


@pytest.mark.parametrize("tag", [None, 0, 9, b"Exif\0\0damaged", b"Exif\0\0II*\0\xff\xff\xff\xff"])
def test_other_tags_change_nothing(tag):
    image = np.asarray(ndd.decoders.image(sideways(tag)))
    assert (image.shape, corners(image)) == ((16, 24, 3), "RGBW")


# Shrinking, with and without a filter ------------------------------------------------------

ROW = np.arange(0, 256, 32, dtype=np.float32)
DOUBLED = [0, *range(8, 217, 16), 224]
# By width: with the edge pixel repeated, with taps outside dropped, without a filter.
ROWS = {
    3: ([31.256, 112, 192.744], [35.368, 112, 188.632], [26.667, 112, 197.333]),
    4: ([20, 80, 144, 204], [22.857, 80, 144, 201.143], [16, 80, 144, 208]),
    5: (
        [11.52, 61.63, 112, 162.37, 212.48],
        [13.091, 61.630, 112, 162.370, 210.909],
        [9.6, 60.8, 112, 163.2, 214.4],
    ),
    16: (DOUBLED, DOUBLED, DOUBLED),
}
WAYS = [{}, {"border": "renormalize"}, {"antialias": False}]
IMPULSE = np.zeros((9, 9, 1), np.float32)
IMPULSE[4, 4] = 255


def resized(image, size, way):
    """As one image, beside another in a batch, and inside `jit`: one result."""
    call = {"size": size, "interp_type": "INTERP_LINEAR", **way}
    alone = np.asarray(ndd.resize(ndd.tensor(image, layout="HWC"), **call))
    other = np.zeros((3, 20, 1), image.dtype)
    batch = ndd.batch([other, image], layout="HWC")
    np.testing.assert_array_equal(arrays(ndd.resize(batch, **call))[1], alone)
    if size[1] == 3:  # each size compiles
        traced = jax.jit(lambda b: ndd.resize(b, **call))(batch)
        np.testing.assert_array_equal(arrays(traced)[1], alone)
    return alone[..., 0]


@pytest.mark.parametrize("width", ROWS)
@pytest.mark.parametrize("way", range(3))
def test_rows_shrink_as_computed_by_hand(width, way):
    image = np.repeat(ROW[None, :, None], 2, axis=0)
    wanted = np.asarray(ROWS[width][way])
    got = resized(image, (2, width), WAYS[way])
    np.testing.assert_allclose(got, [wanted, wanted], atol=1e-3)
    if way < 2:
        whole = resized(image.astype(np.uint8), (2, width), WAYS[way])
        np.testing.assert_array_equal(whole, [np.rint(wanted)] * 2)


@pytest.mark.parametrize(("way", "peak"), [(0, 28.333), (1, 28.333), (2, 255)])
def test_a_bright_pixel_is_spread(way, peak):
    got = resized(IMPULSE, (3, 3), WAYS[way])
    wanted = np.zeros((3, 3))
    wanted[1, 1] = peak
    np.testing.assert_allclose(got, wanted, atol=1e-3)
    whole = resized(IMPULSE.astype(np.uint8), (3, 3), WAYS[way])
    np.testing.assert_array_equal(whole, np.rint(wanted))
