"""`resize`: the resampling formula, predictable pixels, types, layouts, regions, refusals."""

import jax
import numpy as np
import pytest
from support.resampling import FILTERS, assert_rounded, resized
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import types

# float32 weights and sums of 8-bit values: a few units in the last place of 255.
NOISE = {"uint8": 1e-3, "int16": 0.05, "uint16": 0.1}
INTERP = {name: types.DALIInterpType[f"INTERP_{name.upper()}"] for name in FILTERS}
# height and width before and after: both shrink, both grow, one of each, one stays.
SIZES = [((17, 23), (8, 11)), ((7, 9), (20, 15)), ((16, 12), (5, 31)), ((9, 33), (9, 10))]


def batch_of(*samples, layout="HWC"):
    return ndd.batch(list(samples), layout=layout)


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize(("extent", "size"), SIZES, ids=str)
@pytest.mark.parametrize("antialias", [True, False])
def test_formula(kind, extent, size, antialias):
    image = noise(1, (*extent, 3))
    out = ndd.resize(batch_of(image), size=size, interp_type=INTERP[kind], antialias=antialias)
    wanted = resized(image, (0, 1), size, kind, antialias=antialias)
    assert_rounded(np.asarray(out)[0], wanted, NOISE["uint8"])


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize(("extent", "size"), SIZES[:2], ids=str)
def test_formula_with_renormalised_borders(kind, extent, size):
    image = noise(2, (*extent, 3))
    out = ndd.resize(batch_of(image), size=size, interp_type=INTERP[kind], border="renormalize")
    wanted = resized(image, (0, 1), size, kind, border="renormalize")
    assert_rounded(np.asarray(out)[0], wanted, NOISE["uint8"])


@pytest.mark.parametrize("kind", FILTERS)
def test_float_results_are_not_rounded(kind):
    image = noise(3, (17, 23, 3), "float32")
    out = np.asarray(ndd.resize(batch_of(image), size=(8, 30), interp_type=INTERP[kind]))[0]
    # Up to 100 float32 terms in [0, 1): ten units in the last place.
    np.testing.assert_allclose(out, resized(image, (0, 1), (8, 30), kind), rtol=0, atol=1e-6)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16"])
@pytest.mark.parametrize("kind", ["linear", "cubic"])
def test_integer_types(dtype, kind):
    image = noise(4, (12, 14, 2), dtype)  # over the whole range, so that cubic overshoots are cut
    exact = resized(image, (0, 1), (9, 25), kind)
    same = ndd.resize(batch_of(image), size=(9, 25), interp_type=INTERP[kind])
    assert same.dtype == ndd.dtype(dtype)
    assert_rounded(np.asarray(same)[0], exact, NOISE[dtype])
    real = ndd.resize(batch_of(image), size=(9, 25), interp_type=INTERP[kind], dtype=ndd.float32)
    np.testing.assert_allclose(np.asarray(real)[0], exact, rtol=1e-6, atol=NOISE[dtype])


LAYOUTS = {
    "HWC": (7, 9, 3),
    "CHW": (3, 7, 9),
    "FHWC": (2, 7, 9, 3),
    "FCHW": (2, 3, 7, 9),
    "CFHW": (3, 2, 7, 9),
    "DHWC": (5, 7, 9, 3),
    "CDHW": (3, 5, 7, 9),
    "FDHWC": (2, 5, 7, 9, 3),
    "FCDHW": (2, 3, 5, 7, 9),
    "CFDHW": (3, 2, 5, 7, 9),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["linear", "lanczos3", "nn"])
def test_layouts(layout, kind):
    image = noise(5, LAYOUTS[layout])
    size = {"D": 8, "H": 5, "W": 13}
    axes = [a for a, letter in enumerate(layout) if letter in size]
    sizes = [size[layout[a]] for a in axes]
    out = ndd.resize(batch_of(image, layout=layout), size=sizes, interp_type=INTERP[kind])
    assert out.layout == layout
    assert_rounded(np.asarray(out)[0], resized(image, axes, sizes, kind), NOISE["uint8"])


@pytest.mark.parametrize(("rank", "layout"), [(3, "HWC"), (4, "FHWC"), (5, "FDHWC")])
def test_the_layout_of_bare_arrays(rank, layout):
    image = np.zeros((2, 4, 5, 6, 3)[5 - rank :], np.uint8)
    assert (
        ndd.resize(
            ndd.tensor(image), size=[2] * (rank - 1 if rank == 3 else 2 if rank == 4 else 3)
        ).layout
        == layout
    )


