"""From file to batch in one native call: the bits, the errors and the report of separate calls."""

import io

import numpy as np
import pytest
from PIL import Image
from support.encoded import cut, encoded, text
from support.loops import BATCH, check, values

import dynjax as ndd
from dynjax._execution import chains as execution_chains
from dynjax._execution.chains import Chain
from dynjax._ops._lib import picture_chain
from dynjax._ops._lib.decoding import Headers
from dynjax._ops.decoders import image
from dynjax.types import DALIImageType, DALIInterpType


def noise(seed: int, height: int, width: int, channels: int = 3) -> np.ndarray:
    coarse = np.random.default_rng(seed).integers(0, 256, (4, 5, channels), np.uint8)
    mode = {1: "L", 3: "RGB", 4: "RGBA"}[channels]
    picture = Image.fromarray(coarse if channels > 1 else coarse[:, :, 0], mode)
    return np.asarray(picture.resize((width, height), Image.Resampling.BICUBIC))


def turned(orientation: int) -> np.ndarray:
    picture = Image.fromarray(noise(orientation, 30, 44))
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    picture.save(file, "JPEG", exif=exif)
    return np.frombuffer(file.getvalue(), np.uint8)


@pytest.fixture(scope="module")
def files() -> list[np.ndarray]:
    """Natively decoded and decoded by Pillow, of all colours and orientations."""
    return [
        encoded(noise(0, 41, 56), "JPEG", subsampling="4:2:0"),
        encoded(noise(1, 64, 33), "JPEG", subsampling="4:4:4"),
        encoded(noise(2, 40, 40, 1), "JPEG"),
        turned(6),
        encoded(noise(3, 35, 52), "PNG"),
        encoded(noise(4, 38, 37, 4), "PNG"),
        encoded(noise(5, 50, 31), "WEBP", lossless=True),
        turned(3),
        encoded(noise(6, 33, 47), "BMP"),
        encoded(noise(7, 32, 32, 1), "PNG"),
        encoded(noise(8, 57, 44), "JPEG", progressive=True),
    ]


@pytest.fixture
def batches(files) -> list[ndd.Batch]:
    """Six batches that share no order."""
    orders = [np.random.default_rng(k).permutation(len(files))[:BATCH] for k in range(6)]
    return [ndd.batch([files[i] for i in order]) for order in orders]


@pytest.fixture
def chains(monkeypatch) -> list[list[str]]:
    """The operators of each chain that ran."""
    ran = []

    def run(self, calls):
        made = inner(self, calls)
        if made is not None:
            ran.append([c.record.name for c in calls])
        return made

    inner = Chain.__call__
    monkeypatch.setattr(Chain, "__call__", run)
    return ran


def normalised(x, **changes):
    arguments = {"mean": [120.0, 110.0, 100.0], "std": [50.0, 60.0, 70.0]} | changes
    return ndd.crop_mirror_normalize(x, **arguments)


def photographs(x, i, rng):
    return normalised(ndd.resize(ndd.decoders.image(x), size=[20, 24]))


def channels_last(x, i, rng):
    small = ndd.resize(ndd.decoders.image(x), size=[20, 24], dtype=ndd.float32)
    return normalised(small, output_layout="HWC", dtype=ndd.float16, scale=2.0, shift=0.25)


def training(x, i, rng):
    part = ndd.decoders.image_random_crop(x, rng=rng)
    mirror = ndd.random.coin_flip(batch_size=BATCH, rng=rng)
    return normalised(ndd.resize(part, size=[16, 16]), mirror=mirror)


def mirrored(x, i, rng):
    mirror = ndd.random.coin_flip(batch_size=BATCH, rng=rng)
    return normalised(ndd.resize(ndd.decoders.image(x), size=[300, 280]), mirror=mirror)


def without_resize(x, i, rng):
    mirror = ndd.random.coin_flip(batch_size=BATCH, rng=rng)
    return normalised(
        ndd.decoders.image(x),
        crop=[48, 48],
        crop_pos_x=0.1,
        mirror=mirror,
        out_of_bounds_policy="pad",
        fill_values=[1.0, 2.0, 3.0],
        pad_output=True,
        dtype=ndd.int8,
    )


