"""`laplacian` against SciPy's correlations with the windows of the Sobel family."""

import numpy as np
import pytest
from scipy import ndimage
from support.samples import arrays, noise

import dynjax as ndd


def smoothing(size):
    out = np.ones(1)
    for _ in range(size - 1):
        out = np.convolve(out, [1, 1])
    return out


def derivative(size):
    return np.convolve(smoothing(size - 2), [1, -2, 1])


def reference(image, axes, sizes, smooth, scales):
    total = np.zeros(image.shape)
    for k, axis in enumerate(axes):
        term = ndimage.correlate1d(
            image.astype(np.float64), derivative(sizes[k]), axis, mode="mirror"
        )
        for j, other in enumerate(axes):
            if j != k:
                term = ndimage.correlate1d(term, smoothing(smooth[j]), other, mode="mirror")
        total += term * scales[k]
    return total


@pytest.mark.parametrize(
    ("layout", "shape"), [("HW", (9, 11)), ("HWC", (7, 8, 3)), ("FCHW", (2, 2, 5, 6)),
                          ("DHWC", (4, 5, 6, 2))]
)  # fmt: skip
@pytest.mark.parametrize("size", [3, 5])
def test_windows(layout, shape, size):
    image = noise(0, shape)
    axes = [a for a, letter in enumerate(layout) if letter not in "FC"]
    n = len(axes)
    tensor = ndd.tensor(image, layout=layout)
    out = ndd.laplacian(tensor, window_size=size, dtype=ndd.float32)
    wanted = reference(image, axes, [size] * n, [size] * n, [1.0] * n)
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
    norm = 2.0 ** (n + 2 - size * n)
    out = ndd.laplacian(tensor, window_size=size, normalized_kernel=True, dtype=ndd.float32)
    np.testing.assert_allclose(np.asarray(out), wanted * norm, rtol=1e-4, atol=1e-3)


def test_sizes_and_scales_of_each_axis():
    image = noise(1, (9, 11))
    out = ndd.laplacian(
        ndd.tensor(image, layout="HW"),
        window_size=[5, 3],
        smoothing_size=[3, 7],
        scale=[0.5, 2.0],
        dtype=ndd.float32,
    )
    wanted = reference(image, (0, 1), [5, 3], [3, 7], [0.5, 2.0])
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=1e-5, atol=0.2)


def test_smoothing_is_as_wide_as_the_derivative_beside_it():
    image = noise(4, (9, 11))
    tensor = ndd.tensor(image, layout="HW")
    out = ndd.laplacian(tensor, window_size=[3, 5], dtype=ndd.float32)
    down = reference(image, (0, 1), [3, 5], [3, 3], [1, 0])
    across = reference(image, (0, 1), [3, 5], [5, 5], [0, 1])
    np.testing.assert_allclose(np.asarray(out), down + across, rtol=1e-5, atol=0.1)
    out = ndd.laplacian(tensor, window_size=[3, 5], normalized_kernel=True, dtype=ndd.float32)
    np.testing.assert_allclose(np.asarray(out), down / 4 + across / 64, rtol=1e-5, atol=0.01)


def test_sizes_of_each_sample_and_clamping():
    images = [noise(2, (10, 12, 3)), noise(3, (7, 5, 3))]
    batch = ndd.batch(images, layout="HWC")
    out = ndd.laplacian(batch, window_size=ndd.batch(np.int32([3, 5])), dtype=ndd.float32)
    for got, image, size in zip(arrays(out), images, (3, 5), strict=True):
        wanted = reference(image, (0, 1), [size] * 2, [size] * 2, [1, 1])
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=0.1)
    for got, image in zip(arrays(ndd.laplacian(batch)), images, strict=True):
        wanted = reference(image, (0, 1), [3, 3], [3, 3], [1, 1]).clip(0, 255)
        np.testing.assert_allclose(got, wanted, atol=0.501)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"window_size": 4}, "window_size is 4; expected an odd number from 3 to 31"),
        ({"window_size": 33}, "window_size is 33"),
        ({"smoothing_size": 2}, "smoothing_size is 2; expected an odd number from 1 to 31"),
        ({"scale": 2.0, "normalized_kernel": True}, "scale cannot be combined"),
    ],
)
def test_bad_arguments(given, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.laplacian(ndd.tensor(noise(0, (4, 5)), layout="HW"), **given).evaluate()
