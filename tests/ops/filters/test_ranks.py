"""`experimental.dilate`, `erode` and `median_blur` against SciPy."""

import numpy as np
import pytest
from scipy import ndimage
from support.samples import arrays, noise

import dynjax as ndd

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


def test_bad_arguments():
    image = ndd.tensor(IMAGES[0], layout="HWC")
    with pytest.raises(RuntimeError, match="window_size is 4; expected an odd number"):
        ndd.experimental.median_blur(image, window_size=4).evaluate()
    with pytest.raises(RuntimeError, match="border_mode='mirror'"):
        ndd.experimental.dilate(image, border_mode="mirror").evaluate()
    with pytest.raises(RuntimeError, match="anchor 3 lies outside a mask of 3"):
        ndd.experimental.erode(image, anchor=3).evaluate()
