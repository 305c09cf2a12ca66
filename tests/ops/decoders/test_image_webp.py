"""`decoders.image` of WebP files: pixels, alpha, animations, parts, orientation, bad files."""

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

import dynjax as ndd
from dynjax import types
from dynjax._native import native

IS_NATIVE = "WebP" in native.native_formats()
needs_codec = pytest.mark.skipif(not IS_NATIVE, reason="this build leaves WebP to Pillow")


def decode(data, **arguments):
    return np.asarray(ndd.decoders.image(data, **arguments))


def pillow(data, mode="RGB"):
    return np.asarray(Image.open(io.BytesIO(data.tobytes())).convert(mode))


@pytest.fixture(scope="module")
def picture(photos):
    """A part of a real photograph, of odd size, HWC."""
    return pillow(np.frombuffer(photos[1], np.uint8))[:121, :155]


def with_alpha(picture):
    return np.concatenate([picture, noise(1, (*picture.shape[:2], 1))], axis=2)


CODINGS = {
    "lossy": {"quality": 70},
    "coarse": {"quality": 5, "method": 6},
    "sharp": {"quality": 60, "use_sharp_yuv": True},
    "lossless": {"lossless": True},
    "near_lossless": {"lossless": True, "quality": 40, "exact": True},
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("alpha", [False, True])
def test_pixels_are_those_of_pillow(picture, coding, alpha):
    file = encoded(with_alpha(picture) if alpha else picture, "WEBP", **CODINGS[coding])
    np.testing.assert_array_equal(decode(file), pillow(file))
    own = decode(file, output_type=types.ANY_DATA)
    np.testing.assert_array_equal(own, pillow(file, "RGBA" if alpha else "RGB"), strict=True)
    np.testing.assert_array_equal(decode(file, output_type=types.BGR), pillow(file)[..., ::-1])


@pytest.mark.parametrize("size", [(1, 1), (1, 17), (17, 1), (2, 3), (16, 16), (33, 31)])
@pytest.mark.parametrize("coding", ["lossy", "lossless"])
def test_small_sizes(size, coding):
    file = encoded(noise(0, (*size, 3)), "WEBP", **CODINGS[coding])
    np.testing.assert_array_equal(decode(file), pillow(file))
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == [*size, 3]


def test_the_first_picture_of_an_animation(picture):
    frames = [Image.fromarray(np.roll(picture, 9 * k, axis=1)) for k in range(3)]
    for options in CODINGS.values():
        file = encoded(frames[0], "WEBP", save_all=True, append_images=frames[1:], **options)
        np.testing.assert_array_equal(decode(file), pillow(file))
    clear = [Image.fromarray(with_alpha(np.asarray(f))) for f in frames]
    file = encoded(clear[0], "WEBP", save_all=True, append_images=clear[1:], lossless=True)
    np.testing.assert_array_equal(decode(file, output_type="ANY_DATA"), pillow(file, "RGBA"))


def on_a_canvas(frame: np.ndarray, size: tuple[int, int], at: tuple[int, int], **options):
    """An animation of one frame that is smaller than its canvas; Pillow writes none."""
    picture = encoded(frame, "WEBP", **options).tobytes()[12:]
    assert picture[:3] == b"VP8"

    def u24(n: int) -> bytes:
        return struct.pack("<I", n)[:3]

    def chunk(name: bytes, data: bytes) -> bytes:
        return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)

    (height, width), (y, x) = size, at
    header = bytes([0x02, 0, 0, 0]) + u24(width - 1) + u24(height - 1)
    place = u24(x // 2) + u24(y // 2) + u24(frame.shape[1] - 1) + u24(frame.shape[0] - 1)
    body = chunk(b"VP8X", header) + chunk(b"ANIM", bytes(6))
    body += chunk(b"ANMF", place + u24(40) + b"\0" + picture)
    return np.frombuffer(chunk(b"RIFF", b"WEBP" + body), np.uint8)


@pytest.mark.parametrize("coding", ["lossy", "lossless"])
def test_a_frame_smaller_than_its_canvas(picture, coding):
    file = on_a_canvas(picture[:41, :53], (90, 100), (20, 34), **CODINGS[coding])
    whole = decode(file)
    np.testing.assert_array_equal(whole, pillow(file))
    assert not whole[:20].any()
    assert whole[20:61, 34:87].any()
    check_parts(file)


def test_a_frame_that_leaves_its_canvas(picture):
    file = on_a_canvas(picture[:41, :53], (60, 60), (20, 34), lossless=True)
    with pytest.raises(ndd.OperatorError, match=r"sample 0: the data are corrupt|not recognised"):
        decode(file)


# Parts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("alpha", [False, True])
def test_parts_are_those_of_the_whole(picture, coding, alpha):
    file = encoded(with_alpha(picture) if alpha else picture, "WEBP", **CODINGS[coding])
    check_parts(file)
    check_parts(file, output_type=types.ANY_DATA)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_parts_of_turned_pictures(picture, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = encoded(picture, "WEBP", exif=exif)
    shape = (155, 121, 3) if orientation >= 5 else (121, 155, 3)
    assert decode(file).shape == shape
    assert np.asarray(ndd.peek_image_shape(file)).tolist() == list(shape)
    check_parts(file)
    check_parts(file, adjust_orientation=False)


@pytest.mark.parametrize("dtype", ["uint16", "float32"])
def test_types(picture, dtype):
    file = encoded(picture, "WEBP")
    exact = pillow(file) * {"uint16": 257.0, "float32": 1 / 255}[dtype]
    np.testing.assert_allclose(decode(file, dtype=dtype), exact, rtol=2**-23, atol=0)
    check_parts(file, dtype=dtype, output_type=types.GRAY)


# Bad files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["lossy", "lossless"])
@pytest.mark.parametrize("part", [0.05, 0.3, 0.6, 0.9, 0.999])
def test_cut_files(picture, coding, part):
    file = cut(encoded(picture, "WEBP", **CODINGS[coding]), part)
    with pytest.raises(ndd.OperatorError, match=r"decoders.image: sample 0: .*(truncated|corrupt)"):
        decode(file)


@needs_codec
def test_a_cut_file_with_a_size_that_fits_is_truncated_too(picture):
    file = cut(encoded(picture, "WEBP", quality=90), 0.5)[: 2 * 1000].copy()
    size, chunk = len(file) - 8, len(file) - 20
    file[4:8] = np.frombuffer(struct.pack("<I", size), np.uint8)
    file[16:20] = np.frombuffer(struct.pack("<I", chunk), np.uint8)
    with pytest.raises(ndd.OperatorError, match=r"sample 0: the data are truncated"):
        decode(file)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("coding", ["lossy", "lossless"])
def test_damage_is_an_error_or_a_picture(picture, coding, seed):
    file = encoded(with_alpha(picture), "WEBP", **CODINGS[coding]).copy()
    rng = np.random.default_rng(seed)
    file[rng.integers(0, 200 if seed % 2 else len(file), 8)] = rng.integers(0, 256, 8)
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        images = ndd.decoders.image(ndd.batch([file]), on_error="fill", fill_shape=(1, 2))
    bad = ndd.decoders.bad_samples(images)
    assert images.valid.tolist() == [not bad]
    assert not bad or images.shape == [(1, 2, 3)]


def test_a_header_that_promises_too_much():
    file = encoded(noise(0, (16, 16, 3)), "WEBP").copy()
    file[26:30] = 0xFF
    ndd.decoders.set_max_image_pixels(1 << 20)
    try:
        with pytest.raises(ndd.OperatorError, match=r"larger than the limit|corrupt"):
            decode(file)
    finally:
        ndd.decoders.set_max_image_pixels(None)


def test_bad_files_are_filled(picture):
    good = encoded(picture, "WEBP")
    files = ndd.batch([good, cut(good), good])
    with pytest.warns(RuntimeWarning, match="1 of 3 samples could not be decoded"):
        images = ndd.decoders.image(files, on_error="fill", fill_shape=(4, 5), fill_value=9)
    assert images.valid.tolist() == [True, False, True]
    assert (np.asarray(images.select(1)) == 9).all()
    np.testing.assert_array_equal(np.asarray(images.select(2)), pillow(good))


# Forms of input -------------------------------------------------------------------------------


@needs_codec
def test_inside_jit(picture):
    sizes = [(121, 155), (40, 60), (1, 1)]
    files = [encoded(picture[:h, :w], "WEBP") for h, w in sizes]
    files.append(encoded(picture[:30, :20], "PNG"))
    got = jax.jit(lambda b: ndd.decoders.image(b, bound=(128, 160)))(ndd.batch(files))
    for one, file in zip(arrays(got), files, strict=True):
        np.testing.assert_array_equal(one, decode(file))
    small = jax.jit(lambda b: ndd.resize(ndd.decoders.image(b), size=(16, 24)))(ndd.batch(files))
    for one, file in zip(arrays(small), files, strict=True):
        np.testing.assert_array_equal(one, np.asarray(ndd.resize(decode(file), size=(16, 24))))
    bad = ndd.batch([cut(files[0])])
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"sample 0: the data are truncated"):
        jax.block_until_ready(jax.jit(lambda b: ndd.decoders.image(b, bound=(128, 160)))(bad))


def test_many_threads_at_once(picture):
    files = [encoded(picture[k:, : 155 - k], "WEBP", quality=40 + k) for k in range(16)]
    wanted = [pillow(file) for file in files]

    def run(_):
        return arrays(ndd.decoders.image(ndd.batch(files)))

    with ThreadPoolExecutor(4) as pool:
        for got in pool.map(run, range(8)):
            for one, file in zip(got, wanted, strict=True):
                np.testing.assert_array_equal(one, file)
