"""Decoding parts of pictures inside `jit`: the pixels and the windows of the calls outside."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image
from support.encoded import cut, encoded
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import types
from dynjax.decoders import image, image_crop, image_random_crop, image_slice


def _turned():
    exif = Image.Exif()
    exif[0x0112] = 6
    return encoded(noise(3, (64, 45, 3)), "JPEG", exif=exif)


EACH = [
    encoded(noise(0, (40, 50, 3)), "JPEG"),
    encoded(noise(1, (70, 30, 3))),
    encoded(noise(2, (33, 64, 3)), "JPEG"),
    _turned(),
    encoded(noise(4, (41, 39, 3)), "WEBP", lossless=True),
]
FILES = ndd.batch(EACH)
KEY = jax.random.key(5)
PLACES = ndd.batch(np.float32([0.0, 0.3, 0.5, 0.7, 1.0]))
STARTS = ndd.batch(np.int32([[3, 4], [0, 1], [10, 9], [7, 7], [2, 0]]))
PLACES_BELOW = ndd.batch(np.float32([0.0, 0.2, 0.4, 0.6, 0.8]))
SHARES = ndd.batch(np.float32([[0.1, 0.2], [0.0, 0.3], [0.25, 0.25], [0.7, 0.1], [0.3, 0.0]]))
SIZES = ndd.batch(np.int32([[5, 6], [17, 20], [23, 24], [16, 16], [1, 2]]))

small = functools.partial(ndd.resize, size=(9, 11))

STATIC = {
    "crop": (lambda f: image_crop(f, crop=(20, 24)),),
    "crop, place": (lambda f, x: image_crop(f, crop=(20, 24), crop_pos_x=x), PLACES),
    "crop, truncate": (
        lambda f, y: image_crop(f, crop_h=15, crop_w=11, crop_pos_y=y, rounding="truncate"),
        PLACES,
    ),
    "crop, colours": (
        lambda f: image_crop(f, crop=(8, 8), output_type=types.GRAY, dtype=types.FLOAT),
    ),
    "slice, start": (lambda f, s: image_slice(f, start=s, shape=(20, 16), axes=[0, 1]), STARTS),
    "slice, share": (lambda f, s: image_slice(f, rel_start=s, shape=(9, 8), axes=[0, 1]), SHARES),
    "slice, inputs": (lambda f, s: image_slice(f, s, [9, 10]), SHARES),
    "slice, middle": (lambda f: image_slice(f, [0.25, 0.5], [9, 10]),),
}
WAITING = {
    "crop, whole": (lambda f: small(image_crop(f)),),
    "crop, sizes": (lambda f, s: small(image_crop(f, crop=s, crop_pos_x=0.3)), SIZES),
    "crop, height": (lambda f: ndd.crop(image_crop(f, crop=(20, 0)), crop=(8, 9)),),
    "slice, shares": (lambda f, s: small(image_slice(f, s, [0.3, 0.7], axis_names="HW")), SHARES),
    "slice, one axis": (lambda f, s: small(image_slice(f, rel_start=s, axes=[1])), PLACES_BELOW),
    "slice, ends": (lambda f: small(image_slice(f, rel_start=[0.2, 0.1], rel_end=[0.9, 0.7])),),
    "slice, sizes": (
        lambda f, a, s: ndd.flip(small(image_slice(f, start=a, shape=s, axes=[0, 1]))),
        *(STARTS, SIZES),
    ),
    "random": (lambda f, key: small(image_random_crop(f, key=key)), KEY),
    "random, small": (
        lambda f, key: ndd.crop_mirror_normalize(
            small(image_random_crop(f, key=key, random_area=[0.1, 0.3], num_attempts=2)),
            mean=[1.0, 2.0, 3.0],
            std=[4.0, 5.0, 6.0],
        ),
        KEY,
    ),
    "random, key of each": (
        lambda f, keys: small(image_random_crop(f, key=keys)),
        jax.random.split(KEY, len(EACH)),
    ),
}
CASES = {**STATIC, **WAITING}


def check(got, wanted):
    assert got.layout == wanted.layout
    assert got.shape == wanted.shape
    for a, b in zip(arrays(got), arrays(wanted), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("case", CASES)
def test_pixels_are_those_of_the_calls_outside(case):
    body, *arguments = CASES[case]
    check(jax.jit(body)(FILES, *arguments), body(FILES, *arguments))


@pytest.mark.parametrize("case", ["crop, place", "slice, share", "slice, shares"])
@pytest.mark.parametrize("wide", [False, True])
def test_files_that_are_known_with_windows_that_are_not(case, wide):
    body, argument = CASES[case]
    with jax.enable_x64(wide):
        check(jax.jit(lambda given: body(FILES, given))(argument), body(FILES, argument))


@pytest.mark.parametrize("case", ["crop", "slice, middle", "random"])
@pytest.mark.parametrize("count", [0, 1])
def test_few_files(case, count):
    body, *arguments = CASES[case]
    few = ndd.batch(EACH[:1]) if count else ndd.as_batch(np.zeros((0, 9), np.uint8))
    got = jax.jit(body)(few, *arguments)
    assert got.batch_size == count
    if count:
        check(got, body(few, *arguments))


def test_one_file():
    one = ndd.tensor(EACH[1])
    for body, *arguments in (
        STATIC["crop"],
        STATIC["slice, middle"],
        WAITING["random"],
        (lambda f, x: image_crop(f, crop=(20, 24), crop_pos_x=x), jnp.float32(0.3)),
        (lambda f, s: small(image_slice(f, start=s, axes=[1])), np.int32([3])),
        (lambda f: image_crop(f, crop=(20, 24), crop_pos_x=PLACES),),
        (lambda f, keys: small(image_random_crop(f, key=keys)), jax.random.split(KEY, 3)),
    ):
        got, wanted = jax.jit(body)(one, *arguments), body(one, *arguments)
        assert type(got) is type(wanted)
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def test_places_are_rounded_as_outside():
    # In single precision 0.7 * 5 is 3.5, and the window lies a pixel further.
    file = ndd.tensor(encoded(noise(6, (8, 13, 3))))
    for x in np.float32([[0.7], [0.1], [0.3], [0.9]]):
        for body in (
            lambda f, x: image_crop(f, crop=(8, 8), crop_pos_x=x[0]),
            lambda f, x: small(image_slice(f, x, [0.1], axis_names="W")),
        ):
            got = jax.jit(body)(file, x)
            np.testing.assert_array_equal(np.asarray(got), np.asarray(body(file, x)))


def test_under_vmap():
    def body(file, place, key):
        part = image_crop(file, crop=(20, 24), crop_pos_x=place)
        return part, small(image_random_crop(file, key=key))

    keys = jax.random.split(KEY, len(EACH))
    part, drawn = jax.jit(jax.vmap(body))(FILES, PLACES, keys)
    check(part, image_crop(FILES, crop=(20, 24), crop_pos_x=PLACES))
    check(drawn, small(image_random_crop(FILES, key=keys)))


@pytest.mark.parametrize("case", CASES)
def test_the_window_alone_is_decoded_by_one_call(case):
    body, *arguments = CASES[case]
    made = [str(e) for e in jax.make_jaxpr(lambda *a: body(*a).jax())(FILES, *arguments).eqns]
    assert sum("dynjax_picture_chain" in e for e in made) == 1
    assert not any("dynjax_decode_slots" in e or "dynjax_resample" in e for e in made)


def test_what_lies_behind_the_window_is_not_read(photos):
    whole = np.frombuffer(photos[1], np.uint8)
    wanted = np.asarray(image(whole))
    files = ndd.batch([cut(whole, 0.5)] * 2)
    top = jax.jit(lambda f: image_crop(f, crop=(8, 20), crop_pos_y=0.0, crop_pos_x=0.0))(files)
    np.testing.assert_array_equal(np.asarray(top)[1], wanted[:8, :20])
    run = jax.jit(
        lambda f: ndd.flip(ndd.crop(image_slice(f, rel_end=[0.1], axes=[0]), crop=[4, 4]))
    )
    assert run(files).shape == [(4, 4, 3)] * 2
    with pytest.raises(Exception, match=r"decoders.image_crop: sample 0: the data are truncated"):
        jax.block_until_ready(jax.jit(lambda f: small(image_crop(f)))(files))


def test_one_program_for_all_windows():
    traces = []

    @jax.jit
    def body(files, start, place):
        traces.append(1)
        part = small(image_slice(files, start=start, shape=SIZES, axes=[0, 1]))
        return part, image_crop(files, crop=(20, 24), crop_pos_y=place)

    for move in (0, 1):
        starts, places = (
            ndd.batch(np.maximum(np.asarray(STARTS) - move, 0)),
            ndd.batch(np.asarray(PLACES) / 2),
        )
        part, cropped = body(FILES, starts, places)
        check(part, small(image_slice(FILES, start=starts, shape=SIZES, axes=[0, 1])))
        check(cropped, image_crop(FILES, crop=(20, 24), crop_pos_y=places))
    assert len(traces) == 1


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (lambda f: image_crop(f, crop=(34, 20)), "image_crop: sample 2"),
        (lambda f: small(image_crop(f, crop=(20, 31))), "image_crop: sample 1"),
        (lambda f: image_slice(f, start=[60, 0], shape=[5, 5]), "image_slice: sample 0"),
        (lambda f: small(image_slice(f, end=[39], axes=[1])), "image_slice: sample 1"),
        (lambda f: small(image_slice(f, start=[36], axes=[0])), "image_slice: sample 2"),
        (
            lambda f: small(image_slice(f, rel_start=[0.4], rel_end=[0.3], axes=[0])),
            "image_slice: sample 0",
        ),
    ],
)
def test_a_window_that_does_not_fit_fails_the_program(body, what):
    message = "the window is empty or reaches beyond the picture"
    with pytest.raises(Exception, match=rf"decoders\.{what}: {message}"):
        jax.block_until_ready(jax.jit(body)(FILES))


def test_a_bad_file_fails_the_program():
    spoiled = ndd.batch([EACH[0], np.zeros(50, np.uint8)])
    for body, what in (
        (lambda f: image_crop(f, crop=(8, 8)), "image_crop"),
        (lambda f: small(image_random_crop(f, key=KEY)), "image_random_crop"),
    ):
        with pytest.raises(Exception, match=f"{what}: sample 1: the format was not recognised"):
            jax.block_until_ready(jax.jit(body)(spoiled))


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (lambda f: image_random_crop(f, key=KEY), ndd.ArgumentError, "Resize or crop them"),
        (lambda f: image_random_crop(f), TypeError, "inside jit, vmap or grad pass key="),
        (
            lambda f: image_slice(f, rel_end=[0.5, 0.5]) + 1,
            ndd.ArgumentError,
            "size .* is not known",
        ),
        (
            lambda f: ndd.brightness(image_crop(f), brightness=2.0),
            *(ndd.ArgumentError, "Resize or crop them"),
        ),
        (
            lambda f: image_crop(f, crop=(8, 8), output_type=types.ANY_DATA),
            *(ndd.ArgumentError, "image_crop: output_type=ANY_DATA"),
        ),
        (
            lambda f: small(image_slice(f, start=[-1], axes=[0])),
            *(ndd.OperatorError, r"window \[-1, \?\) does not fit an extent of \?"),
        ),
        (
            lambda f: image_slice(f, start=[5, 5], shape=[0, 3]),
            *(ndd.OperatorError, r"image_slice: the window of \(3, 0\) pixels is empty"),
        ),
        (lambda f: image_crop(f, crop=(8, 8), crop_h=3), ndd.OperatorError, "must be given tog"),
        (lambda f: image_crop(f, crop=(8, 8), dtype=types.FLOAT64), ndd.OperatorError, "dtype="),
        (lambda f: image_slice(f, axis_names="C"), ndd.OperatorError, "axis 'C' is not"),
        (
            lambda f: image_random_crop(f, random_area=[0.9, 0.2], key=KEY),
            *(ndd.OperatorError, "is empty"),
        ),
    ],
)
def test_what_cannot_be_says_so_before_it_runs(body, error, message):
    with pytest.raises(error, match=message):
        jax.jit(body)(FILES)
    with pytest.raises(ndd.OperatorError, match="expected encoded files"):
        jax.jit(lambda f: image_crop(f, crop=(2, 2)))(ndd.as_batch(np.zeros((2, 3, 4), np.uint8)))