# The table of user expectations: a dot shrunk to 3x3, and a ramp to other widths.
RAMP = np.arange(0, 256, 32)[None, :].repeat(2, 0)
DOT = np.zeros((9, 9), int)
DOT[4, 4] = 255
CENTRE = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
TABLE = {
    "dot": (
        DOT,
        (3, 3),
        28.333 * np.array(CENTRE),
        28.333 * np.array(CENTRE),
        255 * np.array(CENTRE),
    ),
    "3": (RAMP, (2, 3), [31.256, 112, 192.744], [35.368, 112, 188.632], [26.667, 112, 197.333]),
    "4": (RAMP, (2, 4), [20, 80, 144, 204], [22.857, 80, 144, 201.143], [16, 80, 144, 208]),
    "5": (
        RAMP,
        (2, 5),
        [11.52, 61.63, 112, 162.37, 212.48],
        [13.091, 61.630, 112, 162.370, 210.909],
        [9.6, 60.8, 112, 163.2, 214.4],
    ),
    "16": (RAMP, (2, 16), *[[0, *range(8, 217, 16), 224]] * 3),
}
TABLE_UINT8 = {
    "dot": (28 * np.array(CENTRE), 28 * np.array(CENTRE)),
    "3": ([31, 112, 193], [35, 112, 189]),
    "4": ([20, 80, 144, 204], [23, 80, 144, 201]),
    "5": ([12, 62, 112, 162, 212], [13, 62, 112, 162, 211]),
    "16": ([0, *range(8, 217, 16), 224],) * 2,
}
VARIANTS = [{}, {"border": "renormalize"}, {"antialias": False}]


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("variant", [0, 1, 2], ids=["clamp", "renormalize", "sharp"])
def test_shrinking_gives_pixels_that_people_can_predict(name, variant):
    image, size, *columns = TABLE[name]
    image = image[..., None]
    wanted = np.broadcast_to(columns[variant], size)
    real = ndd.resize(batch_of(image.astype(np.float32)), size=size, **VARIANTS[variant])
    np.testing.assert_allclose(np.asarray(real)[0, :, :, 0], wanted, rtol=0, atol=1e-3)
    if variant < 2:
        eight = ndd.resize(batch_of(image.astype(np.uint8)), size=size, **VARIANTS[variant])
        np.testing.assert_array_equal(
            np.asarray(eight)[0, :, :, 0], np.broadcast_to(TABLE_UINT8[name][variant], size)
        )


RULES = [
    ({"resize_x": 50}, (33, 50), (75, 50)),
    ({"resize_x": 50, "mode": "stretch"}, (100, 50), (150, 50)),
    ({"resize_x": 50, "resize_y": 20}, (20, 50), (20, 50)),
    ({"size": [50, 50], "mode": "not_larger"}, (33, 50), (50, 33)),
    ({"size": [50, 50], "mode": "not_smaller"}, (50, 75), (75, 50)),
    ({"size": [50, 50], "mode": "not_smaller", "max_size": 60}, (40, 60), (60, 40)),
    ({"resize_shorter": 50}, (50, 75), (75, 50)),
    ({"resize_longer": 50}, (33, 50), (50, 33)),
    ({"size": 33}, (33, 33), (33, 33)),
    ({"size": [0, 33]}, (22, 33), (50, 33)),
    ({"size": [50, 300], "max_size": 100}, (50, 100), (50, 100)),
    ({"size": [33.5, 32.5]}, (34, 33), (34, 33)),
    ({"size": [-50, 20]}, (50, 20), (50, 20)),
    ({"resize_y": 10, "size": None}, (10, 15), (10, 7)),
    ({"size": [0, 0]}, (100, 150), (150, 100)),
    ({"resize_longer": 0.2}, (1, 1), (1, 1)),
    (
        {"size": [50, 50], "roi_start": [0, 0], "roi_end": [50, 100], "mode": "not_larger"},
        (25, 50),
        (25, 50),
    ),
]


@pytest.mark.parametrize(("arguments", "wide", "tall"), RULES, ids=lambda v: str(v))
def test_size_rules(arguments, wide, tall):
    images = [np.zeros((100, 150, 1), np.uint8), np.zeros((150, 100, 1), np.uint8)]
    wanted = [(*wide, 1), (*tall, 1)]
    assert ndd.resize(batch_of(*images), interp_type="nn", **arguments).shape == wanted
    for image, shape in zip(images, wanted, strict=True):
        one = ndd.resize(ndd.tensor(image), interp_type="nn", **arguments)
        assert one.shape == shape
        same = ndd.resize(batch_of(image, image), interp_type="nn", **arguments)
        assert same.shape == [shape] * 2


