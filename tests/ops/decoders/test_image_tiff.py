"""`decoders.image` of TIFF files: kinds of pixels, layouts, compressions, parts, bad files."""

import io
import struct
import warnings
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
import pytest
from PIL import Image
from support.encoded import cut, encoded
from support.parts import check_parts
from support.samples import arrays, noise
from support.tiff import PALETTE, SEPARATED, WHITE_IS_ZERO, tiff

import dynjax as ndd
from dynjax import types
from dynjax._native import native

IS_NATIVE = "TIFF" in native.native_formats()
needs_codec = pytest.mark.skipif(not IS_NATIVE, reason="this build leaves TIFF to Pillow")
SHAPE = (45, 37)


def decode(data, **arguments):
    return np.asarray(ndd.decoders.image(data, **arguments))


def pillow(data, mode="RGB"):
    pixels = np.asarray(Image.open(io.BytesIO(data.tobytes())).convert(mode))
    return pixels if pixels.ndim == 3 else pixels[..., None]


def values(bits: int, channels: int, shape=SHAPE) -> np.ndarray:
    """Every channel filled with numbers of so many bits."""
    return noise(bits + channels, (*shape, channels), "uint16") >> (16 - bits)


@pytest.fixture(scope="module")
def picture(photos):
    whole = np.asarray(Image.open(io.BytesIO(photos[1])).convert("RGB"))
    return np.ascontiguousarray(whole[:121, :155])


# Pixels ---------------------------------------------------------------------------------------


