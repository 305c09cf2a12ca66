"""`experimental.dilate`, `erode` and `median_blur` against SciPy."""

import jax
import numpy as np
import pytest
from scipy import ndimage
from support.samples import arrays, noise

import dynjax as ndd
from dynjax._execution import sampled, traced

IMAGES = [noise(0, (8, 10, 2)), noise(1, (5, 7, 2))]
BORDERS = {"replicate": "nearest", "reflect": "reflect", "reflect_101": "mirror", "wrap": "wrap"}


@pytest.mark.parametrize("name", ["dilate", "erode"])
@pytest.mark.parametrize("border", ["constant", *BORDERS])
def test_extremes(name, border):
    out = getattr(ndd.experimental, name)(
        ndd.batch(IMAGES, layout="HWC"), mask_size=[3, 5], border_mode=border
    )
    function = ndimage.maximum_filter if name == "dilate" else ndimage.minimum_filter
    fill = 0 if name == "dilate" else 255
    for got, image in zip(arrays(out), IMAGES, strict=True):
        wanted = function(image, (3, 5, 1), mode=BORDERS.get(border, border), cval=fill)
        np.testing.assert_array_equal(got, wanted)


def test_masks_of_each_sample_and_iterations():
    batch = ndd.batch(IMAGES, layout="HWC")
    out = ndd.experimental.dilate(batch, mask_size=ndd.batch(np.int32([[1, 3], [3, 1]])))
    for got, image, size in zip(arrays(out), IMAGES, [(1, 3, 1), (3, 1, 1)], strict=True):
        np.testing.assert_array_equal(got, ndimage.maximum_filter(image, size, mode="constant"))
    twice = ndd.experimental.erode(batch, iterations=2)
    once = ndd.experimental.erode(batch, mask_size=5)
    for a, b in zip(arrays(twice), arrays(once), strict=True):
        np.testing.assert_array_equal(a, b)


def test_anchor():
    row = ndd.tensor(np.float32([[1, 5, 2, 3]]), layout="HW")
    out = ndd.experimental.dilate(row, mask_size=[1, 2], anchor=[0, 0])
    assert np.asarray(out).tolist() == [[5, 5, 3, 3]]


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32"])
def test_median(dtype):
    images = [x.astype(dtype) for x in IMAGES]
    out = ndd.experimental.median_blur(ndd.batch(images, layout="HWC"), window_size=[3, 5])
    for got, image in zip(arrays(out), images, strict=True):
        wanted = ndimage.median_filter(image, (3, 5, 1), mode="nearest")
        np.testing.assert_array_equal(got, wanted, strict=True)


def test_windows_of_each_sample():
    batch = ndd.batch(IMAGES, layout="HWC")
    out = ndd.experimental.median_blur(batch, window_size=ndd.batch(np.int32([[3, 3], [1, 5]])))
    for got, image, size in zip(arrays(out), IMAGES, [(3, 3, 1), (1, 5, 1)], strict=True):
        np.testing.assert_array_equal(got, ndimage.median_filter(image, size, mode="nearest"))


def planes(image, layout):
    """The image with height and width first, and how to turn a result back."""
    first = layout.index("H")
    return np.moveaxis(image, (first, first + 1), (0, 1)), first


def windows(image, layout, before, size):
    """All pixels of the window about each one: `[..., rows * columns]`, in the order of reading."""
    plane, first = planes(image, layout)
    room = [(b, s - 1 - b) for b, s in zip(before, size, strict=True)]
    wide = np.pad(plane, [*room, *[(0, 0)] * (plane.ndim - 2)], mode="edge")
    shaped = np.lib.stride_tricks.sliding_window_view(wide, size, axis=(0, 1))
    flat = shaped.reshape(*shaped.shape[:-2], -1)
    return np.moveaxis(flat, (0, 1), (first, first + 1))