@pytest.mark.parametrize("exact", [True, False])
def test_subpixel_scale(exact):
    image = noise(6, (10, 15, 1))
    # The height would be 4.67: the window is widened about its centre, so that the scale is exact.
    half = 5 * 5 / (10 * 7 / 15) if exact else 5
    out = np.asarray(ndd.resize(ndd.tensor(image), resize_x=7, subpixel_scale=exact))
    wanted = resized(image, (0, 1), (5, 7), "linear", roi=[(5 - half, 5 + half), (0, 15)])
    assert_rounded(out, wanted, NOISE["uint8"])


@pytest.mark.parametrize(("size", "length"), [(0.05, 10), (0.1, 10), (0.25, 4), (0.5, 2)])
def test_subpixel_scale_of_less_than_a_pixel(size, length):
    # As of the original: a row that becomes a pixel stands for ten rows at most.
    image = noise(6, (12, 5, 1))
    out = ndd.resize(ndd.tensor(image), size=[size, 5], roi_start=[3, 0], roi_end=[4, 5])
    window = (3.5 - length / 2, 3.5 + length / 2)
    wanted = resized(image, (0, 1), (1, 5), "linear", roi=[window, (0, 5)])
    assert_rounded(np.asarray(out), wanted, NOISE["uint8"])


def test_negative_sizes_flip():
    image = noise(7, (8, 9, 3))
    flipped = np.asarray(ndd.resize(ndd.tensor(image), size=[-5, 6]))
    np.testing.assert_array_equal(
        flipped[::-1], np.asarray(ndd.resize(ndd.tensor(image), size=[5, 6]))
    )
    same = np.asarray(ndd.resize(ndd.tensor(image), size=[8, -9]))
    np.testing.assert_array_equal(same, image[:, ::-1])


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize(
    ("start", "end"),
    [((1.25, 2.5), (9.75, 11.25)), ((10, 3), (2.5, 14)), ((-2, 1), (8, 18))],
    ids=str,
)
def test_regions(kind, start, end):
    image = noise(8, (12, 16, 3))
    arguments = {"interp_type": INTERP[kind], "size": (6, 21)}
    wanted = resized(image, (0, 1), (6, 21), kind, roi=list(zip(start, end, strict=True)))
    out = ndd.resize(ndd.tensor(image), roi_start=start, roi_end=end, **arguments)
    # Corners are float32: 1e-6 pixels at up to 255 counts a pixel.
    assert_rounded(np.asarray(out), wanted, 2e-3)
    relative = ndd.resize(
        ndd.tensor(image),
        roi_start=np.divide(start, (12, 16)).tolist(),
        roi_end=np.divide(end, (12, 16)).tolist(),
        roi_relative=True,
        **arguments,
    )
    assert_rounded(np.asarray(relative), wanted, 2e-3)


def test_taps_reach_beyond_the_region():
    ramp = np.arange(8, dtype=np.float32).reshape(1, 8, 1)
    out = ndd.resize(ndd.tensor(ramp), size=[1, 8], roi_start=[0, 2], roi_end=[1, 6])
    assert np.asarray(out)[0, 0, 0] == 1.75


def test_values_for_each_sample():
    images = [noise(k, (14, 18, 3)) for k in range(3)]
    sizes = [(5, 20), (9, 9), (30, 4)]
    kinds = ["linear", "cubic", "nn"]
    together = [
        ndd.resize(
            batch_of(*images),
            size=ndd.batch(sizes),
            interp_type=ndd.batch([INTERP[k] for k in kinds]),
        ),
        ndd.resize(
            batch_of(*images),
            resize_y=ndd.batch([float(h) for h, _ in sizes]),
            resize_x=ndd.batch([np.float32(w) for _, w in sizes]),
            interp_type=ndd.batch([INTERP[k] for k in kinds]),
        ),
    ]
    for out in together:
        for got, image, size, kind in zip(arrays(out), images, sizes, kinds, strict=True):
            assert_rounded(got, resized(image, (0, 1), size, kind), NOISE["uint8"])


def test_regions_for_each_sample():
    images = [noise(k, (14, 18, 3)) for k in range(2)]
    starts, ends = [(0.0, 1.0), (2.0, 3.0)], [(8.0, 9.0), (14.0, 12.0)]
    out = ndd.resize(
        batch_of(*images), size=(6, 7), roi_start=ndd.batch(starts), roi_end=ndd.batch(ends)
    )
    for got, image, lo, hi in zip(arrays(out), images, starts, ends, strict=True):
        roi = list(zip(lo, hi, strict=True))
        assert_rounded(got, resized(image, (0, 1), (6, 7), "linear", roi=roi), NOISE["uint8"])


