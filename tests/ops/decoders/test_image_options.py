"""`decoders.image` on request: bad files (user case V7), scaled decoding, inside `jit`."""

import io

import jax
import numpy as np
import pytest
from PIL import Image
from support.encoded import cut, encoded, text
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import types

SHAPE = (64, 64, 3)
GOOD = [encoded(noise(i, SHAPE), "JPEG") for i in range(8)]
LABELS = ndd.batch([np.int32(i) for i in range(4)])
WARNING = "ignore:decoders.image. . of . samples:RuntimeWarning"


def spoiled() -> list[np.ndarray]:
    """Eight pictures of which 3 is cut off and 5 is none."""
    files = list(GOOD)
    files[3], files[5] = cut(files[3]), text()
    return files


@pytest.fixture
def folder(tmp_path):
    for i, data in enumerate(spoiled()):
        (tmp_path / f"{i}.jpg").write_bytes(data.tobytes())
    return tmp_path


def reader_of(folder):
    names = [f"{i}.jpg" for i in range(8)]
    return ndd.readers.File(file_root=str(folder), files=names, labels=list(range(8)))


# Bad files ------------------------------------------------------------------------------------


def test_raise_names_file_sample_and_reason(folder):
    reader = reader_of(folder)
    epoch = reader.next_epoch(4)
    for name, sample, reason in [("3.jpg", 3, "truncated"), ("5.jpg", 1, "not recognised")]:
        jpegs, _ = next(epoch)
        with pytest.raises(ndd.OperatorError, match=rf"sample {sample} \(.*{name}\): .*{reason}"):
            ndd.decoders.image(jpegs).evaluate()
    assert len(list(reader.next_epoch(4))) == 2


@pytest.mark.parametrize("capture", [False, True])
def test_fill(folder, capture):
    reader = reader_of(folder)

    def epoch():
        for jpegs, _ in reader.next_epoch(4, capture=capture):
            images = ndd.decoders.image(jpegs, on_error="fill", fill_shape=SHAPE, fill_value=7)
            small = ndd.resize(images, size=(8, 8))
            yield images.valid.tolist(), np.asarray(images), small.valid.tolist()

    for number in range(2):
        with pytest.warns(RuntimeWarning, match=f"2 samples of epoch {number} could") as caught:
            masks, images, of_small = zip(*epoch(), strict=True)
        assert len(caught) == 1
        assert masks == of_small == ([True, True, True, False], [True, False, True, True])
        assert (images[0][3] == 7).all()
        assert (images[1][1] == 7).all()
        np.testing.assert_array_equal(images[0][0], np.asarray(ndd.decoders.image(GOOD[0])))
        assert [(s.name[-5:], s.index) for s in reader.skipped] == [("3.jpg", 3), ("5.jpg", 5)]
        assert "truncated" in reader.skipped[0].reason


@pytest.mark.parametrize("capture", [False, True])
def test_skip_keeps_labels_beside_their_images(folder, capture):
    reader = reader_of(folder)

    def epoch():
        for jpegs, labels in reader.next_epoch(4, capture=capture):
            images = ndd.resize(ndd.decoders.image(jpegs, on_error="skip"), size=(8, 8))
            images, labels = ndd.drop_invalid(images, labels)
            assert images.batch_size == labels.batch_size == 3
            yield from np.asarray(labels).ravel().tolist()

    with pytest.warns(RuntimeWarning, match="2 samples of epoch 0"):
        found = list(epoch())
    assert found == [0, 1, 2, 4, 6, 7]


@pytest.mark.filterwarnings(WARNING)
def test_without_a_reader_the_call_warns_and_lists():
    files = ndd.batch(spoiled()[:4])
    with pytest.warns(RuntimeWarning, match=r"1 of 4 samples .* were filled; .*sample 3: .*trunc"):
        filled = ndd.decoders.image(files, on_error="fill")
    assert filled.shape == [SHAPE] * 3 + [(1, 1, 3)]
    assert [(b.sample, b.name) for b in ndd.decoders.bad_samples(filled)] == [(3, "")]
    assert ndd.decoders.bad_samples(ndd.decoders.image(ndd.batch(GOOD), on_error="fill")) == []
    for images in (filled, ndd.decoders.image(files, on_error="skip")):
        kept, labels = ndd.drop_invalid(images, LABELS)
        assert np.asarray(labels).tolist() == [0, 1, 2]
        np.testing.assert_array_equal(np.asarray(kept)[2], np.asarray(ndd.decoders.image(GOOD[2])))
    with pytest.raises(ndd.ArgumentError, match=r"drop_invalid: batch 1 has 3 .* expected 4"):
        ndd.drop_invalid(filled, LABELS.select([0, 1, 2]))
    with pytest.raises(ndd.ArgumentError, match="sample_keys: the batch does not say"):
        ndd.random.sample_keys(filled, jax.random.key(0))


