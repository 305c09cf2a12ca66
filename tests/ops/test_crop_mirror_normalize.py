"""`crop_mirror_normalize`: the formula, windows, types, layouts, refusals."""

import math

import jax
import numpy as np
import pytest
from support.resampling import assert_rounded
from support.samples import arrays, noise

import dynjax as ndd

MEAN, STD = [120.5, 100.25, 90.0], [58.4, 57.1, 61.0]
EPS = float(np.finfo(np.float32).eps)


def window(image, anchor, size, fill=0.0):
    """Rows and columns of an HWC image; beyond it NaN."""
    out = np.full((*size, image.shape[2]), np.nan)
    for y in range(size[0]):
        for x in range(size[1]):
            row, column = anchor[0] + y, anchor[1] + x
            if 0 <= row < image.shape[0] and 0 <= column < image.shape[1]:
                out[y, x] = image[row, column]
    return out


def reference(
    image, *, mean=0, std=1, scale=1, shift=0, mirror=False, anchor=(0, 0), size=None, fill=0
):
    """The documented formula in float64, HWC, unrounded."""
    out = window(image, anchor, image.shape[:2] if size is None else size)
    out = out[:, ::-1] if mirror else out
    out = (out - np.asarray(mean, float)) / np.asarray(std, float) * scale + shift
    return np.where(np.isnan(out), np.broadcast_to(fill, out.shape[-1:]), out)


def assert_close(got, exact, dtype="float32", terms=1000.0):
    """`terms` bounds what is added up, so that a few units of its last place are the noise."""
    assert got.dtype == dtype
    if dtype == "float32":
        np.testing.assert_allclose(got, exact, rtol=4 * EPS, atol=4 * EPS * terms)
    elif dtype == "float16":
        np.testing.assert_allclose(got, exact, rtol=2**-11 + 1e-5, atol=1e-3)
    else:
        assert_rounded(got, exact, 4 * EPS * terms)


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "int8"])
@pytest.mark.parametrize("mirror", [0, 1])
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"mean": MEAN, "std": STD},
        {"mean": [128.0], "std": [64.0], "scale": 30.5, "shift": 10.25},
        {"std": [-2.0, 0.5, 8.0], "shift": -3.5},
    ],
    ids=["plain", "normalised", "scaled", "odd"],
)
def test_formula(arguments, mirror, dtype):
    image = noise(0, (9, 13, 3))
    out = ndd.crop_mirror_normalize(
        ndd.batch([image] * 2, layout="HWC"), mirror=mirror, dtype=dtype, **arguments
    )
    assert (out.layout, out.dtype) == ("CHW", ndd.dtype(dtype))
    exact = reference(image, mirror=mirror, **arguments)
    for got in arrays(out):
        assert_close(got.transpose(1, 2, 0), exact, dtype)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "int32", "float16", "float32"])
def test_input_types(dtype):
    image = noise(1, (6, 7, 3), dtype)
    if dtype == "int32":
        image = (image >> 8).astype(dtype)  # exact in float32
    scale = float(np.abs(image.astype(np.float64)).max())
    out = ndd.crop_mirror_normalize(ndd.tensor(image, layout="HWC"), mean=[scale / 2], std=[scale])
    exact = reference(image, mean=scale / 2, std=scale)
    assert_close(np.asarray(out).transpose(1, 2, 0), exact, terms=4)


def test_integers_are_rounded_half_away_and_clamped():
    image = np.array([0, 1, 2, 3, 253, 255], np.uint8).reshape(1, 6, 1)
    cast = {
        ("uint8", 0.5, 0.0): [0, 1, 1, 2, 127, 128],
        ("int8", 0.5, -1.5): [-2, -1, -1, 0, 125, 126],
        ("int8", 1.0, 0.0): [0, 1, 2, 3, 127, 127],
        ("uint8", -1.0, 2.0): [2, 1, 0, 0, 0, 0],
    }
    for (dtype, scale, shift), wanted in cast.items():
        out = ndd.crop_mirror_normalize(
            ndd.tensor(image, layout="HWC"), scale=scale, shift=shift, dtype=dtype
        )
        assert np.asarray(out).ravel().tolist() == wanted


