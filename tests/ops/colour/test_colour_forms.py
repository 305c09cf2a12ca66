"""Colour and filter operators give the same eagerly, inside `jit`, natively and in JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import arrays, noise, padded

import dynjax as ndd
from dynjax import types
from dynjax._execution import sampled, traced

IMAGES = [noise(0, (12, 18, 3)), noise(1, (24, 8, 3)), noise(2, (6, 20, 3))]
SLOT = (24, 20, 3)
WINDOW = np.random.default_rng(0).uniform(-0.2, 0.4, (3, 2)).astype(np.float32)

CALLS = {
    "brightness_contrast": lambda b: ndd.brightness_contrast(b, brightness=1.2, contrast=0.7),
    "color_twist": lambda b: ndd.color_twist(b, hue=30.0, contrast=1.1),
    "grey": lambda b: ndd.color_space_conversion(b, image_type=types.RGB, output_type=types.GRAY),
    "equalize": ndd.equalize,
    "clahe": lambda b: ndd.clahe(b, tiles_x=3, tiles_y=2, clip_limit=3.0),
    "jpeg": lambda b: ndd.jpeg_compression_distortion(b, quality=40),
    "gaussian_blur": lambda b: ndd.gaussian_blur(b, sigma=0.9),
    "laplacian": lambda b: ndd.laplacian(b, normalized_kernel=True),
    "filter": lambda b: ndd.filter(b, WINDOW, border="wrap"),
    "median_blur": ndd.experimental.median_blur,
    "dilate": ndd.experimental.dilate,
}


@pytest.fixture(params=CALLS)
def call(request):
    return CALLS[request.param]


def ragged():
    return ndd.batch(IMAGES, layout="HWC")


def in_slots(fill):
    return padded(IMAGES, SLOT, fill=fill, layout="HWC", constant=(2,))


def same(got, wanted):
    assert (got.shape, got.dtype, got.layout) == (wanted.shape, wanted.dtype, wanted.layout)
    for a, b in zip(arrays(got), arrays(wanted), strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


def test_jit_equals_eager_and_padding_stays_out(call):
    wanted = call(ragged())
    run = jax.jit(call)
    for fill in (0, 255):
        out = run(in_slots(fill))
        same(out, wanted)
        for row, sample in zip(np.asarray(out.storage.array), arrays(out), strict=True):
            outside = np.array(row)
            outside[tuple(map(slice, sample.shape))] = 0
            assert not outside.any()


def test_samples_do_not_know_of_their_batch(call):
    for image, wanted in zip(IMAGES, arrays(call(ragged())), strict=True):
        one = call(ndd.tensor(image, layout="HWC"))
        np.testing.assert_array_equal(arrays(one)[0], wanted, strict=True)
    out = call(ragged().select([]))
    assert (out.batch_size, list(out)) == (0, [])


def test_the_jax_form_agrees(call, monkeypatch):
    def embed(kernel, static, arrays, extents, out_extent, tables, slot, dtype, count):
        return sampled.map_samples(
            kernel, static, arrays, extents, out_extent, tables, slot, dtype, count
        )

    monkeypatch.setattr(traced, "embed", embed)
    run = jax.jit(lambda batch: call(batch))
    wanted = arrays(call(ragged()))
    clean, dirty = run(in_slots(0)), run(in_slots(255))
    same(clean, dirty)
    for a, b in zip(arrays(clean), wanted, strict=True):
        # A count at a rounding edge; two where a rounded lightness becomes a colour.
        assert np.abs(a.astype(int) - b).max(initial=0) <= (2 if call is CALLS["clahe"] else 1)
        assert np.mean(a != b) < 0.02


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ndd.brightness_contrast(x, brightness=1.5, contrast=0.5, brightness_shift=0.1),
        lambda x: ndd.color_twist(x, hue=20.0, saturation=0.5, brightness=1.1),
        lambda x: ndd.laplacian(x),
        lambda x: ndd.filter(x, WINDOW),
    ],
    ids=["brightness_contrast", "color_twist", "laplacian", "filter"],
)
def test_gradients(call):
    x = noise(5, (4, 5, 3), "float32")
    run = jax.jit(lambda x: call(ndd.as_tensor(x, layout="HWC")).jax())
    check_grads(run, (x,), 1, modes=["rev"], atol=2e-2, rtol=2e-2)


def test_gradients_of_arguments():
    x = jnp.asarray(noise(6, (3, 4, 3), "float32"))

    @jax.jit
    def total(gain):
        image = ndd.as_tensor(x, layout="HWC")
        return ndd.brightness(image, brightness=gain).jax().sum()

    np.testing.assert_allclose(jax.grad(total)(jnp.float32(1.5)), x.sum(), rtol=1e-5)
