"""`slice`, `crop`, `flip`, `pad`: windows."""

import jax
import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd

IMAGE = noise(0, (7, 9, 3))


@pytest.mark.parametrize("position", [0.0, 0.1, 0.5, 0.73, 1.0])
@pytest.mark.parametrize("rounding", ["round", "truncate"])
def test_crop_anchor(position, rounding):
    out = ndd.crop(IMAGE, crop=[2, 4], crop_pos_x=position, rounding=rounding)
    exact = float(np.float32(position)) * 5
    left = int(exact + 0.5) if rounding == "round" else int(exact)
    top = 3 if rounding == "round" else 2  # half of 5 is 2.5
    np.testing.assert_array_equal(out, IMAGE[top : top + 2, left : left + 4])


def test_crop_beyond_the_image():
    padded = np.asarray(
        ndd.crop(IMAGE, crop=[9, 4], out_of_bounds_policy="pad", fill_values=[1, 2, 3])
    )
    assert (padded[[0, -1]] == [1, 2, 3]).all()
    np.testing.assert_array_equal(padded[1:8], IMAGE[:, 3:7])
    trimmed = ndd.crop(IMAGE, crop=[9, 4], out_of_bounds_policy="trim_to_shape")
    np.testing.assert_array_equal(trimmed, IMAGE[:, 3:7])
    with pytest.raises(ndd.OperatorError, match="crop: sample 0: a window of 9"):
        ndd.crop(IMAGE, crop=[9, 4])


def test_crop_converts():
    out = ndd.crop(np.float32([[[1.5], [300]]]), dtype=ndd.uint8)
    assert np.asarray(out).ravel().tolist() == [2, 255]


@pytest.mark.parametrize("layout", ["HWC", "CHW", "FHWC"])
@pytest.mark.parametrize(("horizontal", "vertical"), [(1, 0), (0, 1), (1, 1), (0, 0)])
def test_flip(layout, horizontal, vertical):
    data = noise(1, (2, 3, 4, 5)[: len(layout)])
    wanted = {"H": vertical, "W": horizontal}
    axes = [a for a, letter in enumerate(layout) if wanted.get(letter)]
    out = ndd.flip(ndd.tensor(data, layout=layout), horizontal=horizontal, vertical=vertical)
    np.testing.assert_array_equal(out, np.flip(data, axes))


def test_flip_of_each_sample():
    images = [IMAGE, noise(1, (4, 5, 3))]
    batch = ndd.batch(images, layout="HWC")

    def flipped(batch, which):
        return ndd.flip(batch, horizontal=which)

    which = ndd.batch([0, 1])
    for out in (flipped(batch, which), jax.jit(flipped)(batch, which)):
        np.testing.assert_array_equal(out.select(0), images[0])
        np.testing.assert_array_equal(out.select(1), images[1][:, ::-1])


@pytest.mark.parametrize(
    ("inputs", "arguments", "window"),
    [
        (([0.1, 0.2], [0.5, 0.5]), {}, np.s_[1:5, 1:5]),  # W: 0.9 to 5.4; H: 1.4 to 4.9
        (([2, 1], [3, 4]), {}, np.s_[1:5, 2:5]),
        (([2.0], [3.0]), {"normalized_anchor": False, "normalized_shape": False, "axes": [0]},
         np.s_[2:5]),
        ((), {"start": [1], "axes": [-1]}, np.s_[..., 1:]),
        ((), {"start": [4], "shape": [5], "axis_names": "W"}, np.s_[:, 4:9]),
        ((), {"rel_start": [0.5, 0.0], "rel_end": [1.0, 0.5]}, np.s_[0:4, 5:9]),
        ((), {"end": [3, 2], "axes": [0, 1]}, np.s_[:3, :2]),
        ((), {"end": [3, 2, 1], "axes": []}, np.s_[:3, :2, :1]),
        ((), {"end": [3, 2, 1], "axis_names": ""}, np.s_[:3, :2, :1]),
    ],
)  # fmt: skip
def test_slice(inputs, arguments, window):
    out = ndd.slice(ndd.tensor(IMAGE, layout="HWC"), *inputs, **arguments)
    np.testing.assert_array_equal(out, IMAGE[window])