def windows(x, i, rng):
    place = ndd.random.uniform(batch_size=BATCH, range=[0.0, 1.0], rng=rng)
    part = ndd.decoders.image_crop(x, crop=[20, 22], crop_pos_x=place, crop_pos_y=place)
    larger = ndd.crop(part, crop=[30, 18], out_of_bounds_policy="pad", fill_values=[9.0])
    turn = ndd.random.coin_flip(batch_size=BATCH, rng=rng)
    return normalised(ndd.flip(larger, horizontal=turn, vertical=1), dtype=ndd.uint8)


def ragged_result(x, i, rng):
    part = ndd.decoders.image_slice(x, rel_start=[0.1, 0.2], rel_shape=[0.5, 0.7])
    return ndd.resize(part, resize_shorter=14.0, interp_type=DALIInterpType.INTERP_CUBIC)


def regions_and_filters(x, i, rng):
    grey = ndd.decoders.image(x, output_type=DALIImageType.GRAY, adjust_orientation=False)
    low = ndd.resize(
        grey,
        size=[19, 23],
        roi_start=[0.1, 0.9],
        roi_end=[0.8, 0.2],
        roi_relative=True,
        antialias=False,
        interp_type=DALIInterpType.INTERP_LANCZOS3,
    )
    return ndd.slice(low, rel_start=[0.2], rel_shape=[0.5], axes=[1])


def other_pixels(x, i, rng):
    deep = ndd.decoders.image(x, dtype=ndd.uint16, output_type=DALIImageType.YCbCr)
    return ndd.resize(deep, size=[9, 0], interp_type=DALIInterpType.INTERP_NN, mode="stretch")


def random_regions(x, i, rng):
    return normalised(ndd.random_resized_crop(ndd.decoders.image(x), size=[12, 14], rng=rng))


def turned_about(x, i, rng):
    digits = ndd.decoders.image(x, output_type=DALIImageType.GRAY)
    angle = ndd.random.uniform(range=[-30.0, 30.0], batch_size=BATCH, rng=rng)
    straight = ndd.rotate(digits, angle=angle, keep_size=True, fill_value=7.0)
    matrix = ndd.random.normal(shape=[2, 3], mean=1.0, batch_size=BATCH, rng=rng)
    return normalised(ndd.warp_affine(straight, matrix, size=[15, 11]), mean=[9.0], std=[2.0])


BODIES = {
    photographs: 3,
    channels_last: 3,
    training: 3,
    mirrored: 3,
    without_resize: 2,
    windows: 4,
    ragged_result: 2,
    regions_and_filters: 3,
    other_pixels: 2,
    random_regions: 3,
    turned_about: 4,
}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_same_bits(body, batches, chains):
    report = check(body, batches, epochs=2)
    assert {len(names) for names in chains} == {BODIES[body]}
    assert len(chains) >= 2 * len(batches) - 1
    for call in report.calls:
        assert call.captured == call.calls - 1, call


@pytest.fixture
def alike() -> list[ndd.Batch]:
    """Batches of other pictures, most of which have the sizes of the batch before."""

    def batch(k, *sizes):
        return ndd.batch([encoded(noise(4 * k + i, *s), "JPEG") for i, s in enumerate(sizes)])

    one, other = (40, 36), (36, 40)
    orders = [[one] * 4, [one] * 4, [one] * 4, [other] * 4, [one, other] * 2, [one, other] * 2]
    return [batch(k, *sizes) for k, sizes in enumerate(orders)]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_what_was_described_before_serves(body, alike, chains, monkeypatch):
    described = []

    def describe(*given):
        described.append(given)
        return picture_chain.chained(*given)

    monkeypatch.setattr(execution_chains, "chained", describe)
    check(body, alike, epochs=2)
    assert len(chains) == 11
    if body not in {training, windows, ragged_result, random_regions}:  # which look at each picture
        # The second batch, and those that are unlike the one before.
        assert len(described) == 6


ODD = {
    "png": lambda: encoded(noise(90, 40, 36), "PNG"),
    "bmp": lambda: encoded(noise(91, 40, 36), "BMP"),
    "grey": lambda: encoded(noise(92, 40, 36, 1), "JPEG"),
    "turned": lambda: turned(6),
    "larger": lambda: encoded(noise(93, 48, 36), "JPEG"),
    "cut": lambda: cut(encoded(noise(94, 40, 36), "JPEG")),
    "no picture": text,
}