def test_filters_for_each_direction():
    image = noise(9, (20, 8, 3))
    out = ndd.resize(
        ndd.tensor(image), size=(7, 19), min_filter=INTERP["cubic"], mag_filter=INTERP["lanczos3"]
    )
    assert_rounded(
        np.asarray(out), resized(image, (0, 1), (7, 19), ["cubic", "lanczos3"]), NOISE["uint8"]
    )


@pytest.mark.parametrize("name", ["LINEAR", "linear", "INTERP_LINEAR", 1, types.INTERP_LINEAR])
def test_names_of_filters(name):
    image = noise(9, (20, 8, 3))
    np.testing.assert_array_equal(
        np.asarray(ndd.resize(ndd.tensor(image), size=(7, 19), interp_type=name)),
        np.asarray(ndd.resize(ndd.tensor(image), size=(7, 19))),
    )


def test_save_attrs():
    images = [noise(k, (h, 9, 3)) for k, h in enumerate((8, 5))]
    out, extents = ndd.resize(batch_of(*images), size=[4, 4], save_attrs=True)
    assert out.shape == [(4, 4, 3)] * 2
    assert extents.dtype == ndd.int32
    assert np.asarray(extents).tolist() == [[8, 9], [5, 9]]
    _, one = ndd.resize(
        ndd.tensor(noise(0, (2, 3, 4, 5, 1)), layout="FDHWC"), size=2, save_attrs=True
    )
    assert np.asarray(one).tolist() == [3, 4, 5]


def test_the_original_size_changes_nothing():
    image = noise(10, (33, 17, 3))
    for kind in FILTERS:
        out = ndd.resize(ndd.tensor(image), size=(33, 17), interp_type=INTERP[kind])
        np.testing.assert_array_equal(np.asarray(out), image)


def test_a_photograph(photos):
    import io

    from PIL import Image

    picture = np.asarray(Image.open(io.BytesIO(photos[0])).convert("RGB"))
    out = np.asarray(ndd.resize(ndd.tensor(picture), size=(224, 224)))
    assert_rounded(out, resized(picture, (0, 1), (224, 224), "linear"), 2e-3)


def test_pillow_and_jax_share_the_rule_of_renormalised_borders():
    from PIL import Image

    image = noise(11, (40, 30, 3))
    out = np.asarray(ndd.resize(ndd.tensor(image), size=(17, 13), border="renormalize"))
    pillow = Image.fromarray(image).resize((13, 17), Image.Resampling.BILINEAR)
    # Pillow rounds to 8 bits between its two passes.
    assert np.abs(out.astype(int) - np.asarray(pillow)).max() <= 1
    real = jax.image.resize(image.astype(np.float32), (17, 13, 3), "linear", antialias=True)
    assert_rounded(out, np.asarray(real, np.float64), 2e-3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "the size is given by nothing; expected exactly one of size"),
        ({"size": 4, "resize_x": 4}, "the size is given by size and resize_x/y/z"),
        (
            {"resize_shorter": 4, "resize_longer": 4},
            "resize_shorter and resize_longer; expected exactly",
        ),
        (
            {"resize_shorter": 4, "mode": "stretch"},
            "mode='stretch' cannot be combined with resize_shorter",
        ),
        ({"size": 4, "mode": "foo"}, "mode='foo'; expected one of default"),
        ({"size": [1, 2, 3]}, "size has 3 values; expected 2"),
        ({"size": 4, "roi_start": [0, 0]}, "roi_start and roi_end must be given together"),
        ({"size": 4, "roi_start": [0], "roi_end": [1, 2, 3]}, "roi_end has 3 values"),
        ({"size": 4, "border": "foo"}, "border='foo'; expected one of"),
        ({"size": 4, "dtype": ndd.int16}, "dtype=int16; expected the input's uint8 or float32"),
        ({"size": 4, "dtype": "float64"}, "dtype=float64; expected"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=rf"resize: .*{message}"):
        ndd.resize(ndd.tensor(noise(0, (5, 6, 3))), **arguments).evaluate()


@pytest.mark.parametrize("dtype", ["int32", "float64", "int8", "bool", "int64"])
def test_refused_types(dtype):
    with pytest.raises(
        ndd.OperatorError, match=rf"resize: the input is {dtype}; expected one of uint8"
    ):
        ndd.resize(ndd.tensor(np.zeros((5, 6, 3), dtype)), size=4).evaluate()


