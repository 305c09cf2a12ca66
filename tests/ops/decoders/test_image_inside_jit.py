"""Decoding inside `jit` without a bound: one native call with the steps that follow."""

import jax
import numpy as np
import pytest
from support.encoded import encoded
from support.samples import noise

import dynjax as ndd
from dynjax import types

EACH = [
    encoded(noise(0, (40, 50, 3)), "JPEG"),
    encoded(noise(1, (70, 30, 3))),
    encoded(noise(2, (33, 64, 3)), "JPEG"),
]
FILES = ndd.batch(EACH)


def _normalised(pictures, mirror=0):
    return ndd.crop_mirror_normalize(
        pictures, dtype=ndd.float32, mean=[1.0, 2.0, 3.0], std=[4.0, 5.0, 6.0], mirror=mirror
    )


def _resized(files):
    return ndd.resize(ndd.decoders.image(files), size=(16, 24))


def _three_steps(files):
    return _normalised(_resized(files), mirror=1)


def _turned_first(files):
    return ndd.resize(ndd.flip(ndd.decoders.image(files), horizontal=1), size=(9, 11))


def _cropped(files):
    pictures = ndd.crop(ndd.decoders.image(files, output_type=types.BGR), crop=(20, 24))
    return _normalised(pictures)


def _rotated(files):
    return ndd.rotate(_resized(files), angle=30.0, keep_size=True)


def _floats(files):
    return ndd.resize(ndd.decoders.image(files, dtype=types.FLOAT), size=(8, 8))


@pytest.mark.parametrize(
    "body", [_resized, _three_steps, _turned_first, _cropped, _rotated, _floats]
)
def test_pixels_are_those_of_the_calls_outside(body):
    got, wanted = jax.jit(body)(FILES), body(FILES)
    assert got.layout == wanted.layout
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
    one = jax.jit(body)(ndd.tensor(EACH[1]))
    assert isinstance(one, ndd.Tensor)
    np.testing.assert_array_equal(np.asarray(one), np.asarray(wanted)[1])


def test_random_steps_draw_from_the_key():
    def body(files, key):
        return ndd.random_resized_crop(ndd.decoders.image(files), size=(12, 10), key=key)

    key = jax.random.key(7)
    got = jax.jit(body)(FILES, key)
    np.testing.assert_array_equal(np.asarray(got), np.asarray(body(FILES, key)))


def test_results_of_several_sizes_need_only_a_bound_of_their_own():
    def body(files):
        return ndd.resize(ndd.decoders.image(files), size=(16, 16), mode="not_larger")

    got, wanted = jax.jit(body)(FILES), body(FILES)
    assert got.shape == wanted.shape
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


def test_a_size_that_depends_on_the_picture_waits_for_the_next_step():
    def cropped(pictures, **limit):
        return ndd.crop(ndd.resize(pictures, resize_shorter=40, **limit), crop=(32, 32))

    got = jax.jit(lambda files: cropped(ndd.decoders.image(files)))(FILES)
    # Not the call outside: inside `jit` such sizes are float32 numbers.
    wanted = jax.jit(lambda pictures: cropped(pictures, max_size=500))(ndd.decoders.image(FILES))
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def test_under_vmap_and_twice_from_one_file():
    @jax.jit
    def body(files):
        pictures = ndd.decoders.image(files)
        each = jax.vmap(lambda file: ndd.resize(ndd.decoders.image(file), size=(6, 5)))(files)
        return ndd.resize(pictures, size=(8, 8)), ndd.crop(pictures, crop=(4, 4)), each

    small, part, each = body(FILES)
    pictures = ndd.decoders.image(FILES)
    for got, wanted in (
        (small, ndd.resize(pictures, size=(8, 8))),
        (part, ndd.crop(pictures, crop=(4, 4))),
        (each, ndd.resize(pictures, size=(6, 5))),
    ):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def test_no_slot_of_the_pictures_is_made():
    shapes = [str(e) for e in jax.make_jaxpr(lambda b: _three_steps(b).jax())(FILES).eqns]
    assert sum("dynjax_picture_chain" in e for e in shapes) == 1
    assert not any("dynjax_resample" in e or "dynjax_decode_slots" in e for e in shapes)


def test_sizes_can_be_looked_at():
    @jax.jit
    def body(files):
        pictures = ndd.decoders.image(files)
        return pictures.spec.shape[0], _resized(files)

    heights, _ = body(FILES)
    assert heights.tolist() == [40, 70, 33]


def test_a_bad_file_fails_the_program():
    whole = EACH[0]
    run = jax.jit(_resized)
    for spoiled, said in (
        (whole[: len(whole) // 2], "the data are truncated"),
        (whole[:8], "the data are"),
        (np.zeros(50, np.uint8), "the format was not recognised"),
    ):
        with pytest.raises(Exception, match=f"decoders.image: sample 1: {said}"):
            jax.block_until_ready(run(ndd.batch([whole, spoiled])))
    np.testing.assert_array_equal(np.asarray(run(FILES)), np.asarray(_resized(FILES)))


def test_the_limit_of_pixels_holds():
    try:
        ndd.decoders.set_max_image_pixels(40 * 50)
        with pytest.raises(Exception, match="sample 1: the picture is larger than is allowed"):
            jax.block_until_ready(jax.jit(lambda b: _resized(b))(FILES))
    finally:
        ndd.decoders.set_max_image_pixels(None)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda b: ndd.decoders.image(b), r"inside jit the size .*Pass bound="),
        (lambda b: ndd.decoders.image(b) + 1, r"inside jit the size .*Pass bound="),
        (lambda b: ndd.decoders.image(b).jax(pad=True), r"inside jit the size .*Pass bound="),
        (
            lambda b: ndd.brightness(ndd.decoders.image(b), brightness=2.0),
            r"inside jit the size .*Resize or crop",
        ),
        (
            lambda b: ndd.resize(ndd.decoders.image(b), size=(8, 8), save_attrs=True)[0],
            "resize: inside jit it cannot be one step with decoding",
        ),
        (
            lambda b: _resized(ndd.decoders.image(b, on_error="fill")),
            "on_error='fill' needs the size",
        ),
    ],
)
def test_what_needs_a_bound_says_so(body, message):
    with pytest.raises(ndd.ArgumentError, match=message):
        jax.jit(body)(FILES)
