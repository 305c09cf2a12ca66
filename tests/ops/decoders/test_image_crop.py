"""Decoding a part of a picture gives the pixels that the whole picture has there."""

import io

import jax
import numpy as np
import pytest
from PIL import Image
from support.encoded import cut, encoded
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import types


@pytest.fixture(scope="module")
def picture(photos):
    return np.asarray(Image.open(io.BytesIO(photos[1])).convert("RGB"))


def windows(height, width):
    """Parts at corners, edges and block boundaries: first row, first column, height, width."""
    yield from [
        (0, 0, height, width), (0, 0, 1, 1), (height - 1, width - 1, 1, 1), (16, 16, 16, 16),
        (15, 17, 18, 15), (0, 31, height, 3), (33, 0, 2, width), (height - 20, 8, 20, 9),
        (1, 1, height - 2, width - 2), (height // 2, width // 3, 37, 41),
    ]  # fmt: skip


def parts(data, windows_, **options):
    """Each of the windows by `image_slice`, in one batch."""
    batch = ndd.batch([data] * len(windows_))
    table = np.array(windows_, np.int32)
    out = ndd.decoders.image_slice(
        batch, start=ndd.batch(table[:, :2]), shape=ndd.batch(table[:, 2:]), axes=[0, 1], **options
    )
    return arrays(out)


def check(data, **options):
    whole = np.asarray(ndd.decoders.image(data, **options))
    chosen = list(windows(*whole.shape[:2]))
    for (y, x, h, w), got in zip(chosen, parts(data, chosen, **options), strict=True):
        np.testing.assert_array_equal(got, whole[y : y + h, x : x + w], err_msg=f"{(y, x, h, w)}")


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0", "4:1:1"])
@pytest.mark.parametrize(
    "options", [{}, {"progressive": True}, {"restart_marker_blocks": 5}], ids=str
)
def test_jpeg_codings(picture, subsampling, options):
    check(encoded(picture, "JPEG", subsampling=subsampling, quality=70, **options))


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_jpeg_colour_spaces(picture, mode):
    data = encoded(Image.fromarray(picture).convert(mode), "JPEG")
    check(data)
    if mode == "CMYK":
        check(data, output_type=types.ANY_DATA)


@pytest.mark.parametrize("kind", ["PNG", "BMP"])
@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "I;16"])
def test_lossless(picture, kind, mode):
    image = Image.fromarray(picture)
    if mode == "I;16":
        if kind == "BMP":
            pytest.skip("BMP has 8 bits")
        image = Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)
    else:
        image = image.convert(mode)
    check(encoded(image, kind))


@pytest.mark.parametrize("output", [types.GRAY, types.BGR, types.YCbCr])
def test_output_types(picture, output):
    for kind in ("JPEG", "PNG"):
        check(encoded(picture, kind), output_type=output)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_window_is_one_of_the_upright_picture(picture, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    for kind in ("JPEG", "PNG"):
        check(encoded(picture[:90, :130], kind, exif=exif))
    check(encoded(picture[:90, :130], "JPEG", exif=exif), adjust_orientation=False)


@pytest.mark.parametrize("dtype", [ndd.float32, ndd.uint16])
def test_dtypes(picture, dtype):
    check(encoded(picture, "JPEG"), dtype=dtype)


@pytest.mark.parametrize("size", [(1, 1), (7, 9), (17, 33), (40, 8)])
def test_small_pictures(size):
    data = encoded(noise(1, (*size, 3)), "JPEG", subsampling="4:2:0")
    whole = np.asarray(ndd.decoders.image(data))
    every = [
        (y, x, h, w)
        for y in range(0, size[0], 3)
        for x in range(0, size[1], 5)
        for h in {1, size[0] - y}
        for w in {1, size[1] - x}
    ]
    for (y, x, h, w), got in zip(every, parts(data, every), strict=True):
        np.testing.assert_array_equal(got, whole[y : y + h, x : x + w], err_msg=f"{(y, x, h, w)}")


def test_arguments_are_those_of_crop_and_slice(photos):
    batch = ndd.batch([np.frombuffer(p, np.uint8) for p in photos[:4]])
    whole = ndd.decoders.image(batch)
    x = np.array([0.0, 0.25, 0.8, 1.0], np.float32)
    for how in ({"crop": [20, 30]}, {"crop_h": 15.0, "crop_w": 11.0, "rounding": "truncate"}):
        got = ndd.decoders.image_crop(batch, crop_pos_x=ndd.batch(x), crop_pos_y=0.3, **how)
        wanted = ndd.crop(whole, crop_pos_x=ndd.batch(x), crop_pos_y=0.3, **how)
        assert got.layout == "HWC"
        for a, b in zip(arrays(got), arrays(wanted), strict=True):
            np.testing.assert_array_equal(a, b)
    for inputs, how in (
        (([0.25, 0.1], [0.5, 0.5]), {}),
        ((), {"rel_start": [0.2], "rel_end": [0.9], "axis_names": "W"}),
        (([3, 5], [20, 10]), {"axes": [0, 1]}),
    ):
        got = ndd.decoders.image_slice(batch, *inputs, **how)
        for a, b in zip(arrays(got), arrays(ndd.slice(whole, *inputs, **how)), strict=True):
            np.testing.assert_array_equal(a, b)


def test_one_file_with_windows_for_many(picture):
    data = encoded(picture, "JPEG")
    got = ndd.decoders.image_crop(data, crop=[8, 9], crop_pos_x=ndd.batch([0.0, 1.0]))
    wanted = np.asarray(ndd.decoders.image(data))
    a, b = arrays(got)
    np.testing.assert_array_equal(a[:, 0], b[:, 0]) if wanted.shape[1] == 9 else None
    assert a.shape == b.shape == (8, 9, 3)


def test_random_windows_are_those_of_random_crop_generator(photos):
    batch = ndd.batch([np.frombuffer(p, np.uint8) for p in photos[:6]])
    key = jax.random.key(4)
    got = ndd.decoders.image_random_crop(batch, key=key, random_area=[0.1, 0.5])
    sizes = ndd.peek_image_shape(batch)
    windows_ = ndd.random_crop_generator(sizes, key=key, random_area=[0.1, 0.5])
    whole = arrays(ndd.decoders.image(batch))
    for one, image, (y, x), (h, w) in zip(arrays(got), whole, *map(arrays, windows_), strict=True):
        np.testing.assert_array_equal(one, image[y : y + h, x : x + w])


def test_errors(picture):
    data = encoded(picture, "JPEG")
    height = picture.shape[0]
    for text, call in (
        ("does not fit", lambda: ndd.decoders.image_crop(data, crop=[height + 1, 5])),
        ("does not fit", lambda: ndd.decoders.image_slice(data, rel_end=[1.1], axes=[1])),
        ("truncated", lambda: ndd.decoders.image_crop(cut(data), crop=[4, 4], crop_pos_y=1.0)),
        ("'C' is not", lambda: ndd.decoders.image_slice(data, start=[0], axis_names="C")),
        ("is empty", lambda: ndd.decoders.image_random_crop(data, random_area=[0.9, 0.2])),
    ):
        with pytest.raises(ndd.OperatorError, match=text):
            call().evaluate()


def test_the_end_of_the_file_is_not_needed(picture):
    data = encoded(picture, "JPEG")
    whole = np.asarray(ndd.decoders.image(data))
    got = ndd.decoders.image_crop(cut(data, 0.9), crop=[8, 20], crop_pos_y=0.0, crop_pos_x=0.0)
    np.testing.assert_array_equal(np.asarray(got), whole[:8, :20])
