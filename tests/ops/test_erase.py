"""`erase` against loops over regions."""

import jax
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd

IMAGE = noise(3, (5, 6, 2))


def erased(image, regions, fill=0):
    out = image.copy()
    for (y, x), (h, w) in regions:
        out[max(y, 0) : max(y + h, 0), max(x, 0) : max(x + w, 0)] = fill
    return out


# Arguments, and the region of pixels that they mean.
REGIONS = [
    ({}, []),
    ({"shape": [2.0, 2.0]}, [((0, 0), (2, 2))]),
    ({"anchor": [1.5, 0.4], "shape": [2.0, 1.0]}, [((1, 0), (2, 1))]),
    ({"anchor": [0.6, 0.5], "shape": [1.5, 1.4]}, [((0, 0), (2, 1))]),
    ({"anchor": [-1.0, -1.0], "shape": [2.0, 3.0]}, [((-1, -1), (2, 3))]),
    ({"anchor": [4.0, 5.0], "shape": [20.0, 30.0]}, [((4, 5), (20, 30))]),
    ({"anchor": [8.0, 9.0], "shape": [2.0, 2.0]}, []),
    ({"anchor": [3.0, 3.0], "shape": [-2.0, 2.0]}, []),
    ({"anchor": [2.0, 3.0], "shape": [2.0, 3.0], "centered_anchor": True}, [((1, 1), (2, 3))]),
    ({"anchor": [0.3, 0.3], "shape": [0.3, 0.3], "normalized": True}, [((1, 1), (2, 2))]),
    ({"anchor": [0.3, 0.3], "shape": [2, 2], "normalized_anchor": True}, [((1, 1), (2, 2))]),
    ({"anchor": [1, 1], "shape": [0.3, 0.3], "normalized_shape": True}, [((1, 1), (1, 1))]),
    ({"anchor": [0, 1], "shape": [2, 3], "axis_names": "WH"}, [((1, 0), (3, 2))]),
    ({"anchor": [0, 1], "shape": [2, 3], "axes": [-2, 0]}, [((1, 0), (3, 2))]),
    ({"anchor": [0, 0, 3, 3], "shape": [1, 1, 2, 2]}, [((0, 0), (1, 1)), ((3, 3), (2, 2))]),
    ({"anchor": [[0, 0], [3, 3]], "shape": [[1, 1], [2, 2]]}, [((0, 0), (1, 1)), ((3, 3), (2, 2))]),
]


@pytest.mark.parametrize(("given", "regions"), REGIONS, ids=lambda v: str(v)[:60])
def test_regions(given, regions):
    got = ndd.erase(ndd.tensor(IMAGE, layout="HWC"), fill_value=7, **given)
    np.testing.assert_array_equal(np.asarray(got), erased(IMAGE, regions, 7))
    assert got.layout == "HWC"


@pytest.mark.parametrize(
    ("layout", "shape"), [("FHW", (3, 4, 5)), ("DHWC", (3, 4, 5, 2)), ("FCHW", (3, 2, 4, 5))]
)
@pytest.mark.parametrize("jit", [False, True])
def test_regions_are_of_all_axes_but_channels(layout, shape, jit):
    data = noise(4, shape)

    def erase(x):
        return ndd.erase(x, anchor=[1.0, 0.0, 2.0], shape=[1.0, 2.0, 9.0], fill_value=7)

    got = np.asarray((jax.jit(erase) if jit else erase)(ndd.tensor(data, layout=layout)))
    wanted = data.copy()
    places = [slice(1, 2), slice(0, 2), slice(2, 9)]
    wanted[tuple(places.pop(0) if a != "C" else slice(None) for a in layout)] = 7
    np.testing.assert_array_equal(got, wanted)


# Channels among the axes: each keeps its own value.
CHANNELS = [
    ("HWC", "WC", [0, 1], [2, 2], (..., slice(0, 2), slice(1, 3))),
    ("HWC", "CW", [0, 1], [2, 2], (..., slice(1, 3), slice(0, 2))),
    ("HWC", "C", [-1], [3], (..., slice(0, 2))),
    ("HWC", "C", [2], [9], (..., slice(2, 3))),
    ("CHW", "CH", [1, 0], [2, 1], (slice(1, 3), slice(0, 1))),
    ("FHWC", "WC", [0, 1], [2, 2], (..., slice(0, 2), slice(1, 3))),
]


@pytest.mark.parametrize(("layout", "names", "anchor", "shape", "place"), CHANNELS)
@pytest.mark.parametrize("jit", [False, True])
def test_one_value_for_each_channel_of_a_region_of_some(layout, names, anchor, shape, place, jit):
    images = [noise(k, [{"C": 3, "F": 2}.get(a, 4 + k) for a in layout]) for k in range(2)]
    fills = np.float32([[40, 50, 60], [70, 80, 90]])

    def erase(x, fill):
        return ndd.erase(x, axis_names=names, anchor=anchor, shape=shape, fill_value=fill)

    batch = ndd.batch(images, layout=layout)
    got = (jax.jit(erase) if jit else erase)(batch, ndd.batch(fills))
    for one, image, fill in zip(arrays(got), images, fills, strict=True):
        per_channel = fill.reshape([3 if a == "C" else 1 for a in layout])
        wanted = image.copy()
        wanted[place] = np.broadcast_to(per_channel, image.shape)[place]
        np.testing.assert_array_equal(one, wanted)