@pytest.mark.filterwarnings(WARNING)
def test_other_types_formats_and_channels():
    small = noise(1, (5, 6, 3))
    files = [encoded(small), cut(encoded(small, "WEBP")), encoded(small, "BMP"), text()]
    out = ndd.decoders.image(
        ndd.batch(files), on_error="fill", dtype="float32", fill_shape=(2, 3), fill_value=0.5
    )
    assert out.valid.tolist() == [True, False, True, False]
    assert out.shape == [(5, 6, 3), (2, 3, 3), (5, 6, 3), (2, 3, 3)]
    np.testing.assert_allclose(arrays(out)[2], small / 255, rtol=1e-6)
    assert (arrays(out)[1] == 0.5).all()
    out = ndd.decoders.image(
        ndd.batch(files), on_error="fill", output_type=types.ANY_DATA, fill_shape=(2, 3, 1)
    )
    assert out.shape[3] == (2, 3, 1)


@pytest.mark.filterwarnings(WARNING)
def test_nothing_but_bad_files():
    files = ndd.batch([text(), text()])
    assert ndd.decoders.image(files, on_error="skip").batch_size == 0
    assert ndd.decoders.image(files, on_error="fill").valid.tolist() == [False, False]
    assert np.asarray(ndd.decoders.image(text(), on_error="fill", fill_value=3)).tolist() == [
        [[3, 3, 3]]
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"on_error": "ignore"}, r"on_error='ignore'; expected 'raise', 'fill' or 'skip'"),
        ({"on_error": "fill", "fill_shape": (2,)}, r"fill_shape=\(2,\); expected the height"),
        ({"on_error": "fill", "fill_shape": (2, 2, 4)}, r"fill_shape=.* its 3 channels"),
        ({"on_error": "fill", "fill_value": 256}, r"fill_value=256.*from 0 to 255"),
        ({"on_error": "skip"}, r"on_error='skip' .* of a single sample"),
        ({"scale": 0.3}, r"scale=0.3; expected a number of eighths"),
        ({"scale": 2}, r"scale=2.0; expected a number of eighths"),
        ({"bound": 64}, r"bound=\(64,\); expected a height and a width"),
    ],
)
def test_wrong_arguments(arguments, message):
    match = rf"decoders.image: {message}"
    with pytest.raises(ndd.ArgumentError, match=match), ndd.EvalMode.sync_cpu:
        ndd.decoders.image(GOOD[0], **arguments)


def test_a_path_in_the_place_of_a_file():
    with pytest.raises(RuntimeError, match=r"decoders.image: .*'a.jpg'.*dynjax.imread"):
        ndd.decoders.image("a.jpg")


# Scaled ---------------------------------------------------------------------------------------