@pytest.mark.parametrize("rounding", ["round", "truncate"])
@pytest.mark.parametrize("position", [0.0, 0.1, 0.25, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("size", [(2, 3), (7, 4), (9, 13), (1, 12)])
def test_windows(size, position, rounding):
    image = noise(2, (9, 13, 3))
    out = ndd.crop_mirror_normalize(
        ndd.tensor(image, layout="HWC"),
        crop=size,
        crop_pos_x=position,
        crop_pos_y=1 - position,
        rounding=rounding,
        output_layout="HWC",
    )
    free = [9 - size[0], 13 - size[1]]
    # In double precision from float32 positions; halves away from zero, or down.
    real = [float(np.float32(p)) * n for p, n in zip((1 - position, position), free, strict=True)]
    anchor = [math.floor(r + (0.5 if rounding == "round" else 0)) for r in real]
    np.testing.assert_array_equal(np.asarray(out), window(image, anchor, size))


def test_the_centre_of_an_odd_rest():
    image = noise(2, (7, 7, 1))
    out = ndd.crop_mirror_normalize(
        ndd.tensor(image, layout="HWC"), crop=[2, 2], output_layout="HWC"
    )
    np.testing.assert_array_equal(np.asarray(out), image[3:5, 3:5])


@pytest.mark.parametrize(
    "arguments",
    [
        {"crop": [4, 5]},
        {"crop_h": 4, "crop_w": 5},
        {"crop": [4.9, 5.2]},
        {"crop_h": np.float32(4.5), "crop_w": 5.0},
        {"crop": np.array([4, 5])},
    ],
)
def test_ways_to_give_the_window(arguments):
    image = noise(3, (9, 13, 3))
    out = ndd.crop_mirror_normalize(
        ndd.tensor(image, layout="HWC"), output_layout="HWC", **arguments
    )
    np.testing.assert_array_equal(np.asarray(out), image[3:7, 4:9])


def test_no_size_is_the_whole_axis():
    image = noise(3, (9, 13, 3))
    for arguments in ({}, {"crop": [0, 0]}, {"crop": [9, 0]}):
        out = ndd.crop_mirror_normalize(ndd.tensor(image, layout="HWC"), **arguments)
        np.testing.assert_array_equal(np.asarray(out), image.transpose(2, 0, 1))


@pytest.mark.parametrize("mirror", [0, 1])
@pytest.mark.parametrize("fill", [[0.0], [7.0], [1.0, 2.0, 3.0]])
@pytest.mark.parametrize("crop", [(15, 5), (4, 20), (13, 17)])
def test_windows_beyond_the_image_are_padded(crop, fill, mirror):
    image = noise(4, (9, 13, 3))
    out = ndd.crop_mirror_normalize(
        ndd.tensor(image, layout="HWC"),
        crop=crop,
        out_of_bounds_policy="pad",
        fill_values=fill,
        mirror=mirror,
        mean=[100.0],
        std=[50.0],
        crop_pos_x=0.3,
        crop_pos_y=0.6,
    )

    def anchor(position, extent, size):
        real = float(np.float32(position)) * (extent - size)
        return int(math.copysign(math.floor(abs(real) + 0.5), real))

    start = [anchor(0.6, 9, crop[0]), anchor(0.3, 13, crop[1])]
    exact = reference(image, mean=100, std=50, mirror=mirror, anchor=start, size=crop, fill=fill)
    assert_close(np.asarray(out).transpose(1, 2, 0), exact)


def test_windows_beyond_the_image_are_trimmed():
    image = noise(4, (9, 13, 3))
    out = ndd.crop_mirror_normalize(
        ndd.tensor(image, layout="HWC"),
        crop=[20, 5],
        out_of_bounds_policy="trim_to_shape",
        output_layout="HWC",
    )
    np.testing.assert_array_equal(np.asarray(out), image[:, 4:9])


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
def test_channels_grow_to_a_power_of_two(channels):
    image = noise(5, (4, 6, channels))
    out = np.asarray(
        ndd.crop_mirror_normalize(ndd.tensor(image, layout="HWC"), pad_output=True, mean=[9.0])
    )
    assert len(out) == 2 ** math.ceil(math.log2(channels))
    np.testing.assert_array_equal(out[:channels], image.transpose(2, 0, 1) - np.float32(9))
    assert not out[channels:].any()


@pytest.mark.parametrize("mirror", [0, 1])
@pytest.mark.parametrize("output_layout", ["HWC", "CHW"])
@pytest.mark.parametrize(
    ("fill", "channels"),
    [([11.0], [11, 11, 11, 11]), ([11.0, 12.0, 13.0, 14.0], [11, 12, 13, 14])],
)
def test_added_channels_hold_what_fills(fill, channels, output_layout, mirror):
    # As of the original: all over the window, not only beyond the image.
    image = noise(6, (1, 2, 3))
    added = np.full((1, 2, 1), channels[-1])
    wanted = np.concatenate([image, added], axis=2)
    wanted = np.concatenate([wanted, np.broadcast_to(channels, (1, 1, 4))], axis=1)
    wanted = wanted[:, ::-1] if mirror else wanted
    if output_layout == "CHW":
        wanted = wanted.transpose(2, 0, 1)

    def padded(image, dtype=ndd.float32):
        return ndd.crop_mirror_normalize(
            image,
            crop=[1, 3],
            crop_pos_x=0.0,
            mirror=mirror,
            out_of_bounds_policy="pad",
            fill_values=[value + 0.75 for value in fill] if dtype == ndd.uint8 else fill,
            output_layout=output_layout,
            pad_output=True,
            dtype=dtype,
        )

    tensor = ndd.tensor(image, layout="HWC")
    np.testing.assert_array_equal(np.asarray(padded(tensor)), wanted)
    whole = padded(tensor, ndd.uint8)
    np.testing.assert_array_equal(np.asarray(whole), wanted)  # the whole part of what fills
    ragged = ndd.as_batch([image, image[:, :1]], layout="HWC")
    for batch in (padded(ragged), jax.jit(padded)(ragged)):
        np.testing.assert_array_equal(np.asarray(batch.select(0)), wanted)


LAYOUTS = {
    "HWC": (4, 5, 3),
    "CHW": (3, 4, 5),
    "FHWC": (2, 4, 5, 3),
    "FCHW": (2, 3, 4, 5),
    "CFHW": (3, 2, 4, 5),
    "DHWC": (6, 4, 5, 3),
    "CDHW": (3, 6, 4, 5),
    "FDHWC": (2, 6, 4, 5, 3),
    "FCDHW": (2, 3, 6, 4, 5),
    "CFDHW": (3, 2, 6, 4, 5),
}


@pytest.mark.parametrize(
    ("layout", "output"),
    [
        *((layout, layout) for layout in LAYOUTS),
        ("HWC", "CHW"),
        ("HWC", "WCH"),
        ("CHW", "HWC"),
        ("FHWC", "FCHW"),
        ("FHWC", "CFHW"),
        ("DHWC", "CDHW"),
        ("FDHWC", "CFDHW"),
        ("CFHW", "WFHC"),
    ],
)
def test_layouts(layout, output):
    image = noise(6, LAYOUTS[layout])
    order = [layout.index(x) for x in output]
    size = [*([4] if "D" in layout else []), 3, 2]
    out = ndd.crop_mirror_normalize(
        ndd.batch([image], layout=layout),
        crop=size,
        output_layout=output,
        mean=MEAN,
        mirror=1,
        crop_pos_x=1.0,
        crop_pos_y=0.0,
        crop_pos_z=1.0,
    )
    cut = {"H": slice(0, 3), "W": slice(3, 5), "D": slice(2, 6)}
    exact = image[tuple(cut.get(x, slice(None)) for x in layout)].astype(float)
    exact = np.flip(exact, layout.index("W"))
    exact = exact - np.array(MEAN).reshape([3 if x == "C" else 1 for x in layout])
    assert out.layout == output
    assert_close(np.asarray(out)[0], exact.transpose(order))


def test_values_for_each_sample():
    images = [noise(k, (9 + k, 13 - k, 3)) for k in range(3)]
    sizes, mirror, place = [(4, 5), (6, 3), (9, 13)], [1, 0, 1], [0.0, 1.0, 0.5]
    means = [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [9.0, 8.0, 7.0]]
    sizes[2] = (5, 5)
    out = ndd.crop_mirror_normalize(
        ndd.batch(images, layout="HWC"),
        crop=ndd.batch(sizes),
        mirror=ndd.batch(mirror),
        mean=ndd.batch(means),
        crop_pos_x=ndd.batch(place),
        output_layout="HWC",
    )
    assert out.shape == [(4, 5, 3), (6, 3, 3), (5, 5, 3)]
    for k, got in enumerate(arrays(out)):
        h, w, _ = images[k].shape
        anchor = [
            math.floor((h - sizes[k][0]) / 2 + 0.5),
            math.floor(place[k] * (w - sizes[k][1]) + 0.5),
        ]
        exact = reference(images[k], mean=means[k], mirror=mirror[k], anchor=anchor, size=sizes[k])
        assert_close(got, exact)


def test_tensor_arguments_are_rounded_and_constants_cut():
    image = noise(7, (2, 5, 1))
    flipped = image[:, ::-1].transpose(2, 0, 1)
    for mirror in (ndd.tensor(0.6), np.float32(1.2), 2, True):
        out = ndd.crop_mirror_normalize(ndd.tensor(image, layout="HWC"), mirror=mirror)
        np.testing.assert_array_equal(np.asarray(out), flipped)
    out = ndd.crop_mirror_normalize(ndd.tensor(image, layout="HWC"), mirror=0.9)
    np.testing.assert_array_equal(np.asarray(out), image.transpose(2, 0, 1))


def test_a_deviation_of_zero_gives_infinities():
    image = np.array([1, 3], np.uint8).reshape(1, 2, 1)
    out = np.asarray(
        ndd.crop_mirror_normalize(ndd.tensor(image, layout="HWC"), mean=[2.0], std=[0.0])
    )
    assert out.ravel().tolist() == [-np.inf, np.inf]


def test_the_old_name_of_dtype():
    image = ndd.tensor(noise(0, (2, 3, 3)), layout="HWC")
    assert ndd.crop_mirror_normalize(image, output_dtype=ndd.float16).dtype == ndd.float16


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"crop": [4]}, r"crop has 1 values; expected 2 \(height, width\)"),
        ({"crop": 4}, r"crop has 1 values; expected 2"),
        (
            {"crop": [4, 4], "crop_h": 4, "crop_w": 4},
            "crop cannot be combined with crop_h and crop_w",
        ),
        ({"crop_h": 4}, "crop_h and crop_w must be given together"),
        ({"crop": [10, 4]}, r"sample 0: a window of 10 pixels does not fit an extent of 9.*'pad'"),
        ({"crop": [4, 4], "crop_pos_x": 1.5}, r"crop position 1.5 is outside \[0, 1\]"),
        ({"crop": [4, 4], "crop_pos_y": -0.5}, r"crop position -0.5 is outside"),
        ({"crop": [4, 4], "rounding": "up"}, "rounding='up'; expected one of"),
        ({"out_of_bounds_policy": "wrap", "crop": [4, 4]}, "out_of_bounds_policy='wrap'; expected"),
        ({"mean": [1.0, 2.0]}, "mean has 2 values; expected 1 or 3"),
        ({"std": [1.0] * 4}, "std has 4 values; expected 1 or 3"),
        ({"output_layout": "HW"}, "output_layout='HW' is no permutation of the input's 'HWC'"),
        ({"output_layout": "FHWC"}, "output_layout='FHWC' is no permutation"),
        ({"dtype": ndd.int64}, "dtype=int64; expected one of uint8"),
        (
            {"fill_values": [1.0, 2.0], "crop": [20, 20], "out_of_bounds_policy": "pad"},
            "fill_values has 2 values",
        ),
    ],
)
def test_refusals(arguments, message):
    image = ndd.tensor(noise(0, (9, 13, 3)), layout="HWC")
    with pytest.raises(ndd.OperatorError, match=f"crop_mirror_normalize: {message}"):
        ndd.crop_mirror_normalize(image, **arguments).evaluate()


