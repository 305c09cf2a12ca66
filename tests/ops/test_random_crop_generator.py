"""`random_crop_generator` and `random_resized_crop`, which share their windows."""

import jax
import numpy as np
import pytest

import dynjax as ndd
from dynjax._types import device as devices

KEY = jax.random.key(7)


def windows(size, count=3000, **arguments):
    anchor, shape = ndd.random_crop_generator(ndd.batch([size] * count), key=KEY, **arguments)
    return np.asarray(anchor), np.asarray(shape)


def test_distribution():
    anchor, shape = windows([500, 500], random_area=[0.1, 0.4])
    assert (anchor >= 0).all()
    assert (anchor + shape <= 500).all()
    area = shape.prod(axis=1) / 250_000
    # All of them fit: uniform areas and logarithms of aspects, three deviations of 375 draws.
    counts = np.histogram(area, 8, (0.1, 0.4))[0]
    assert np.abs(counts - 375).max() < 60
    aspect = np.log(shape[:, 1] / shape[:, 0])
    counts = np.histogram(aspect, 8, (np.log(3 / 4), np.log(4 / 3)))[0]
    assert np.abs(counts - 375).max() < 60
    place = anchor / (500 - shape)
    assert np.abs(place.mean(axis=0) - 0.5).max() < 0.02


def test_the_largest_window_where_none_fits():
    for aspect, size in (((3, 4), [23, 70]), ((0.1, 0.2), [50, 10]), ((1, 1), [50, 50])):
        anchor, shape = windows([50, 70], 50, random_area=[0.99, 1], random_aspect_ratio=aspect)
        assert (shape == size).all()
        assert len(np.unique(anchor, axis=0)) > 5