def test_slice_of_each_sample():
    batch = ndd.batch([np.arange(5), np.arange(10, 18)])
    out = ndd.slice(batch, ndd.batch([[1], [3]]), ndd.batch([[2], [4]]), axes=[0])
    assert [np.asarray(s).tolist() for s in out] == [[1, 2], [13, 14, 15, 16]]


def test_slice_beyond_the_data():
    x = ndd.tensor(np.arange(4))
    window = {"start": [-2], "end": [5], "axes": [0]}
    padded = ndd.slice(x, **window, out_of_bounds_policy="pad", fill_values=[9])
    assert np.asarray(padded).tolist() == [9, 9, 0, 1, 2, 3, 9]
    trimmed = ndd.slice(x, **window, out_of_bounds_policy="trim_to_shape")
    assert np.asarray(trimmed).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start": [-2], "axes": [0]}, r"the window \[-2, 4\) does not fit an extent of 4"),
        ({"start": [1], "rel_start": [0.5], "axes": [0]}, "rel_start cannot be combined"),
        ({"end": [1], "shape": [1], "axes": [0]}, "shape cannot be combined with end"),
        ({"start": [1, 2], "axes": [0]}, "start has 2 values; expected 1"),
        ({"start": [1]}, "axis 'W' is not in the input's layout None"),
        ({"start": [3], "end": [1], "axes": [0]}, "before its start"),
        ({"out_of_bounds_policy": "x", "axes": [0]}, "out_of_bounds_policy='x'"),
    ],
)
def test_slice_errors(arguments, message):
    with pytest.raises(ndd.OperatorError, match=message):
        ndd.slice(np.arange(4), **arguments)


def test_pad():
    batch = ndd.batch([np.ones((2, 3), np.int16), np.ones((4, 1), np.int16)], layout="HW")
    assert ndd.pad(batch).shape == [(4, 3)] * 2
    assert ndd.pad(batch, axis_names="W").shape == [(2, 3), (4, 3)]
    assert ndd.pad(batch, axes=[0, 1], shape=[3, 2]).shape == [(3, 3), (4, 2)]
    assert ndd.pad(batch, axes=[1], align=[4]).shape == [(2, 4), (4, 4)]
    out = np.asarray(ndd.pad(batch, fill_value=-1.6).select(1))
    np.testing.assert_array_equal(out, [[1, -2, -2]] * 4)


@pytest.mark.parametrize("jit", [False, True])
def test_pad_takes_one_extent_for_all_axes(jit):
    batch = ndd.batch([np.ones((2, 3), np.uint8), np.ones((5, 1), np.uint8)])

    def shapes(**given):
        pad = lambda x: ndd.pad(x, fill_value=9, **given)  # noqa: E731
        return [np.asarray(x).shape for x in (jax.jit(pad) if jit else pad)(batch)]

    assert shapes(shape=4) == shapes(shape=[4]) == shapes(shape=4, axes=[1, 0]) == [(4, 4), (5, 4)]
    assert shapes(shape=4, axes=[1]) == [(2, 4), (5, 4)]
    each = ndd.batch(np.int32([0, 6]))
    assert shapes(shape=each) == [(5, 3), (6, 6)]


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("largest", [0, -1, -3])
def test_pad_to_the_largest_of_the_batch(jit, largest):
    batch = ndd.batch([np.ones((1, 2), np.uint8), np.ones((3, 1), np.uint8)])

    def shapes(shape, batch=batch):
        pad = lambda x: ndd.pad(x, shape=shape)  # noqa: E731
        return [np.asarray(x).shape for x in (jax.jit(pad) if jit else pad)(batch)]

    assert shapes(largest) == shapes([-1, largest]) == [(3, 2)] * 2
    assert shapes([largest, 5]) == [(3, 5)] * 2
    each = ndd.batch(np.int32([[largest, 1], [4, largest]]))
    assert shapes(each) == [(3, 2), (4, 2)]


