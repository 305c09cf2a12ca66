"""`decoders.image`: pixels bit for bit, formats, colour spaces, types, orientation, bad files."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image
from support.encoded import cut, encoded, text
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import types


def decode(data, **arguments):
    return np.asarray(ndd.decoders.image(data, **arguments))


def pillow(data, mode="RGB"):
    pixels = np.asarray(Image.open(io.BytesIO(np.asarray(data).tobytes())).convert(mode))
    return pixels if pixels.ndim == 3 else pixels[..., None]


@pytest.fixture(scope="module")
def picture(photos):
    """A real photograph of odd size, HWC."""
    return pillow(np.frombuffer(photos[1], np.uint8))


# Pixels ---------------------------------------------------------------------------------------


def test_photographs_equal_libjpeg_turbo_bit_for_bit(photos):
    files = [np.frombuffer(p, np.uint8) for p in photos]
    out = ndd.decoders.image(ndd.batch(files))
    assert (out.layout, out.dtype) == ("HWC", ndd.uint8)
    for got, file in zip(arrays(out), files, strict=True):
        np.testing.assert_array_equal(got, pillow(file), strict=True)


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
@pytest.mark.parametrize(
    "options",
    [{}, {"progressive": True}, {"optimize": True}, {"quality": 5}, {"restart_marker_blocks": 3}],
    ids=str,
)
def test_jpeg_codings(picture, subsampling, options):
    file = encoded(picture, "JPEG", subsampling=subsampling, **options)
    np.testing.assert_array_equal(decode(file), pillow(file))


@pytest.mark.parametrize("size", [(1, 1), (1, 17), (17, 1), (7, 9), (16, 16), (33, 31)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_small_sizes(size, kind):
    file = encoded(noise(0, (*size, 3)), kind)
    np.testing.assert_array_equal(decode(file), pillow(file))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "1"])
@pytest.mark.parametrize("options", [{}, {"optimize": True}, {"compress_level": 0}], ids=str)
def test_png_modes(picture, mode, options):
    image = Image.fromarray(picture)
    if mode in ("RGBA", "LA"):
        image.putalpha(Image.fromarray(noise(1, picture.shape[:2])))
    image = image.quantize(50) if mode == "P" else image.convert(mode)
    file = encoded(image, "PNG", **options)
    # Alpha is dropped, not blended.
    np.testing.assert_array_equal(decode(file), pillow(file))


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_png_palettes_of_few_bits(bits):
    image = Image.fromarray(noise(2, (9, 13, 3))).quantize(2**bits)
    file = encoded(image, "PNG", bits=bits)
    np.testing.assert_array_equal(decode(file), pillow(file))


def png(pixels: np.ndarray, colour: int, depth: int = 16) -> np.ndarray:
    """A PNG file written by hand: Pillow writes no 16-bit colour."""
    height, width = pixels.shape[:2]

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
    return np.frombuffer(data + chunk(b"IEND", b""), np.uint8)


@pytest.mark.parametrize(("colour", "channels"), [(0, 1), (2, 3), (6, 4), (4, 2)])
def test_png_of_16_bits(colour, channels):
    pixels = noise(3, (9, 13, channels), "uint16")
    file = png(pixels, colour)
    wanted = pixels[..., :3] if channels > 2 else pixels[..., :1].repeat(3, axis=2)
    whole = decode(file, dtype=ndd.uint16)
    np.testing.assert_array_equal(whole, wanted, strict=True)
    # 65535 becomes 255: to the nearest of 256 levels, half a level at most.
    eight = decode(file)
    assert eight.dtype == np.uint8
    np.testing.assert_allclose(eight, wanted / 257, rtol=0, atol=0.501)
    own = decode(file, dtype=ndd.uint16, output_type=types.ANY_DATA)
    np.testing.assert_array_equal(own, pixels, strict=True)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("WEBP", {"lossless": True}),
        ("WEBP", {"quality": 70}),
        ("BMP", {}),
        ("GIF", {}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("PPM", {}),
        ("TGA", {}),
        ("ICO", {}),
        ("JPEG2000", {}),
        ("AVIF", {}),
    ],
    ids=str,
)
def test_other_formats_equal_pillow(picture, kind, options):
    file = encoded(picture[:128, :128], kind, **options)
    np.testing.assert_array_equal(decode(file), pillow(file))
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == list(pillow(file).shape)


@pytest.mark.parametrize("kind", ["PPM", "BMP", "TIFF", "WEBP"])
def test_grey_in_other_formats(picture, kind):
    grey = Image.fromarray(picture).convert("L").convert("RGB" if kind == "WEBP" else "L")
    file = encoded(grey, kind)
    np.testing.assert_array_equal(decode(file), pillow(file))


def test_one_batch_of_many_formats(picture, photos):
    small = picture[:50, :70]
    files = [
        encoded(small, "PNG"),
        encoded(small, "WEBP"),
        np.frombuffer(photos[2], np.uint8),
        encoded(Image.fromarray(small).convert("L"), "PNG"),
        encoded(small, "BMP"),
        encoded(Image.fromarray(small).convert("CMYK"), "JPEG"),
    ]
    out = arrays(ndd.decoders.image(ndd.batch(files)))
    for got, file in zip(out[:-1], files[:-1], strict=True):
        np.testing.assert_array_equal(got, pillow(file))
    for got, file in zip(out, files, strict=True):
        np.testing.assert_array_equal(got, decode(file))


# Colour and types -----------------------------------------------------------------------------


def test_bgr(picture):
    for kind in ("JPEG", "PNG"):
        file = encoded(picture, kind)
        np.testing.assert_array_equal(decode(file, output_type=types.BGR), pillow(file)[..., ::-1])


def test_grey_of_a_jpeg_is_its_luma(picture):
    file = encoded(picture, "JPEG")
    image = Image.open(io.BytesIO(file.tobytes()))
    image.draft("L", image.size)
    np.testing.assert_array_equal(decode(file, output_type=types.GRAY)[..., 0], np.asarray(image))


def luma(rgb):
    return rgb.astype(np.float64) @ [0.299, 0.587, 0.114]


def test_grey_of_other_pictures(picture):
    got = decode(encoded(picture, "PNG"), output_type=types.GRAY)[..., 0]
    # As libpng, and the original through it: weights of 15 bits, and the fraction is cut off.
    rest = luma(picture) - got
    assert rest.min() >= -0.01
    assert rest.max() < 1.01


def test_ycbcr(picture):
    # Studio range: 16 to 235, chroma about 128.
    matrix = np.array(
        [[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]]
    )
    exact = picture @ (matrix.T / 255) + [16, 128, 128]
    got = decode(encoded(picture, "PNG"), output_type=types.YCbCr)
    np.testing.assert_allclose(got, exact, rtol=0, atol=0.502)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA", "P"])
def test_own_channels(picture, mode):
    image = Image.fromarray(picture[:20, :30])
    image = image.quantize(16) if mode == "P" else image.convert(mode)
    file = encoded(image, "PNG")
    own = "RGB" if mode == "P" else mode
    np.testing.assert_array_equal(decode(file, output_type=types.ANY_DATA), pillow(file, own))


def test_grey_files_are_repeated(picture):
    for kind in ("JPEG", "PNG"):
        file = encoded(Image.fromarray(picture).convert("L"), kind)
        got = decode(file)
        np.testing.assert_array_equal(got, pillow(file, "L").repeat(3, axis=2))
        np.testing.assert_array_equal(decode(file, output_type="gray"), pillow(file, "L"))


def test_cmyk(picture):
    # A smooth picture with ink in every channel; pixels as Pillow multiplies them out.
    file = encoded(Image.fromarray(picture).convert("CMYK"), "JPEG", quality=95)
    image = Image.open(io.BytesIO(file.tobytes()))
    assert image.mode == "CMYK"
    ink = 255 - np.asarray(image).astype(np.float64)
    exact = ink[..., :3] * ink[..., 3:] / 255
    # The original and Pillow differ by their integer roundings of this product.
    np.testing.assert_allclose(decode(file), exact, rtol=0, atol=1.01)


SCALES = {
    "uint8": 255,
    "int8": 127,
    "uint16": 65535,
    "int16": 32767,
    "uint32": 2**32 - 1,
    "int32": 2**31 - 1,
    "float32": 1,
}


@pytest.mark.parametrize("dtype", SCALES)
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP"])
def test_values_fill_the_range_of_the_type(picture, dtype, kind):
    file = encoded(picture[:40, :50], kind)
    exact = pillow(file).astype(np.float64) / 255 * SCALES[dtype]
    got = decode(file, dtype=dtype)
    assert got.dtype == dtype
    if dtype == "float32":
        np.testing.assert_allclose(got, exact, rtol=2**-23, atol=0)
    elif dtype in ("uint32", "int32"):
        np.testing.assert_allclose(got, exact, rtol=2**-23, atol=0.501)
    else:
        np.testing.assert_allclose(got.astype(np.float64), exact, rtol=0, atol=0.501)


@pytest.mark.parametrize("dtype", ["float16", "int64", "float64", "bool"])
def test_refused_types(dtype):
    with pytest.raises(ndd.OperatorError, match=rf"decoders.image: dtype={dtype}; expected one of"):
        decode(encoded(noise(0, (4, 4, 3))), dtype=dtype)


# Orientation ----------------------------------------------------------------------------------

COLOURS = {"R": (255, 0, 0), "G": (0, 255, 0), "B": (0, 0, 255), "W": (255, 255, 255)}
UPRIGHT = {
    1: "RGBW",
    2: "GRWB",
    3: "WBGR",
    4: "BWRG",
    5: "RBGW",
    6: "BRWG",
    7: "WGBR",
    8: "GWRB",
}


def corners() -> np.ndarray:
    image = np.zeros((16, 24, 3), np.uint8)
    image[:8, :8], image[:8, -8:] = COLOURS["R"], COLOURS["G"]
    image[-8:, :8], image[-8:, -8:] = COLOURS["B"], COLOURS["W"]
    return image


def tagged(tag, kind="JPEG"):
    exif = Image.Exif()
    exif[0x0112] = tag
    options = {"quality": 95, "subsampling": "4:4:4"} if kind == "JPEG" else {}
    return encoded(corners(), kind, exif=exif, **options)


def read_corners(image) -> str:
    """The colours of the four corner blocks, in reading order."""
    names = ""
    for y in (4, -5):
        for x in (4, -5):
            distance = {n: np.abs(image[y, x].astype(int) - c).max() for n, c in COLOURS.items()}
            name = min(distance, key=distance.get)
            assert distance[name] <= 4, image[y, x]
            names += name
    return names


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("tag", UPRIGHT)
def test_pictures_stored_sideways_are_turned_upright(tag, kind):
    file = tagged(tag, kind)
    shape = (24, 16, 3) if tag >= 5 else (16, 24, 3)
    image = decode(file)
    assert image.shape == shape
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == list(shape)
    if kind != "WEBP":  # lossy with subsampled chroma: the blocks are not within 4 counts
        assert read_corners(image) == UPRIGHT[tag]
    stored = decode(file, adjust_orientation=False)
    assert stored.shape == (16, 24, 3)
    assert np.asarray(ndd.peek_image_shape(file, adjust_orientation=False)).tolist() == [16, 24, 3]
    np.testing.assert_array_equal(stored, decode(tagged(1, kind), adjust_orientation=False))


def test_turned_pictures_in_one_batch():
    batch = ndd.batch([tagged(tag) for tag in UPRIGHT])
    out = arrays(ndd.decoders.image(batch))
    assert [read_corners(image) for image in out] == list(UPRIGHT.values())


@pytest.mark.parametrize("tag", [0, 9, 65535])
def test_unknown_orientations_count_as_none(tag):
    assert read_corners(decode(tagged(tag))) == UPRIGHT[1]


@pytest.mark.parametrize("damage", ["length", "order", "offset", "noise", "cut"])
def test_damaged_exif_blocks_count_as_none(damage):
    plain = encoded(corners(), "JPEG", quality=95, subsampling="4:4:4").tobytes()
    exif = Image.Exif()
    exif[0x0112] = 6
    block = bytearray(exif.tobytes())
    start = 6  # after "Exif\0\0"
    if damage == "length":
        block[start + 8 : start + 10] = b"\xff\xff"
    elif damage == "order":
        block[start : start + 2] = b"XX"
    elif damage == "offset":
        block[start + 4 : start + 8] = b"\xff\xff\xff\x7f"
    elif damage == "noise":
        block[start:] = noise(0, (len(block) - start,)).tobytes()
    else:
        block = block[: start + 9]
    segment = b"\xff\xe1" + struct.pack(">H", len(block) + 2) + bytes(block)
    file = np.frombuffer(plain[:2] + segment + plain[2:], np.uint8)
    assert read_corners(decode(file)) == UPRIGHT[1]


# Bad files ------------------------------------------------------------------------------------


def hostile(kind: str) -> np.ndarray:
    """A file whose header promises 65535 x 65535 pixels and more."""
    if kind == "PNG":
        data = bytearray(encoded(noise(0, (4, 4, 3))).tobytes())
        data[16:24] = struct.pack(">II", 1 << 20, 1 << 20)
        data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
    elif kind == "BMP":
        data = bytearray(encoded(noise(0, (4, 4, 3)), "BMP").tobytes())
        data[18:26] = struct.pack("<ii", 1 << 20, 1 << 20)
    else:
        data = bytearray(encoded(noise(0, (16, 16, 3)), "JPEG").tobytes())
        frame = data.index(b"\xff\xc0")
        data[frame + 5 : frame + 9] = struct.pack(">HH", 65535, 65535)
    return np.frombuffer(bytes(data), np.uint8)


BAD = {
    "text": (text, "the format was not recognised"),
    "empty": (lambda: np.zeros(0, np.uint8), "the format was not recognised|truncated"),
    "one_byte": (lambda: np.array([0xFF], np.uint8), "not recognised|truncated"),
    "zeros": (lambda: np.zeros(1000, np.uint8), "the format was not recognised"),
    "cut_jpeg": (lambda: cut(encoded(noise(1, (64, 64, 3)), "JPEG")), "the data are truncated"),
    "cut_jpeg_header": (lambda: encoded(noise(1, (64, 64, 3)), "JPEG")[:100], "truncated|corrupt"),
    "cut_png": (lambda: cut(encoded(noise(1, (64, 64, 3)))), "the data are truncated"),
    "cut_png_header": (lambda: encoded(noise(1, (64, 64, 3)))[:20], "truncated|corrupt"),
    "cut_webp": (lambda: cut(encoded(noise(1, (64, 64, 3)), "WEBP")), "truncated|corrupt"),
    "cut_bmp": (lambda: cut(encoded(noise(1, (64, 64, 3)), "BMP")), "truncated|corrupt"),
    "damaged_png": (
        lambda: np.concatenate([encoded(noise(1, (64, 64, 3)))[:60], noise(2, (9000,))]),
        "truncated|corrupt",
    ),
    "hostile_png": (lambda: hostile("PNG"), "larger than the limit"),
    "hostile_jpeg": (lambda: hostile("JPEG"), "larger than the limit"),
    "hostile_bmp": (lambda: hostile("BMP"), "larger than the limit"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_say_which_and_why(name):
    make, reason = BAD[name]
    good = encoded(noise(0, (8, 9, 3)))
    batch = ndd.batch([good, make(), good])
    with pytest.raises(ndd.OperatorError, match=rf"decoders.image: sample 1: .*({reason})"):
        ndd.decoders.image(batch).evaluate()
    # The next call is none the worse.
    np.testing.assert_array_equal(decode(good), pillow(good))


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("options", [{}, {"progressive": True}], ids=str)
def test_a_cut_off_jpeg_is_not_completed_in_silence(photos, picture, part, options):
    file = cut(encoded(picture, "JPEG", **options), part)
    with pytest.raises(ndd.OperatorError, match=r"sample 0: the data are truncated"):
        decode(file)


def test_the_limit_can_be_raised_and_lowered():
    file = encoded(noise(0, (20, 30, 3)))
    try:
        ndd.decoders.set_max_image_pixels(599)
        with pytest.raises(
            ndd.OperatorError, match=r"sample 0: the picture is larger than the limit"
        ):
            decode(file)
        ndd.decoders.set_max_image_pixels(600)
        assert decode(file).shape == (20, 30, 3)
    finally:
        ndd.decoders.set_max_image_pixels(None)
    with pytest.raises(ValueError, match=r"^set_max_image_pixels: expected a positive int, got 0"):
        ndd.decoders.set_max_image_pixels(0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.zeros(10, np.int32), "the input has 1 axes of int32; expected encoded files"),
        (np.zeros((10, 10), np.uint8), "the input has 2 axes of uint8"),
        (np.float32(1), "the input has 0 axes of float32"),
    ],
)
def test_inputs_that_are_no_files(data, message):
    with pytest.raises(ndd.OperatorError, match=f"decoders.image: {message}"):
        ndd.decoders.image(ndd.tensor(data)).evaluate()


def test_a_file_named_by_its_reader(tmp_path):
    (tmp_path / "a").mkdir()
    for k in range(8):
        data = encoded(noise(k, (64, 64, 3)), "JPEG")
        data = cut(data) if k == 3 else text() if k == 5 else data
        (tmp_path / "a" / f"{k}.jpg").write_bytes(data.tobytes())
    reader = ndd.readers.File(file_root=tmp_path)
    for _ in range(2):  # the same reader works afterwards
        epoch = reader.next_epoch(batch_size=4)
        reasons = {0: r"sample 3 .*3\.jpg.*truncated", 1: r"sample 1 .*5\.jpg.*not recognised"}
        for k, (files, labels) in enumerate(epoch):
            with pytest.raises(ndd.OperatorError, match=reasons[k]):
                ndd.decoders.image(files).evaluate()
            assert np.asarray(labels).ravel().tolist() == [0] * 4
        assert k == 1


# Forms of input -------------------------------------------------------------------------------


def test_single_files_and_batches_agree(photos):
    files = [np.frombuffer(p, np.uint8) for p in photos[:5]]
    together = arrays(ndd.decoders.image(ndd.batch(files)))
    for file, wanted in zip(files, together, strict=True):
        one = ndd.decoders.image(file)
        assert isinstance(one, ndd.Tensor)
        assert one.layout == "HWC"
        np.testing.assert_array_equal(np.asarray(one), wanted)
    single = ndd.decoders.image(ndd.batch(files[:1]))
    np.testing.assert_array_equal(np.asarray(single.select(0)), together[0])


@pytest.mark.parametrize(
    "step",
    [
        lambda x: ndd.resize(x, size=(9, 11)),
        lambda x: ndd.rotate(x, angle=20.0, size=(8, 8)),
        lambda x: ndd.brightness(x, brightness=1.5),
        lambda x: ndd.crop_mirror_normalize(x, crop=(8, 9), mirror=1),
    ],
)
def test_what_follows_a_single_file(step, photos):
    file = np.frombuffer(photos[0], np.uint8)
    one, each = ndd.decoders.image(file), ndd.decoders.image(ndd.batch([file, file]))
    np.testing.assert_array_equal(np.asarray(step(one)), np.asarray(step(each).select(1)))


def test_equal_files_may_be_a_dense_batch():
    file = encoded(noise(0, (8, 9, 3)))
    out = ndd.decoders.image(ndd.as_batch(np.stack([file, file])))
    assert out.shape == [(8, 9, 3)] * 2
    np.testing.assert_array_equal(np.asarray(out)[1], pillow(file))


def test_an_empty_batch():
    out = ndd.decoders.image(ndd.batch(np.zeros((0, 100), np.uint8)))
    assert (out.batch_size, out.layout) == (0, "HWC")
    assert list(out) == []
    assert ndd.decoders.image(ndd.batch([encoded(noise(0, (4, 4, 3)))]).select([])).batch_size == 0


def test_shapes_are_known_before_the_pixels(photos):
    out = ndd.decoders.image(ndd.batch([np.frombuffer(p, np.uint8) for p in photos[:3]]))
    assert out.shape == [pillow(np.frombuffer(p, np.uint8)).shape for p in photos[:3]]


@pytest.mark.parametrize("hint", ["use_fast_idct", "cache_size", "hw_decoder_load", "split_stages"])
def test_hints_change_nothing(hint):
    file = encoded(noise(0, (20, 30, 3)), "JPEG")
    np.testing.assert_array_equal(decode(file, **{hint: 1}), pillow(file))