@pytest.mark.parametrize("size", [1e10, float("nan"), float("inf"), 2**31])
def test_impossible_sizes_are_refused(size):
    with pytest.raises((ndd.OperatorError, ndd.ArgumentError), match=r"resize: "):
        ndd.resize(ndd.tensor(noise(0, (5, 6, 3))), size=[size, 4]).evaluate()


# What the original makes of images without pixels: an axis without any stays so, and the others
# are sized as if it were not there.
EMPTY = [
    ({"size": [3, 2]}, (0, 2), (3, 0)),
    ({"size": [-3, 2]}, (0, 2), (3, 0)),
    ({"size": [0, 2]}, (0, 2), (4, 0)),
    ({"resize_x": 2}, (0, 2), (4, 0)),
    ({"resize_y": 2}, (0, 4), (2, 0)),
    ({"resize_shorter": 2}, (0, 2), (2, 0)),
    ({"resize_longer": 2}, (0, 2), (2, 0)),
    ({"size": [3, 2], "mode": "not_larger"}, (0, 2), (3, 0)),
    ({"size": [0, 2], "mode": "stretch"}, (0, 2), (4, 0)),
    ({"resize_shorter": 5, "max_size": [3, 4]}, (0, 4), (3, 0)),
    ({"size": [3, 2], "roi_start": [0, 0], "roi_end": [1, 1]}, (0, 2), (3, 0)),
]


@pytest.mark.parametrize(("arguments", "flat", "thin"), EMPTY, ids=lambda v: str(v))
def test_images_without_pixels(arguments, flat, thin):
    image = noise(12, (2, 4, 3))
    none = [np.zeros(shape, np.uint8) for shape in ((0, 4, 3), (4, 0, 3))]
    alone = np.asarray(ndd.resize(ndd.tensor(image, layout="HWC"), **arguments))
    wanted = [(*flat, 3), (*thin, 3), alone.shape]
    batch = batch_of(*none, image)
    out = ndd.resize(batch, **arguments)
    assert out.shape == wanted
    np.testing.assert_array_equal(np.asarray(out.select(2)), alone)
    for sample, shape in zip(none, wanted, strict=False):
        assert ndd.resize(ndd.tensor(sample, layout="HWC"), **arguments).shape == shape


# Which axes (vertical, horizontal) regions turn round whose ends lie before their starts in both,
# as in the original: those with a size, unless all share one scale.
BACKWARDS = [
    ({"size": [4, 5]}, (True, True)),
    ({"resize_x": 5}, (False, True)),
    ({"resize_x": -5}, (False, False)),
    ({"resize_y": 4}, (True, False)),
    ({"size": [0, 0]}, (False, False)),
    ({"resize_x": 5, "mode": "stretch"}, (False, True)),
    ({"resize_shorter": 4}, (True, True)),
    ({"resize_longer": 5}, (True, True)),
    ({"size": [0, 5], "mode": "not_larger"}, (True, True)),
    ({"size": [0, -5], "mode": "not_smaller"}, (True, False)),
    ({"size": [0, 0], "mode": "not_larger"}, (False, False)),
]


@pytest.mark.parametrize(("arguments", "turned"), BACKWARDS, ids=lambda v: str(v))
def test_regions_given_backwards(arguments, turned):
    image = np.arange(20, dtype=np.float32).reshape(4, 5, 1)
    wanted = image[:: -1 if turned[0] else 1, :: -1 if turned[1] else 1]

    def backwards(image):
        return ndd.resize(image, roi_start=[4, 5], roi_end=[0, 0], **arguments)

    tensor = ndd.tensor(image, layout="HWC")
    np.testing.assert_array_equal(np.asarray(backwards(tensor)), wanted)
    ragged = batch_of(image, image[:3])
    for batch in (batch_of(image, image), ragged):
        np.testing.assert_array_equal(np.asarray(backwards(batch).select(0)), wanted)
    if "size" in arguments and 0 not in arguments["size"]:
        inside = jax.jit(backwards)(ragged)
        np.testing.assert_array_equal(np.asarray(inside.select(0)), wanted)


def test_sizes_for_each_sample_say_which_regions_turn():
    image = np.arange(20, dtype=np.float32).reshape(4, 5, 1)
    size = ndd.batch([np.float32([4, 0]), np.float32([0, 5]), np.float32([0, 0])])
    out = ndd.resize(batch_of(image, image, image), size=size, roi_start=[4, 5], roi_end=[0, 0])
    for got, wanted in zip(arrays(out), (image[::-1], image[:, ::-1], image), strict=True):
        np.testing.assert_array_equal(got, wanted)
