"""`tensor_resize`."""

import jax
import numpy as np
import pytest

import dynjax as ndd

RAMP = np.arange(10, dtype=np.float32)


def ramp(size, low, high):
    """A ramp resampled without antialiasing: positions, clamped to its ends."""
    step = (high - low) / size
    return np.clip(low + (np.arange(size) + 0.5) * step - 0.5, 0, 9)


@pytest.mark.parametrize("fixed", [0.0, 0.25, 0.5, 1.0])
def test_alignment(fixed):
    out = ndd.tensor_resize(ndd.tensor(RAMP), scales=[0.55], alignment=[fixed], antialias=False)
    length = 10 * 6 / 5.5
    low = 10 * fixed - length * fixed
    np.testing.assert_allclose(np.asarray(out), ramp(6, low, low + length), atol=1e-5)


@pytest.mark.parametrize(("rounding", "size"), [("round", 4), ("truncate", 4), ("ceil", 5)])
def test_rounding(rounding, size):
    out = ndd.tensor_resize(
        ndd.tensor(RAMP),
        scales=[0.41],
        size_rounding=rounding,
        subpixel_scale=False,
        antialias=False,
    )
    np.testing.assert_allclose(np.asarray(out), ramp(size, 0, 10), atol=1e-5)


def test_regions_and_flips():
    # As recorded from the original.
    back = ndd.tensor_resize(
        ndd.tensor(RAMP),
        scales=[0.55],
        alignment=[0.0],
        roi_start=[9.0],
        roi_end=[2.0],
        antialias=False,
    )
    wanted = [7.8636, 6.5909, 5.3182, 4.0455, 2.7727, 1.5]
    np.testing.assert_allclose(np.asarray(back), wanted, atol=1e-4)
    flipped = ndd.tensor_resize(ndd.tensor(RAMP), scales=[-0.55], alignment=[0.0], antialias=False)
    wanted = [8.5909, 6.7727, 4.9545, 3.1364, 1.3182, 0]
    np.testing.assert_allclose(np.asarray(flipped), wanted, atol=1e-4)


SHAPES = [
    ({"sizes": [4]}, (4, 4, 4)),
    ({"sizes": [4, 0, 6]}, (4, 5, 6)),
    ({"scales": [0.5]}, (3, 4, 5)),
    ({"scales": [0.5, 0, 1]}, (3, 6, 10)),
    ({"sizes": [4], "axes": [-1]}, (6, 8, 4)),
    ({"sizes": [4, 5], "axes": [2, 0]}, (5, 8, 4)),
    ({"sizes": [4, 3], "axis_names": "CA"}, (3, 8, 4)),
    ({"sizes": [3, 0, 9], "mode": "not_smaller"}, (5, 7, 9)),
    ({"sizes": [3, 0, 9], "mode": "stretch"}, (3, 8, 9)),
    ({"scales": [5, 1, 1], "max_size": 20}, (20, 8, 10)),
]


@pytest.mark.parametrize(("arguments", "shape"), SHAPES, ids=str)
def test_sizes(arguments, shape):
    data = ndd.tensor(np.zeros((6, 8, 10), np.float32), layout="ABC")
    assert ndd.tensor_resize(data, **arguments).shape == shape


def test_as_resize():
    image = np.random.RandomState(0).randint(0, 255, (11, 13, 3)).astype(np.uint8)
    wanted = np.asarray(ndd.resize(ndd.tensor(image, layout="HWC"), size=[7, 20]))
    out = ndd.tensor_resize(ndd.tensor(image), sizes=[20, 7], axes=[1, 0])
    np.testing.assert_array_equal(np.asarray(out), wanted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"expected one of sizes and scales; neither"),
        ({"sizes": 3, "scales": 2}, r"expected one of sizes and scales; both"),
        ({"sizes": [3, 4]}, r"sizes has 2 values; expected 3 or one"),
        ({"sizes": 3, "axes": [1, 1]}, r"given twice"),
        ({"sizes": 3, "axes": [3]}, r"axis 3 does not exist"),
        ({"scales": 3, "mode": "not_larger"}, r"cannot be combined with scales"),
        ({"sizes": 3, "size_rounding": "up"}, r"size_rounding='up'"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=rf"tensor_resize: .*{message}"):
        ndd.tensor_resize(ndd.tensor(np.zeros((6, 8, 10), np.float32)), **arguments).evaluate()


def test_at_most_three_axes_change():
    data = ndd.tensor(np.zeros((3, 4, 5, 6), np.float32))
    assert ndd.tensor_resize(data, sizes=[4, 5, 6, 6]).shape == (4, 5, 6, 6)
    with pytest.raises(ndd.ArgumentError, match=r"tensor_resize: 4 axes change"):
        ndd.tensor_resize(data, sizes=[4, 5, 6, 7]).evaluate()


def test_axes_without_elements():
    # As of the original.
    none = np.zeros((0, 4, 3), np.uint8)
    full = np.full((2, 4, 3), 7, np.uint8)
    batch = ndd.batch([none, full])
    assert ndd.tensor_resize(batch, sizes=[3, 2, 3]).shape == [(0, 2, 3), (3, 2, 3)]
    assert ndd.tensor_resize(batch, scales=[2, 0.5, 1]).shape == [(0, 2, 3), (4, 2, 3)]
    assert ndd.tensor_resize(batch, sizes=[3], axes=[1]).shape == [(0, 3, 3), (2, 3, 3)]


def test_a_free_axis_is_not_turned_by_its_region():
    image = ndd.tensor(RAMP[:6].reshape(2, 3))
    out = ndd.tensor_resize(image, sizes=[2, 0], roi_start=[2, 3], roi_end=[0, 0])
    assert np.asarray(out).tolist() == [[3, 4, 5], [0, 1, 2]]


@pytest.mark.parametrize(
    ("arguments", "traced"),
    [
        ({"sizes": [2, 3], "roi_relative": True, "roi_start": [0.1, 0.2]}, {"roi_end": [0.6, 0.7]}),
        ({"scales": [1.2, 1.1]}, {"alignment": [0.0, 0.25]}),
    ],
)
def test_a_traced_region_of_the_same_size(arguments, traced):
    batch = ndd.batch(RAMP[:6].reshape(1, 2, 3))
    values = {n: ndd.batch(np.float32([v])) for n, v in traced.items()}
    call = lambda b, v: ndd.tensor_resize(b, **arguments, **v)  # noqa: E731
    wanted = call(batch, values)
    assert not np.array_equal(wanted, batch)
    np.testing.assert_allclose(jax.jit(call)(batch, values), wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("scale", "extent", "rounding", "size"),
    [  # As recorded from the original.
        (0.7, 10, "truncate", 7),
        (0.1, 10, "ceil", 1),
        (1.3, 5, "round", 7),
        (2.3, 25, "round", 58),
        (0.9, 30, "truncate", 27),
    ],
)
def test_scales_are_applied_in_single_precision(scale, extent, rounding, size):
    line = np.zeros(extent, np.float32)
    for data in (ndd.tensor(line), ndd.batch([line, line[1:]])):
        for scales in ([scale], ndd.tensor([scale])):
            out = ndd.tensor_resize(data, scales=scales, size_rounding=rounding)
            shape = out.shape[0] if isinstance(out, ndd.Batch) else out.shape
            assert shape == (size,)
