"""`gaussian_blur` against SciPy's correlation with the window of the formula."""

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from scipy import ndimage
from support.samples import arrays, noise

import dynjax as ndd


def window(sigma=0.0, size=0):
    size = size or 2 * int(np.ceil(3 * sigma)) + 1
    sigma = sigma or ((size - 1) / 2 - 1) * 0.3 + 0.8
    t = np.arange(size) - size // 2
    weights = np.exp(-(t**2) / (2 * sigma**2))
    return weights / weights.sum()


def blurred(image, axes, windows):
    out = image.astype(np.float64)
    for axis, weights in zip(axes, windows, strict=True):
        out = ndimage.correlate1d(out, weights, axis, mode="mirror")
    return out


@pytest.mark.parametrize(
    ("layout", "shape"),
    [("HW", (9, 12)), ("W", (20,)), ("HWC", (9, 12, 3)), ("CHW", (2, 9, 12)),
     ("FHWC", (2, 5, 6, 3)), ("CFHW", (2, 3, 5, 6)), ("DHWC", (5, 6, 7, 2)), ("XY", (5, 6))],
)  # fmt: skip
def test_layouts(layout, shape):
    image = noise(0, shape)
    axes = [a for a, letter in enumerate(layout) if letter not in "FC"]
    out = ndd.gaussian_blur(ndd.tensor(image, layout=layout), sigma=0.8)
    wanted = blurred(image, axes, [window(0.8)] * len(axes))
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=0, atol=0.501)
    assert out.layout == layout


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "float16", "float32", "float64"])
def test_types(dtype):
    image = (noise(1, (8, 9)) / 3).astype(dtype)
    tensor = ndd.tensor(image, layout="HW")
    wanted = blurred(image, (0, 1), [window(size=5)] * 2)
    tolerance = {"float16": 0.05, "float32": 1e-4, "float64": 1e-4}.get(dtype, 0.501)
    out = ndd.gaussian_blur(tensor, window_size=5)
    assert out.dtype == getattr(ndd, dtype)
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=0, atol=tolerance)
    out = ndd.gaussian_blur(tensor, window_size=5, dtype=ndd.float32)
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=0, atol=1e-4)


def test_parameters_of_each_axis_sample_and_frame():
    images = [noise(2, (10, 12, 3)), noise(3, (7, 5, 3)), noise(4, (1, 9, 3))]
    batch = ndd.batch(images, layout="HWC")
    out = ndd.gaussian_blur(batch, window_size=[3, 7], sigma=[0.0, 1.5])
    for got, image in zip(arrays(out), images, strict=True):
        wanted = blurred(image, (0, 1), [window(size=3), window(1.5, 7)])
        np.testing.assert_allclose(got, wanted, rtol=0, atol=0.501)
    sigmas = np.float32([0.5, 1.0, 2.6])
    out = ndd.gaussian_blur(batch, sigma=ndd.batch(sigmas))
    for got, image, sigma in zip(arrays(out), images, sigmas, strict=True):
        wanted = blurred(image, (0, 1), [window(float(sigma))] * 2)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=0.502)
    video = noise(5, (3, 6, 7, 3))
    out = ndd.gaussian_blur(
        ndd.tensor(video, layout="FHWC"), sigma=ndd.per_frame(ndd.tensor(sigmas))
    )
    for got, frame, sigma in zip(np.asarray(out), video, sigmas, strict=True):
        wanted = blurred(frame, (0, 1), [window(float(sigma))] * 2)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=0.502)


def test_windows_wider_than_the_image():
    image = noise(6, (3, 2))
    out = ndd.gaussian_blur(ndd.tensor(image, layout="HW"), window_size=31, dtype=ndd.float32)
    wanted = blurred(np.tile(image, 1), (0, 1), [window(size=31)] * 2)
    np.testing.assert_allclose(np.asarray(out), wanted, rtol=1e-5)


def test_new_sizes_and_values_compile_nothing(compiles):
    def run(seed, sigma):
        images = [noise(seed, (20 + seed, 30, 3)), noise(seed, (25, 31 + seed, 3))]
        ndd.gaussian_blur(ndd.batch(images, layout="HWC"), sigma=sigma).evaluate()

    run(0, 1.0)
    with compiles() as seen:
        run(1, 0.9)
        run(2, ndd.batch(np.float32([0.7, 1.0])))
    assert seen.count == 0


def test_gradients():
    image = noise(7, (6, 5), "float32")

    @jax.jit
    def blur(x, sigma):
        batch = ndd.as_tensor(x, layout="HW")
        return ndd.gaussian_blur(batch, sigma=sigma, window_size=5).jax()

    check_grads(blur, (image, np.float32(1.3)), 1, modes=["rev"], atol=2e-2, rtol=2e-2)
    traced = jax.jit(lambda x, s: ndd.gaussian_blur(ndd.as_tensor(x, layout="HW"), sigma=s).jax())
    wanted = blurred(image, (0, 1), [window(1.25)] * 2)
    np.testing.assert_allclose(traced(image, np.float32(1.25)), wanted, rtol=1e-5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "sigma and window_size are both 0"),
        ({"window_size": 4}, "window_size is even"),
        ({"sigma": -1.0}, "sigma is negative"),
        ({"sigma": [1.0, 2.0, 3.0]}, "sigma has 3 values; expected 1 or 2"),
        ({"sigma": 1.0, "dtype": ndd.int16}, "dtype=int16; expected the input's uint8 or float32"),
    ],
)
def test_bad_arguments(given, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.gaussian_blur(ndd.tensor(noise(0, (4, 5)), layout="HW"), **given).evaluate()


@pytest.mark.parametrize(("layout", "shape"), [("HCW", (4, 3, 5)), ("HWF", (4, 5, 2))])
def test_bad_layouts(layout, shape):
    with pytest.raises(RuntimeError, match=f"layout '{layout}'"):
        ndd.gaussian_blur(ndd.tensor(noise(0, shape), layout=layout), sigma=1.0).evaluate()
    with pytest.raises(RuntimeError, match="bool; expected numbers"):
        ndd.gaussian_blur(ndd.tensor(np.zeros((4, 5), bool), layout="HW"), sigma=1.0).evaluate()