def stable_median(image, layout, size):
    """The middle one after a stable sort: NaNs last, 0 and -0 equal."""
    values = windows(image, layout, [s // 2 for s in size], size)
    order = np.argsort(values, axis=-1, kind="stable")
    return np.take_along_axis(values, order, axis=-1)[..., size[0] * size[1] // 2]


def same_bits(got, wanted):
    """Equal to the sign of a zero, which `assert_array_equal` takes for equal."""
    np.testing.assert_array_equal(got, wanted, strict=True)
    if got.dtype.kind == "f":
        zero = got == 0
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(wanted[zero]))


LAYOUTS = {
    "HW": (33, 70),
    "HWC": (20, 37, 3),
    "FHWC": (2, 9, 21, 4),
    "CHW": (3, 24, 40),
    "FCHW": (2, 2, 11, 35),
}


def extreme_floats(seed, shape):
    """Few values, so that many are equal; zeros of both signs, infinities and NaNs."""
    rng = np.random.default_rng(seed)
    values = np.float32([0, -0.0, 0, -0.0, 1, -1, 2.5, np.inf, -np.inf, np.nan])
    return rng.choice(values, shape)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"]
)
def test_medians_of_all_types_and_windows(dtype, layout):
    image = noise(3, LAYOUTS[layout], dtype)
    for size in [(3, 3), (5, 5), (7, 7), (1, 9), (9, 3), (15, 15), (1, 1)]:
        out = ndd.experimental.median_blur(ndd.tensor(image, layout=layout), window_size=size)
        same_bits(np.asarray(out), stable_median(image, layout, size))


@pytest.mark.parametrize("size", [(3, 3), (5, 5), (7, 7), (5, 9)])
def test_medians_of_unordered_floats(size):
    image = extreme_floats(0, (23, 41, 2))
    out = ndd.experimental.median_blur(ndd.tensor(image, layout="HWC"), window_size=size)
    same_bits(np.asarray(out), stable_median(image, "HWC", size))


def test_medians_of_windows_that_exceed_the_image():
    image = noise(4, (6, 300))
    for dtype, size in [("uint8", (255, 127)), ("uint8", (301, 3)), ("int16", (33, 401))]:
        row = image.astype(dtype)
        out = ndd.experimental.median_blur(ndd.tensor(row, layout="HW"), window_size=size)
        same_bits(np.asarray(out), stable_median(row, "HW", size))
    largest = ndd.experimental.median_blur(ndd.tensor(image[:2, :2], layout="HW"), window_size=1023)
    assert np.asarray(largest).tolist() == stable_median(image[:2, :2], "HW", (1023, 1023)).tolist()


def test_medians_of_wide_and_tall_images():
    """More columns than are counted at once, and more than one tile of ranks."""
    for dtype, shape in [
        ("uint8", (12, 900, 3)),
        ("int8", (8, 1700, 1)),
        ("uint16", (140, 150, 1)),
    ]:
        image = noise(5, shape, dtype)
        out = ndd.experimental.median_blur(ndd.tensor(image, layout="HWC"), window_size=[5, 9])
        same_bits(np.asarray(out), stable_median(image, "HWC", (5, 9)))


def spread(image, size, anchor, border, largest):
    """One pass over the first two axes, by SciPy; a constant border is never the extreme."""
    function = ndimage.maximum_filter if largest else ndimage.minimum_filter
    info = np.iinfo(image.dtype)
    rest = (1,) * (image.ndim - 2)
    # SciPy counts from the middle.
    origin = [a - s // 2 for a, s in zip(anchor, size, strict=True)]
    return function(
        image,
        (*size, *rest),
        mode=BORDERS.get(border, border),
        cval=info.min if largest else info.max,
        origin=(*origin, *(0 for _ in rest)),
    )


@pytest.mark.parametrize("border", ["constant", *BORDERS])
@pytest.mark.parametrize("largest", [True, False])
def test_extremes_of_long_masks_anchors_and_iterations(border, largest):
    name = "dilate" if largest else "erode"
    image = noise(6, (19, 34, 3), "uint16")
    cases = [((1, 1), (0, 0), 1), ((2, 8), (0, 7), 1), ((17, 33), (16, 2), 1), ((3, 2), (1, 0), 3)]
    for size, anchor, iterations in [*cases, ((4, 5), (-1, -1), 2), ((3, 3), (-1, -1), 0)]:
        out = getattr(ndd.experimental, name)(
            ndd.tensor(image, layout="HWC"),
            mask_size=size,
            anchor=anchor,
            border_mode=border,
            iterations=iterations,
        )
        placed = [s // 2 if a < 0 else a for a, s in zip(anchor, size, strict=True)]
        wanted = image
        for _ in range(iterations):
            wanted = spread(wanted, size, placed, border, largest)
        same_bits(np.asarray(out), wanted)


@pytest.mark.parametrize("border", ["constant", *BORDERS])
def test_extremes_of_masks_that_exceed_the_image(border):
    """Longer than the image, its mirror image and more."""
    image = noise(10, (3, 5))
    for size, anchor in [
        ((4, 7), (3, 6)),
        ((7, 6), (0, 0)),
        ((13, 21), (1, 20)),
        ((80, 90), (3, 4)),
    ]:
        out = ndd.experimental.erode(
            ndd.tensor(image, layout="HW"), mask_size=size, anchor=anchor, border_mode=border
        )
        same_bits(np.asarray(out), spread(image, size, anchor, border, False))


def test_extremes_of_each_frame():
    video = noise(7, (3, 12, 17, 2))
    masks = np.int32([[3, 3], [1, 6], [5, 2]])
    out = ndd.experimental.erode(
        ndd.tensor(video, layout="FHWC"),
        mask_size=ndd.per_frame(ndd.tensor(masks)),
        border_mode="reflect",
    )
    for got, frame, mask in zip(np.asarray(out), video, masks, strict=True):
        same_bits(got, spread(frame, tuple(mask), mask // 2, "reflect", False))


@pytest.mark.parametrize("name", ["dilate", "erode"])
def test_extremes_of_unordered_floats(name):
    """A NaN is the extreme, and 0 is larger than -0."""
    image = extreme_floats(1, (13, 29))
    out = getattr(ndd.experimental, name)(ndd.tensor(image, layout="HW"), mask_size=[1, 3])
    values = windows(image, "HW", (0, 1), (1, 3))
    # Zeros become the smallest numbers for a while.
    numbers = np.where(values == 0, np.where(np.signbit(values), -1e-30, 1e-30), values)
    wanted = numbers.max(-1) if name == "dilate" else numbers.min(-1)
    tiny = np.abs(wanted) == 1e-30
    wanted = np.where(tiny, np.copysign(np.float32(0), wanted), wanted).astype(np.float32)
    same_bits(np.asarray(out), wanted)


def in_jax(call, image, layout, monkeypatch):
    """The result of the JAX form."""

    def embed(kernel, static, arrays, extents, out_extent, tables, slot, dtype, count):
        return sampled.map_samples(
            kernel, static, arrays, extents, out_extent, tables, slot, dtype, count
        )

    with monkeypatch.context() as patch:
        patch.setattr(traced, "embed", embed)
        return np.asarray(jax.jit(lambda x: call(ndd.as_tensor(x, layout=layout)).jax())(image))


FORMS = {
    "median": lambda x: ndd.experimental.median_blur(x, window_size=[3, 5]),
    "median_square": lambda x: ndd.experimental.median_blur(x, window_size=5),
    "dilate": lambda x: ndd.experimental.dilate(x, mask_size=[4, 3], border_mode="reflect_101"),
    "erode": lambda x: ndd.experimental.erode(x, mask_size=[2, 7], anchor=[1, 0], iterations=2),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_the_jax_forms_give_the_same_bits(form, dtype, monkeypatch):
    image = extreme_floats(2, (9, 14, 2)) if dtype == "float32" else noise(8, (9, 14, 2), dtype)
    wanted = in_jax(FORMS[form], image, "HWC", monkeypatch)
    same_bits(np.asarray(FORMS[form](ndd.tensor(image, layout="HWC"))), wanted)


def test_windows_that_only_a_program_knows():
    image = noise(9, (14, 18, 2))

    @jax.jit
    def filtered(x, size):
        image = ndd.as_tensor(x, layout="HWC")
        blurred = ndd.experimental.median_blur(image, window_size=size)
        return blurred.jax(), ndd.experimental.dilate(image, mask_size=size).jax()

    for size in [(3, 5), (7, 7), (15, 1)]:
        median, largest = filtered(image, np.int32(size))
        same_bits(np.asarray(median), stable_median(image, "HWC", size))
        wanted = ndimage.maximum_filter(image, (*size, 1), mode="constant")
        same_bits(np.asarray(largest), wanted)


def test_bad_arguments():
    image = ndd.tensor(IMAGES[0], layout="HWC")
    with pytest.raises(RuntimeError, match="window_size is 4; expected an odd number"):
        ndd.experimental.median_blur(image, window_size=4).evaluate()
    with pytest.raises(RuntimeError, match="window_size is 1025; expected 1023 or less"):
        ndd.experimental.median_blur(image, window_size=[3, 1025]).evaluate()
    with pytest.raises(RuntimeError, match="border_mode='mirror'"):
        ndd.experimental.dilate(image, border_mode="mirror").evaluate()
    with pytest.raises(RuntimeError, match="anchor 3 lies outside a mask of 3"):
        ndd.experimental.erode(image, anchor=3).evaluate()