def test_the_default_layout_of_sequences_is_refused():
    frames = ndd.tensor(noise(0, (2, 9, 13, 3)), layout="FHWC")
    with pytest.raises(ndd.OperatorError, match=r"'CHW' is no permutation of the input's 'FHWC'"):
        ndd.crop_mirror_normalize(frames).evaluate()


@pytest.mark.parametrize("dtype", ["int64", "float64", "bool", "uint32"])
def test_refused_types(dtype):
    image = ndd.tensor(np.zeros((4, 5, 3), dtype), layout="HWC")
    with pytest.raises(ndd.OperatorError, match=rf"crop_mirror_normalize: the input is {dtype}"):
        ndd.crop_mirror_normalize(image).evaluate()


def test_samples_must_agree_in_channels():
    batch = ndd.batch([noise(0, (4, 5, 3)), noise(0, (4, 5, 1))], layout="HWC")
    with pytest.raises(ndd.OperatorError, match=r"different numbers of channels: \[1, 3\]"):
        ndd.crop_mirror_normalize(batch).evaluate()


@pytest.mark.parametrize("layout", ["FHWC", "FCHW", "CFHW", "DHWC", "HWC"])
@pytest.mark.parametrize("jit", [False, True])
def test_a_depth_of_frames_or_of_nothing(layout, jit):
    samples = [noise(k, [{"C": 2}.get(a, 4 + k) for a in layout]) for k in range(2)]
    given = {"crop": [1, 2, 3], "crop_pos_x": 0.0, "crop_pos_y": 0.0, "crop_pos_z": 1.0}

    def call(x):
        return ndd.crop_mirror_normalize(x, **given, output_layout=layout, mirror=1)

    out = (jax.jit(call) if jit else call)(ndd.batch(samples, layout=layout))
    cuts = {"F": slice(-1, None), "D": slice(-1, None), "H": slice(2), "W": slice(2, None, -1)}
    for got, sample in zip(out, samples, strict=True):
        window = sample[tuple(cuts.get(a, slice(None)) for a in layout)]
        np.testing.assert_array_equal(got, window.astype(np.float32))