@pytest.mark.parametrize("jit", [False, True])
def test_ragged_and_per_sample(jit):
    samples = [IMAGE, IMAGE[:3, :4]]
    anchors = np.array([[0, 1], [1, 0]], np.float32)

    def erase(images, anchors):
        return ndd.erase(images, anchor=anchors, shape=[2.0, 2.0], fill_value=[1.0, 200.0])

    batch = ndd.batch(samples, layout="HWC")
    got = (jax.jit(erase) if jit else erase)(batch, ndd.batch(anchors))
    for one, image, (y, x) in zip(arrays(got), samples, anchors.astype(int), strict=True):
        np.testing.assert_array_equal(one, erased(image, [((y, x), (2, 2))], [1, 200]))


# Not rows inside jit: padded along two axes, they are not known apart.
@pytest.mark.parametrize(("jit", "rows"), [(False, False), (False, True), (True, False)])
def test_different_numbers_of_regions(jit, rows):
    regions = [[((0, 0), (2, 2))], [((1, 1), (1, 3)), ((3, 0), (2, 2)), ((0, 4), (1, 1))], []]

    def numbers(which):
        found = [np.float32([r[which] for r in own]).reshape(-1, 2) for own in regions]
        return ndd.batch(found if rows else [f.reshape(-1) for f in found])

    def call(images, anchor, shape):
        return ndd.erase(images, anchor=anchor, shape=shape)

    images = ndd.batch([IMAGE] * 3, layout="HWC")
    result = (jax.jit(call) if jit else call)(images, numbers(0), numbers(1))
    for got, own in zip(arrays(result), regions, strict=True):
        np.testing.assert_array_equal(got, erased(IMAGE, own))


def test_as_many_anchors_as_shapes_in_each_sample():
    anchor = ndd.batch([np.float32([0, 0])] * 2)
    shape = ndd.batch([np.float32([1, 1]), np.float32([1, 1, 2, 2])])
    with pytest.raises(ndd.OperatorError, match="sample 1: anchor has 2 values and shape 4"):
        ndd.erase(ndd.batch([IMAGE] * 2, layout="HWC"), anchor=anchor, shape=shape).evaluate()


@pytest.mark.parametrize("layout", ["CHW", "FHWC", "HW"])
def test_layouts(layout):
    shape = {"CHW": (2, 5, 6), "FHWC": (3, 5, 6, 2), "HW": (5, 6)}[layout]
    image = noise(1, shape, "float32")
    tensor = ndd.tensor(image, layout=layout)
    got = ndd.erase(tensor, anchor=[1, 2], shape=[2, 3], axis_names="HW")
    wanted = image.copy()
    y = layout.index("H")
    wanted[(slice(None),) * y + (slice(1, 3), slice(2, 5))] = 0
    np.testing.assert_array_equal(np.asarray(got), wanted)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float64"])
def test_dtypes(dtype):
    got = ndd.erase(np.ones(3, dtype), anchor=[1], shape=[1], axes=[0], fill_value=2.7)
    wanted = 3 if np.dtype(dtype).kind != "f" else np.float32(2.7)
    np.testing.assert_allclose(np.asarray(got), np.array([1, wanted, 1], dtype), rtol=1e-3)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"anchor": [1.0, 1.0]}, "anchor has 2 values and shape 0"),
        ({"shape": [1.0, 1.0, 1.0]}, "shape 3"),
        ({"shape": [1.0, 1.0], "axis_names": "HQ"}, "axis_names='HQ'"),
        ({"shape": [1.0, 1.0], "axes": [0, 5]}, r"axes=\[0, 5\]"),
        ({"shape": [1.0, 1.0], "fill_value": [1.0, 2.0, 3.0]}, "fill_value has 3"),
        ({"normalized": True, "normalized_shape": True}, "cannot be combined"),
    ],
)
def test_errors(given, text):
    with pytest.raises(ndd.OperatorError, match=f"erase: .*{text}"):
        ndd.erase(ndd.tensor(IMAGE, layout="HWC"), **given).evaluate()
    with pytest.raises(ndd.OperatorError, match="the input is bool"):
        ndd.erase(IMAGE > 3, axes=[0, 1], shape=[1.0, 1.0]).evaluate()
    with pytest.raises(ndd.OperatorError, match="layout is None"):
        ndd.erase(IMAGE, shape=[1.0, 1.0]).evaluate()