def drafted(file: np.ndarray, divisor: int) -> np.ndarray:
    """Pillow's scaled decoding, which knows 1/2, 1/4 and 1/8."""
    image = Image.open(io.BytesIO(file.tobytes()))
    image.draft("RGB", (image.width // divisor, image.height // divisor))
    return np.asarray(image)


@pytest.mark.parametrize("options", [{}, {"subsampling": "4:4:4"}, {"progressive": True}], ids=str)
def test_scaled_pixels_are_libjpegs(options):
    smooth = np.asarray(Image.fromarray(noise(0, (9, 13, 3))).resize((131, 97)))
    file = encoded(smooth, "JPEG", quality=90, **options)
    for divisor in (2, 4, 8):
        got = np.asarray(ndd.decoders.image(file, scale=1 / divisor))
        np.testing.assert_array_equal(got, drafted(file, divisor))
    for eighths in range(1, 9):
        got = ndd.decoders.image(file, scale=eighths / 8)
        assert got.shape == (-(-97 * eighths // 8), -(-131 * eighths // 8), 3)


@pytest.mark.parametrize("eighths", range(1, 9))
def test_scaled_pixels_are_about_those_of_a_resize(eighths):
    # Whole blocks, so that both grids are the same.
    smooth = Image.fromarray(noise(0, (6, 8, 3))).resize((128, 96))
    file = encoded(smooth, "JPEG", quality=95, subsampling="4:4:4")
    got = np.asarray(ndd.decoders.image(file, scale=eighths / 8)).astype(int)
    resized = np.asarray(smooth.resize(got.shape[1::-1], Image.Resampling.BOX))
    assert np.abs(got - resized).mean() < 3


def test_scaled_pictures_are_turned_and_mixed():
    exif = Image.Exif()
    exif[0x0112] = 6
    file = encoded(noise(0, (33, 50, 3)), "JPEG", exif=exif)
    png = encoded(noise(1, (7, 9, 3)))
    out = ndd.decoders.image(ndd.batch([file, png]), scale=0.5, output_type="gray")
    assert out.shape == [(25, 17, 1), (7, 9, 1)]


# Inside jit -----------------------------------------------------------------------------------


def test_inside_jit_the_pixels_are_those_of_the_eager_call():
    files = ndd.batch([encoded(noise(i, (20 + i, 30, 3)), "JPEG") for i in range(3)])
    wanted = arrays(ndd.decoders.image(files))
    got = jax.jit(lambda b: ndd.decoders.image(b, bound=(24, 32)))(files)
    assert got.shape == [w.shape for w in wanted]
    for a, b in zip(arrays(got), wanted, strict=True):
        np.testing.assert_array_equal(a, b)

    @jax.jit
    def step(b):
        small = ndd.resize(ndd.decoders.image(b, bound=(24, 32)), size=(8, 8))
        each = jax.vmap(lambda one: ndd.decoders.image(one, bound=(24, 32)).jax(pad=True))(b)
        return small, each

    small, each = step(files)
    np.testing.assert_array_equal(np.asarray(small), np.asarray(ndd.resize(got, size=(8, 8))))
    assert each.shape == (3, 24, 32, 3)
    np.testing.assert_array_equal(np.asarray(each)[1, :21, :30], wanted[1])
    assert not np.asarray(each)[1, 21:].any()  # nothing of other pictures or programs


def test_inside_jit_a_bad_file_fails_the_program_or_is_filled():
    files = ndd.batch(spoiled()[:6])
    with pytest.raises(Exception, match=r"decoders.image: sample 3: the data are truncated"):
        jax.block_until_ready(jax.jit(lambda b: ndd.decoders.image(b, bound=(64, 64)))(files))
    filled = jax.jit(
        lambda b: ndd.decoders.image(
            b, bound=(64, 64), on_error="fill", fill_shape=(2, 3), fill_value=9
        )
    )(files)
    assert filled.shape == [SHAPE] * 3 + [(2, 3, 3), SHAPE, (2, 3, 3)]
    assert (arrays(filled)[3] == 9).all()
    np.testing.assert_array_equal(arrays(filled)[4], np.asarray(ndd.decoders.image(GOOD[4])))


def test_what_is_larger_than_the_bound():
    files = ndd.batch(GOOD[:2])
    with pytest.raises(ndd.OperatorError, match=r"sample 0: .*64 x 64 .*bound=\(63, 99\)"):
        ndd.decoders.image(files, bound=(63, 99)).evaluate()
    with pytest.raises(Exception, match=r"sample 0: the picture is larger than bound="):
        jax.block_until_ready(jax.jit(lambda b: ndd.decoders.image(b, bound=(63, 99)))(files))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"inside jit the size .*Pass bound="),
        ({"bound": (8, 8), "output_type": types.ANY_DATA}, "Choose RGB, BGR, GRAY or YCbCr"),
        ({"bound": (8, 8), "on_error": "skip"}, "on_error='skip' .* inside jit"),
        ({"bound": (8, 8), "on_error": "fill", "fill_shape": (9, 8)}, "does not fit bound="),
    ],
)
def test_inside_jit_what_is_not_known_is_asked_for(arguments, message):
    with pytest.raises(ndd.ArgumentError, match=message):
        jax.jit(lambda b: ndd.decoders.image(b, **arguments))(ndd.batch(GOOD[:2]))