@pytest.mark.parametrize("odd", ODD)
def test_headers_that_recur_are_not_read_first(odd, chains, monkeypatch):
    def batch(k):
        return [encoded(noise(BATCH * k + i, 40, 36), "JPEG") for i in range(BATCH)]

    batches = [batch(k) for k in range(18)]
    batches[6][2] = ODD[odd]()

    def body(x, i, rng):
        try:
            images = ndd.decoders.image(x, output_type=DALIImageType.ANY_DATA)
            return values(ndd.resize(images, size=[20, 24]))
        except ndd.OperatorError as error:
            return str(error)

    headers = []

    def count(*given, **named):
        headers.append(given)
        return Headers(*given, **named)

    monkeypatch.setattr(image, "Headers", count)
    check(body, [ndd.batch(files) for files in batches])
    assert len(chains) >= 16
    # Eagerly 18. Captured: the first three, the odd one, and some behind it.
    assert 18 + 4 <= len(headers) <= 18 + 14


def test_a_limit_holds_where_headers_recur(alike, chains):
    def body(x, i, rng):
        ndd.decoders.set_max_image_pixels(1000 if i == 4 else None)
        try:
            return values(ndd.resize(ndd.decoders.image(x), size=[20, 24]))
        except ndd.OperatorError as error:
            return str(error)

    try:
        check(body, [alike[0]] * 8, prefetch=0)
    finally:
        ndd.decoders.set_max_image_pixels(None)
    assert len(chains) >= 6


def test_result_in_recycled_memory(batches, chains):
    def body(x, i, rng):
        return normalised(ndd.resize(ndd.decoders.image(x), size=[224, 224]))

    check(body, batches, epochs=2)
    assert chains


def test_a_result_that_is_used_is_there(batches, chains):
    def body(x, i, rng):
        images = ndd.decoders.image(x)
        small = ndd.resize(images, size=[8, 9])
        return images if i == 4 else None, normalised(small), normalised(small, mirror=1)

    check(body, batches, epochs=2)
    assert all(names == ["decoders.image", "resize"] for names in chains)


def test_shapes_do_not_need_the_pictures(batches, chains):
    def body(x, i, rng):
        images = ndd.decoders.image(x)
        small = normalised(ndd.resize(images, size=[8, 9]))
        assert images.layout == "HWC"
        return images.shape, images.dtype == ndd.uint8, small

    report = check(body, batches)
    assert len(chains) >= len(batches) - 1
    assert report.calls[0].captured == len(batches) - 1


def test_a_broken_file_raises_at_its_batch(batches, files, chains):
    batches[3] = ndd.batch([files[0], cut(files[1]), files[2], files[4]])

    def body(x, i, rng):
        try:
            return values(photographs(x, i, rng))
        except ndd.OperatorError as error:
            return str(error)

    source = ndd.ExternalSource(batches)
    plain = [body(x, i, None) for i, x in enumerate(batches)]
    captured = [body(x, i, None) for i, x in enumerate(source.captured(batch_size=BATCH))]
    assert plain[3] == captured[3]
    assert "decoders.image: sample 1: the data are truncated" in captured[3]
    for a, b in zip(plain[4:], captured[4:], strict=True):
        assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert len(chains) >= len(batches) - 2


def test_a_wrong_argument_raises_as_ever(batches):
    def body(x, i, rng):
        images = ndd.resize(ndd.decoders.image(x), size=[20, 20])
        mean = [1.0, 2.0] if i == 4 else [1.0]
        try:
            return values(ndd.crop_mirror_normalize(images, mean=mean))
        except ndd.OperatorError as error:
            return str(error)

    check(body, batches)


@pytest.mark.parametrize("option", [{"on_error": "fill"}, {"device": "cpu"}], ids=str)
def test_what_is_no_chain_is_computed_as_before(option, batches, chains):
    def body(x, i, rng):
        return normalised(ndd.resize(ndd.decoders.image(x, **option), size=[20, 24]))

    check(body, batches)
    assert not chains


def test_two_results_of_one_resize(batches, chains):
    def body(x, i, rng):
        small, size = ndd.resize(ndd.decoders.image(x), size=[8, 9], save_attrs=True)
        return normalised(small), size

    check(body, batches)
    assert not chains