@needs_codec
@pytest.mark.parametrize("bits", range(1, 17))
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("layout", [{}, {"planar": True}, {"tile": (16, 32)}], ids=str)
def test_any_number_of_bits(bits, channels, layout):
    stored = values(bits, channels)
    file = tiff(stored, bits=bits, **layout)
    exact = stored / (2**bits - 1)
    for dtype, full in (("uint8", 255), ("uint16", 65535), ("float32", 1)):
        got = decode(file, dtype=dtype, output_type=types.ANY_DATA)
        # Up to 8 bits become 8 at first, which costs half a level of 255; more become 16. Levels
        # of another type are rounded to once more.
        step = full / (255 if bits <= 8 else 65535)
        tolerance = 0.51 * step + (0.501 if step < 1 and dtype != "float32" else 0)
        np.testing.assert_allclose(got, exact * full, rtol=0, atol=tolerance)
    if bits in (8, 16):
        whole = decode(file, dtype=f"uint{bits}", output_type=types.ANY_DATA)
        np.testing.assert_array_equal(whole, stored)
    # Alpha is dropped, grey repeated.
    colour = decode(file)
    own = decode(file, output_type=types.ANY_DATA)
    np.testing.assert_array_equal(
        colour, own[..., :3] if channels > 2 else own[..., :1].repeat(3, axis=2)
    )
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == [*SHAPE, 3]
    kinds = np.asarray(ndd.peek_image_shape(file, image_type=types.ANY_DATA))
    assert kinds.tolist() == [*SHAPE, channels]


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_white_that_is_zero(bits):
    stored = values(bits, 1)
    file = tiff(stored, bits=bits, photometric=WHITE_IS_ZERO)
    full = 2**bits - 1
    np.testing.assert_array_equal(
        decode(file, output_type=types.GRAY), (full - stored) * (255 // full)
    )
    np.testing.assert_array_equal(decode(file), pillow(file))


def test_white_that_is_zero_in_deep_files_is_not_turned_round():
    stored = values(16, 1)
    file = tiff(stored, bits=16, photometric=WHITE_IS_ZERO)
    own = decode(file, dtype="uint16", output_type=types.ANY_DATA)
    np.testing.assert_array_equal(own, stored)


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
@pytest.mark.parametrize("tile", [None, (16, 16)])
def test_palettes(bits, tile):
    stored = values(bits, 1)
    colours = noise(9, (3, 2**bits), "uint16")
    tags = {320: ("H", colours.reshape(-1).tolist())}
    file = tiff(stored, bits=bits, photometric=PALETTE, tags=tags, tile=tile)
    # The upper half of the 16 bits, as Pillow takes it.
    wanted = np.moveaxis(colours >> 8, 0, 1)[stored[..., 0]]
    np.testing.assert_array_equal(decode(file), wanted)
    assert decode(file, output_type=types.ANY_DATA).shape == (*SHAPE, 3)


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("bits", [8, pytest.param(16, marks=needs_codec)])
def test_ink(bits, planar):
    stored = values(bits, 4)
    file = tiff(stored, bits=bits, photometric=SEPARATED, planar=planar)
    full = 2**bits - 1
    light = full - stored.astype(np.float64)
    exact = light[..., :3] * light[..., 3:] / full
    dtype = f"uint{bits}"
    np.testing.assert_allclose(decode(file, dtype=dtype), exact, rtol=0, atol=1)
    own = decode(file, dtype=dtype, output_type=types.ANY_DATA)
    np.testing.assert_array_equal(own, stored)


@needs_codec
@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("order", ["<", ">"])
def test_floats(channels, order):
    stored = (noise(3, (*SHAPE, channels), "uint16") / np.float32(40000) - 0.2).astype(np.float32)
    file = tiff(stored, order=order, tile=(16, 16))
    own = decode(file, dtype="float32", output_type=types.ANY_DATA)
    np.testing.assert_array_equal(own, stored)
    for dtype, full in (("uint8", 255), ("uint16", 65535)):
        exact = np.clip(stored.astype(np.float64), 0, 1) * full
        got = decode(file, dtype=dtype, output_type=types.ANY_DATA)
        np.testing.assert_allclose(got, exact, rtol=0, atol=0.505)


def test_grey_floats_as_bytes():
    stored = (noise(3, (*SHAPE, 1), "uint16") / np.float32(40000) - 0.2).astype(np.float32)
    exact = np.clip(stored.astype(np.float64), 0, 1) * 255
    got = decode(tiff(stored), output_type=types.GRAY)
    np.testing.assert_allclose(got, exact, rtol=0, atol=0.505)


@needs_codec
def test_what_is_not_a_number_is_black():
    stored = np.full((*SHAPE, 1), np.nan, np.float32)
    stored[::2] = np.inf
    got = decode(tiff(stored), output_type=types.GRAY)
    assert (got[::2] == 255).all()
    assert (got[1::2] == 0).all()


def test_a_fourth_sample_that_says_nothing_is_left_out():
    stored = values(8, 4).astype(np.uint8)
    file = tiff(stored, tags={338: ("H", [0])})
    np.testing.assert_array_equal(decode(file, output_type=types.ANY_DATA), stored[..., :3])
    wordless = tiff(stored[..., [0, 1, 2, 3]])
    np.testing.assert_array_equal(decode(wordless, output_type=types.ANY_DATA), stored)


# Layouts and compressions ---------------------------------------------------------------------


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("big", [False, pytest.param(True, marks=needs_codec)])
@pytest.mark.parametrize("compression", ["none", "deflate", "packbits"])
@pytest.mark.parametrize("rows", [1, 7, 45, 100])
def test_strips(order, big, compression, rows):
    stored = values(8, 3).astype(np.uint8)
    file = tiff(stored, order=order, big=big, compression=compression, rows=rows)
    np.testing.assert_array_equal(decode(file), stored)


@pytest.mark.parametrize("tile", [(16, 16), (16, 48), (64, 16), (64, 64)])
@pytest.mark.parametrize("planar", [False, True])
def test_tiles(tile, planar):
    stored = values(8, 3).astype(np.uint8)
    for compression in ("none", "deflate"):
        file = tiff(stored, tile=tile, planar=planar, compression=compression)
        np.testing.assert_array_equal(decode(file), stored)


COMPRESSIONS = {
    "raw": ("1", "L", "P", "RGB", "RGBA", "CMYK", "LA"),
    "tiff_lzw": ("1", "L", "P", "RGB", "RGBA", "CMYK", "LA"),
    "tiff_adobe_deflate": ("1", "L", "P", "RGB", "RGBA", "CMYK", "LA"),
    "packbits": ("1", "L", "P", "RGB", "RGBA", "CMYK", "LA"),
    "jpeg": ("L", "RGB", "YCbCr", "CMYK"),
    "group3": ("1",),
    "group4": ("1",),
    "tiff_ccitt": ("1",),
}


@pytest.mark.parametrize(
    ("compression", "mode"), [(c, m) for c, modes in COMPRESSIONS.items() for m in modes]
)
def test_what_pillow_writes(picture, compression, mode):
    image = Image.fromarray(picture)
    if mode in ("RGBA", "LA"):
        image.putalpha(Image.fromarray(noise(1, picture.shape[:2])))
    image = image.quantize(50) if mode == "P" else image.convert(mode)
    file = encoded(image, "TIFF", compression=compression)
    tolerance = 1 if mode == "CMYK" else 0  # products of ink, rounded another way
    np.testing.assert_allclose(decode(file).astype(int), pillow(file), rtol=0, atol=tolerance)
    own = {"1": "L", "P": "RGB", "YCbCr": "RGB"}.get(mode, mode)
    np.testing.assert_array_equal(decode(file, output_type=types.ANY_DATA), pillow(file, own))


@pytest.mark.parametrize("mode", ["LAB", "I", "I;16", "PA"])
def test_other_modes(picture, mode):
    image = Image.fromarray(picture)
    if mode == "I;16":
        image = Image.fromarray(picture[..., 0].astype(np.uint16) * 257)
    elif mode == "I":
        image = Image.fromarray(picture[..., 0].astype(np.int32) * 200)
    elif mode == "LAB":
        image = Image.merge("LAB", image.split())
    else:
        image = image.quantize(40).convert("PA")
    file = encoded(image, "TIFF")
    if mode in ("I", "I;16"):
        stored = np.asarray(image).astype(np.float64)
        wanted = np.repeat((stored / 257)[..., None], 3, axis=2)
        np.testing.assert_allclose(decode(file), wanted, rtol=0, atol=0.501)
    else:
        np.testing.assert_array_equal(decode(file), pillow(file))


@pytest.mark.parametrize("subsampling", [0, 1, 2])
def test_subsampled_jpeg_in_tiff(picture, subsampling):
    options = {"compression": "jpeg", "quality": 80}
    file = encoded(Image.fromarray(picture).convert("YCbCr"), "TIFF", **options)
    np.testing.assert_array_equal(decode(file), pillow(file))


# Orientation and parts ------------------------------------------------------------------------


def turned(picture: np.ndarray, orientation: int) -> np.ndarray:
    """Upright, from how it is stored."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = Image.open(io.BytesIO(encoded(picture, "PNG", exif=exif).tobytes()))
    method = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}.get(orientation)
    return np.asarray(image if method is None else image.transpose(Image.Transpose(method)))


@pytest.mark.parametrize("orientation", range(10))
@pytest.mark.parametrize("layout", [{}, {"tile": (16, 16)}], ids=str)
def test_orientation(picture, orientation, layout):
    file = tiff(picture, tags={274: ("H", [orientation])}, **layout)
    upright = turned(picture, orientation)
    np.testing.assert_array_equal(decode(file), upright)
    np.testing.assert_array_equal(decode(file, adjust_orientation=False), picture)
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == list(upright.shape)
    stored = ndd.peek_image_shape(file, adjust_orientation=False)
    assert np.asarray(stored).tolist() == list(picture.shape)


def test_orientation_of_what_pillow_decodes(picture):
    alpha = noise(1, (*picture.shape[:2], 1)) | 1
    clear = np.concatenate([picture, alpha], axis=2)
    premultiplied = {338: ("H", [1])}
    plain = tiff(clear, tags=premultiplied)
    for orientation in range(1, 9):
        file = tiff(clear, tags=premultiplied | {274: ("H", [orientation])})
        stored = decode(file, adjust_orientation=False)
        np.testing.assert_array_equal(stored, decode(plain))
        np.testing.assert_array_equal(decode(file), turned(stored, orientation))


@pytest.mark.parametrize(
    "layout",
    [
        {},
        {"rows": 1},
        {"rows": 99, "compression": "deflate"},
        {"compression": "packbits"},
        {"compression": "deflate", "tags": {317: ("H", [2])}},
        {"tile": (16, 16)},
        {"tile": (16, 64), "compression": "deflate"},
        {"planar": True},
        {"planar": True, "tile": (32, 16)},
        {"tags": {274: ("H", [6])}},
        {"tags": {274: ("H", [3])}, "tile": (16, 16)},
    ],
    ids=str,
)
def test_parts_are_those_of_the_whole(layout):
    for channels in (1, 3, 4):
        stored = values(8, channels).astype(np.uint8)
        check_parts(tiff(stored, **layout))
        check_parts(tiff(stored, **layout), output_type=types.ANY_DATA, dtype=ndd.float32)
    if IS_NATIVE and 317 not in layout.get("tags", {}):  # differences of 8 and 16 bits only
        check_parts(tiff(values(11, 3), bits=11, **layout))


@pytest.mark.parametrize("compression", ["tiff_lzw", "jpeg", "group4"])
def test_parts_of_compressed_files(picture, compression):
    image = Image.fromarray(picture)
    if compression != "jpeg":
        image = image.convert("1" if compression == "group4" else "RGB")
    check_parts(encoded(image, "TIFF", compression=compression))


# Bad files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["raw", "tiff_lzw", "tiff_adobe_deflate", "jpeg"])
def test_cut_files(picture, compression):
    """Strips come behind the directory where Pillow writes them with libtiff, and before it."""
    file = encoded(picture, "TIFF", compression=compression)
    for part in (0.01, 0.3, 0.6, 0.9, 0.99):
        with pytest.raises(ndd.OperatorError, match=r"decoders.image: sample 0: "):
            decode(cut(file, part))


@needs_codec
def test_strips_that_point_outside_are_truncated():
    file = tiff(values(8, 3).astype(np.uint8)).copy()
    offsets = int(np.flatnonzero((file[:-1] == 0x11) & (file[1:] == 0x01))[-1])  # of tag 273
    at = struct.unpack_from("<I", file.tobytes(), offsets + 8)[0]
    file[at : at + 4] = [0, 0, 0, 0x70]
    with pytest.raises(ndd.OperatorError, match=r"sample 0: the data are truncated"):
        decode(file)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("layout", [{}, {"tile": (16, 16), "compression": "deflate"}], ids=str)
def test_damage_is_an_error_or_a_picture(layout, seed):
    file = tiff(values(8, 3).astype(np.uint8), **layout).copy()
    rng = np.random.default_rng(seed)
    tail = len(file) - 250  # the directory is at the end
    places = rng.integers(tail if seed % 2 else 0, len(file), 6)
    file[places] = rng.integers(0, 256, 6)
    ndd.decoders.set_max_image_pixels(1 << 22)
    try:
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            images = ndd.decoders.image(ndd.batch([file]), on_error="fill", fill_shape=(1, 2))
    finally:
        ndd.decoders.set_max_image_pixels(None)
    bad = ndd.decoders.bad_samples(images)
    assert images.valid.tolist() == [not bad]
    assert not bad or images.shape == [(1, 2, 3)]


@needs_codec
@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_adobe_deflate", "jpeg"])
def test_damaged_pixels_are_no_matter_of_the_terminal(picture, compression, capfd):
    file = encoded(picture, "TIFF", compression=compression).copy()
    directory = struct.unpack_from("<I", file.tobytes(), 4)[0]
    data = slice(2000, 4000) if directory < 2000 or directory > 4000 else slice(9, 1000)
    file[data] = noise(4, (data.stop - data.start,))
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        ndd.decoders.image(ndd.batch([file]), on_error="fill", fill_shape=(1, 2)).evaluate()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "tags",
    [
        {256: ("I", [1 << 28]), 257: ("I", [1 << 28])},
        {257: ("I", [1 << 31])},
        {322: ("I", [1 << 30]), 323: ("I", [1 << 30])},
        {258: ("H", [64] * 3)},
        {277: ("H", [60000])},
        {259: ("H", [34661])},
    ],
    ids=str,
)
def test_headers_that_promise_too_much(tags):
    layout = {"tile": (16, 16)} if 322 in tags else {}
    file = tiff(values(8, 3).astype(np.uint8), tags=tags, **layout)
    with pytest.raises(ndd.OperatorError, match=r"decoders.image: sample 0: "):
        decode(file)


@needs_codec
def test_tiles_much_larger_than_the_picture():
    tile = (2048, 2048)
    stored = values(8, 3, (3, 4)).astype(np.uint8)
    np.testing.assert_array_equal(decode(tiff(stored, tile=tile, compression="deflate")), stored)


def test_bad_files_are_filled(picture):
    good = encoded(picture, "TIFF", compression="tiff_lzw")
    files = ndd.batch([good, cut(good), good])
    with pytest.warns(RuntimeWarning, match="1 of 3 samples could not be decoded"):
        images = ndd.decoders.image(files, on_error="fill", fill_shape=(4, 5), fill_value=9)
    assert images.valid.tolist() == [True, False, True]
    assert (np.asarray(images.select(1)) == 9).all()
    np.testing.assert_array_equal(np.asarray(images.select(2)), picture)


# Forms of input -------------------------------------------------------------------------------


def test_one_batch_of_many_formats(picture):
    small = picture[:50, :70]
    files = [encoded(small, kind) for kind in ("PNG", "TIFF", "WEBP", "BMP", "JPEG", "GIF")]
    files += [tiff(small, tile=(16, 16)), encoded(small[:20], "TIFF", compression="tiff_lzw")]
    out = arrays(ndd.decoders.image(ndd.batch(files)))
    for got, file in zip(out, files, strict=True):
        np.testing.assert_array_equal(got, decode(file))
    np.testing.assert_array_equal(out[1], small)
    np.testing.assert_array_equal(out[6], small)


@needs_codec
def test_inside_jit(picture):
    files = [encoded(picture, "TIFF"), tiff(picture[:33, :44].copy(), tile=(16, 16))]
    files += [encoded(picture[:30, :20], "PNG"), tiff(values(10, 3), bits=10)]
    got = jax.jit(lambda b: ndd.decoders.image(b, bound=(128, 160)))(ndd.batch(files))
    for one, file in zip(arrays(got), files, strict=True):
        np.testing.assert_array_equal(one, decode(file))
    small = jax.jit(lambda b: ndd.resize(ndd.decoders.image(b), size=(16, 24)))(ndd.batch(files))
    for one, file in zip(arrays(small), files, strict=True):
        np.testing.assert_array_equal(one, np.asarray(ndd.resize(decode(file), size=(16, 24))))
    bad = ndd.batch([encoded(Image.fromarray(picture).convert("LAB"), "TIFF")])
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"inside jit only JPEG, PNG, TIFF"):
        jax.block_until_ready(jax.jit(lambda b: ndd.decoders.image(b, bound=(128, 160)))(bad))


@pytest.mark.filterwarnings("ignore:decoders.image. 1 of 16 samples:RuntimeWarning")
def test_many_threads_at_once(picture):
    kinds = ("tiff_lzw", "tiff_adobe_deflate", "packbits", "raw")
    files = [encoded(picture[k:], "TIFF", compression=kinds[k % 4]) for k in range(16)]
    files[5] = cut(files[5])

    def run(_):
        batch = ndd.batch(files)
        return ndd.decoders.image(batch, on_error="fill", fill_shape=(1, 1))

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(run, range(8)))
    for got in results:
        assert [b.sample for b in ndd.decoders.bad_samples(got)] == [5]
        for k, one in enumerate(arrays(got)):
            wanted = np.zeros((1, 1, 3), np.uint8) if k == 5 else picture[k:]
            np.testing.assert_array_equal(one, wanted)