def test_eager_and_jit_agree():
    sizes = ndd.batch([[50 + k, 70 + 2 * k] for k in range(200)])
    eager = ndd.random_crop_generator(sizes, key=KEY)
    jitted = jax.jit(lambda s, k: ndd.random_crop_generator(s, key=k))(sizes, KEY)
    for a, b in zip(eager, jitted, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


RANGES = [
    ((0.08, 1.0), (3 / 4, 4 / 3)),
    ((0.001, 0.5), (0.1, 8.0)),
    ((2.0, 3.99), (1.0, 1.0)),
    ((0.5, 0.5), (0.3, 0.3000001)),
]


def test_one_program_serves_all_ranges():
    sizes = ndd.batch([[50 + k, 70 + 2 * k] for k in range(200)])

    @jax.jit
    def jitted(sizes, area, aspect):
        return ndd.random_crop_generator(
            sizes, key=KEY, random_area=area, random_aspect_ratio=aspect
        )

    for area, aspect in RANGES:
        eager = ndd.random_crop_generator(
            sizes, key=KEY, random_area=area, random_aspect_ratio=aspect
        )
        for a, b in zip(eager, jitted(sizes, np.float32(area), np.float32(aspect)), strict=True):
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    assert jitted._cache_size() == 1


def test_ranges_of_samples():
    sizes = ndd.batch([[500, 700 + k] for k in range(4)])
    area, aspect = (np.float32([r[which] for r in RANGES]) for which in (0, 1))
    image = np.random.RandomState(0).randint(0, 255, (50, 70, 3)).astype(np.uint8)
    images = ndd.batch([image] * 4, layout="HWC")

    def both(area, aspect, sizes, images):
        ranges = {"key": KEY, "random_area": area, "random_aspect_ratio": aspect}
        windows = ndd.random_crop_generator(sizes, **ranges)
        return [*windows, ndd.random_resized_crop(images, size=(9, 9), **ranges)]

    given = ndd.batch(area), ndd.batch(aspect), sizes, images
    together, inside = both(*given), jax.jit(both)(*given)
    for k, (a, r) in enumerate(RANGES):
        alone = both(a, r, sizes, images)
        for form in (together, inside):
            for got, wanted in zip(form, alone, strict=True):
                np.testing.assert_array_equal(np.asarray(got)[k], np.asarray(wanted)[k])


def test_eager_programs_know_no_ranges(monkeypatch, compiles):
    """On a device without native kernels, where calls are programs."""
    monkeypatch.setitem(devices._OVERRIDES, "gpu", [jax.devices()[1]])
    monkeypatch.setitem(devices._OVERRIDES, "cpu", [jax.devices()[0]])
    sizes = ndd.batch([[50, 70]] * 3)
    there = sizes.gpu()
    counts = []
    for area in ((0.1, 0.2), (0.3, 0.9), (0.5, 0.6)):
        with compiles() as seen:
            got = ndd.random_crop_generator(there, key=KEY, random_area=area)[1].cpu()
            wanted = ndd.random_crop_generator(sizes, key=KEY, random_area=area)[1]
            np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
        counts.append(seen.count)
    assert counts[1:] == [0, 0]


def test_kinds_of_calls():
    size = np.array([50, 70, 3])
    assert ndd.random_crop_generator(size, key=KEY)[0].shape == (2,)
    for count in (1, 3):
        anchor, shape = ndd.random_crop_generator(size, batch_size=count, key=KEY)
        assert anchor.shape == shape.shape == [(2,)] * count


@pytest.mark.parametrize("layout", ["HWC", "CHW", "FHWC"])
def test_resized_windows(layout):
    image = np.random.RandomState(0).randint(0, 255, (20, 30, 3)).astype(np.uint8)
    data = {"HWC": image, "CHW": image.transpose(2, 0, 1), "FHWC": image[None]}[layout]
    tensor = ndd.tensor(np.ascontiguousarray(data), layout=layout)
    out = ndd.random_resized_crop(tensor, size=[7, 9], key=KEY)
    anchor, shape = map(np.asarray, ndd.random_crop_generator(np.array([20, 30]), key=KEY))
    wanted = ndd.resize(
        tensor, size=[7, 9], roi_start=anchor.tolist(), roi_end=(anchor + shape).tolist()
    )
    np.testing.assert_array_equal(np.asarray(out), np.asarray(wanted))
    assert out.layout == layout


def test_resized_windows_inside_jit():
    images = [np.random.RandomState(k).randint(0, 255, (20 + k, 30, 3)) for k in range(3)]
    batch = ndd.as_batch([i.astype(np.uint8) for i in images], layout="HWC")
    eager = ndd.random_resized_crop(batch, size=8, key=KEY)
    jitted = jax.jit(lambda b, k: ndd.random_resized_crop(b, size=8, key=k))(batch, KEY)
    np.testing.assert_array_equal(np.asarray(eager), np.asarray(jitted))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"random_area": [0.5, 0.1]}, r"random_area=\[0.5, 0.1\] is empty"),
        ({"random_area": [-1, 0.1]}, r"random_area must be positive"),
        ({"random_aspect_ratio": [0, 0.1]}, r"random_aspect_ratio must be positive"),
        ({"num_attempts": -1}, r"num_attempts=-1"),
        ({"random_area": [0.1, np.inf]}, r"random_area=\[0.1, inf\]; expected two numbers"),
        ({"random_area": [0.1, 0.2, 0.3]}, r"random_area has 3 values; expected two numbers"),
        (
            {"random_aspect_ratio": ndd.batch([[1.0, 2.0], [2.0, 1.0]])},
            r"random_aspect_ratio=\[2.0, 1.0\] is empty",
        ),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=message):
        ndd.random_crop_generator(np.array([5, 6]), key=KEY, **arguments)[0].evaluate()


def test_refused_inputs():
    for size in (np.array([5]), np.array([5.0, 6.0])):
        with pytest.raises(ndd.OperatorError, match=r"random_crop_generator: .*height, width"):
            ndd.random_crop_generator(size, key=KEY)[0].evaluate()
    image = ndd.tensor(np.zeros((4, 5, 3), np.uint8))
    with pytest.raises(ndd.OperatorError, match=r"random_resized_crop: size=\[0\]"):
        ndd.random_resized_crop(image, size=0, key=KEY).evaluate()