def test_empty_windows():
    assert ndd.slice(np.arange(4), start=[4], axes=[0]).shape == (0,)
    assert ndd.pad(np.zeros(0, np.float32), shape=[2]).shape == (2,)


@pytest.mark.parametrize("name", ["crop", "flip"])
def test_bools_are_refused(name):
    with pytest.raises(ndd.OperatorError, match=f"{name}: the input is bool"):
        getattr(ndd, name)(np.zeros((2, 2, 1), bool))


# Data without a layout: arguments, and the window of it, of the original.
UNLABELLED = [
    ((2, 3), {"end": [2, 1]}, np.s_[:1, :2]),
    ((2, 3, 4), {"end": [2, 1]}, np.s_[:1, :2]),
    ((2, 3, 4, 5), {"end": [2, 1]}, np.s_[:, :1, :2]),
    ((2, 3), {"axis_names": "HW", "end": [2, 1]}, np.s_[:2, :1]),
    ((2, 3, 4), {"axis_names": "WC", "end": [2, 1]}, np.s_[:, :2, :1]),
    ((2, 3, 4, 5), {"axis_names": "D", "start": [1]}, np.s_[1:]),
    ((2, 3, 4, 5), {"axis_names": "C", "end": [2]}, np.s_[..., :2]),
]


@pytest.mark.parametrize(("shape", "given", "window"), UNLABELLED)
def test_slice_without_a_layout(shape, given, window):
    samples = [noise(k, shape) for k in range(2)]
    for call in (lambda x: ndd.slice(x, **given), jax.jit(lambda x: ndd.slice(x, **given))):
        out = call(ndd.batch(samples))
        assert out.layout is None
        for got, sample in zip(out, samples, strict=True):
            np.testing.assert_array_equal(got, sample[window])


def test_slice_without_a_layout_by_inputs():
    data = noise(3, (4, 5, 2))
    out = ndd.slice(data, np.int32([1, 0]), np.int32([2, 3]))
    np.testing.assert_array_equal(out, data[:3, 1:3])
    starts, sizes = ndd.batch(np.float32([[0.2, 0], [0, 0.5]])), ndd.batch([np.float32([0.4, 0.5])])
    out = ndd.slice(ndd.batch([data, data]), starts, sizes.select([0, 0]))
    for got, wanted in zip(out, (data[:2, 1:3], data[2:4, :2]), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_slice_without_a_layout_fills_by_channel():
    data = noise(4, (2, 2, 3))
    out = np.asarray(ndd.slice(data, end=[3, 2], out_of_bounds_policy="pad", fill_values=[1, 2, 3]))
    np.testing.assert_array_equal(out[:, :2], data)
    assert (out[:, 2:] == [1, 2, 3]).all()


@pytest.mark.parametrize(
    ("shape", "given"),
    [((4,), {"end": [2]}), ((1, 2, 3, 4, 5), {}), ((2, 3, 4, 5), {"axis_names": "F"})],
)
def test_slice_without_a_layout_does_not_guess_further(shape, given):
    with pytest.raises(ndd.OperatorError, match=r"slice: axis '.' is not in .* layout None"):
        ndd.slice(np.zeros(shape), **given).evaluate()


# A window of 1 x 2 x 3 at the end of the frames and the start of the picture, as the original cuts.
CUTS = [
    ("DHWC", [2, 3], {"H": 2, "W": 3}),
    ("DHWC", [1, 2, 3], {"D": 1, "H": 2, "W": 3}),
    ("CDHW", [2, 3], {"H": 2, "W": 3}),
    ("HWC", [1, 2, 3], {"H": 2, "W": 3}),
    ("CHW", [9, 2, 3], {"H": 2, "W": 3}),
    ("FHWC", [2, 3], {"H": 2, "W": 3}),
    ("FHWC", [1, 2, 3], {"F": 1, "H": 2, "W": 3}),
    ("FCHW", [1, 2, 3], {"F": 1, "H": 2, "W": 3}),
    ("CFHW", [1, 2, 3], {"F": 1, "H": 2, "W": 3}),
    (None, [2, 3], {"H": 2, "W": 3}),
    ("FDHWC", [1, 2, 3], {"D": 1, "H": 2, "W": 3}),
]


@pytest.mark.parametrize(("layout", "size", "cut"), CUTS)
@pytest.mark.parametrize("jit", [False, True])
def test_crop_of_other_axes_than_it_has_values_for(layout, size, cut, jit):
    letters = layout or "DHWC"
    samples = [noise(k, [{"C": 2}.get(a, 4 + k) for a in letters]) for k in range(2)]
    place = {"crop_pos_x": 0.0, "crop_pos_y": 0.0, "crop_pos_z": 1.0}
    names = [f"crop_{x}" for x in "dhw"][-len(size) :]
    ways = [{"crop": size}, {"crop": ndd.batch([np.float32(size)] * 2)}]
    ways += [dict(zip(names, map(float, size), strict=True))]
    batch = ndd.batch(samples, layout=layout)
    for given in ways:
        crop = lambda x, given=given: ndd.crop(x, **given, **place)  # noqa: E731
        out = (jax.jit(crop) if jit else crop)(batch)
        for got, sample in zip(out, samples, strict=True):
            last = [
                slice(-cut[a], None) if a in "FD" else slice(cut[a]) for a in letters if a in cut
            ]
            window = [last.pop(0) if a in cut else slice(None) for a in letters]
            np.testing.assert_array_equal(got, sample[tuple(window)])


@pytest.mark.parametrize("size", [[], [2.0], [1.0, 2.0, 3.0, 4.0]])
def test_crop_has_two_or_three_values(size):
    with pytest.raises(ndd.OperatorError, match=rf"crop: crop has {len(size)} values; expected 2"):
        ndd.crop(IMAGE, crop=size).evaluate()


def test_frames_beyond_the_sequence():
    video = ndd.tensor(noise(1, (2, 3, 4, 1)), layout="FHWC")
    with pytest.raises(ndd.OperatorError, match="sample 0: a window of 5 pixels does not fit"):
        ndd.crop(video, crop=[5, 2, 3]).evaluate()
    out = ndd.crop(video, crop=[4, 3, 4], out_of_bounds_policy="pad", crop_pos_z=0.5)
    np.testing.assert_array_equal(np.asarray(out)[1:3], video)
    assert not np.asarray(out)[[0, 3]].any()


@pytest.mark.parametrize("operator", [ndd.crop, ndd.crop_mirror_normalize, ndd.resize_crop_mirror])
@pytest.mark.parametrize("jit", [False, True])
def test_truncated_anchors_before_the_image(operator, jit):
    row = ndd.batch([np.arange(1, 5, dtype=np.uint8).reshape(1, 4, 1)] * 4, layout="HWC")
    given = {
        ndd.crop: {"out_of_bounds_policy": "pad"},
        ndd.crop_mirror_normalize: {"out_of_bounds_policy": "pad", "output_layout": "HWC"},
        ndd.resize_crop_mirror: {"size": [1.0, 4.0]},
    }[operator]

    def call(x, position):
        return operator(x, crop=[1.0, 7.0], crop_pos_x=position, **given, rounding="truncate")

    position = ndd.batch(np.float32([0.3, 0.5, 0.75, 1]))
    out = (jax.jit(call) if jit else call)(row, position)
    before, behind = (1, 4) if operator is ndd.resize_crop_mirror else (0, 0)
    for got, first in zip(out, (0, 1, 2, 3), strict=True):
        wanted = [before] * first + [1, 2, 3, 4] + [behind] * (3 - first)
        assert np.asarray(got).ravel().tolist() == wanted
