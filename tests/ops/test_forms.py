"""Every form of a call gives the same: eager, inside `jit`, under `vmap`, natively and in JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from support.resampling import FILTERS
from support.samples import arrays, noise, padded

import dynjax as ndd
from dynjax import types
from dynjax._types import columns

IMAGES = [noise(0, (11, 17, 3)), noise(1, (24, 9, 3)), noise(2, (5, 20, 3))]
SLOT = (24, 20, 3)

CALLS = {
    "resize": lambda b: ndd.resize(b, size=(8, 12)),
    "resize_cubic": lambda b: ndd.resize(
        b, size=(30, 7), interp_type=types.INTERP_CUBIC, antialias=False
    ),
    "resize_sides": lambda b: ndd.resize(b, resize_x=9.0, resize_y=14),
    "resize_region": lambda b: ndd.resize(
        b, size=(6, 6), roi_start=[0.1, 0.2], roi_end=[0.9, 0.7], roi_relative=True
    ),
    "resize_float": lambda b: ndd.resize(b, size=(8, 12), dtype=ndd.float32, border="renormalize"),
    "normalise": lambda b: ndd.crop_mirror_normalize(
        b, mean=[100.0, 90.0, 80.0], std=[50.0, 51.0, 52.0], mirror=1
    ),
    "crop": lambda b: ndd.crop_mirror_normalize(
        b, crop=(4, 6), crop_pos_x=0.8, output_layout="HWC"
    ),
    "pad": lambda b: ndd.crop_mirror_normalize(
        b, crop=(13, 15), out_of_bounds_policy="pad", fill_values=[3.0]
    ),
    "channels": lambda b: ndd.crop_mirror_normalize(
        b, pad_output=True, dtype=ndd.int8, mean=[128.0]
    ),
    "both": lambda b: ndd.crop_mirror_normalize(
        ndd.resize(b, size=(16, 16)), crop=(12, 12), mirror=1, std=[58.0]
    ),
}


@pytest.fixture(params=CALLS)
def call(request):
    return CALLS[request.param]


def ragged():
    return ndd.batch(IMAGES, layout="HWC")


def dense():
    return ndd.batch(noise(3, (3, 12, 10, 3)), layout="HWC")


def same(got, wanted):
    """Equal bits: the native kernel computes both."""
    assert (got.shape, got.dtype, got.layout) == (wanted.shape, wanted.dtype, wanted.layout)
    for a, b in zip(arrays(got), arrays(wanted), strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


@pytest.mark.parametrize("make", [ragged, dense], ids=["ragged", "dense"])
def test_jit_equals_eager(call, make):
    same(jax.jit(call)(make()), call(make()))


def test_samples_do_not_know_of_their_batch(call):
    together = arrays(call(ragged()))
    for image, wanted in zip(IMAGES, together, strict=True):
        tensor = ndd.tensor(image, layout="HWC")
        for one in (call(tensor), call(ndd.batch([image], layout="HWC")), jax.jit(call)(tensor)):
            np.testing.assert_array_equal(arrays(one)[0], wanted, strict=True)


def test_vmap_equals_eager(call):
    whole = np.asarray(dense())
    out = jax.vmap(lambda x: call(ndd.as_tensor(x, layout="HWC")).jax())(whole)
    np.testing.assert_array_equal(out, np.asarray(call(dense())))


def test_stored_forms_agree(call):
    wanted = call(ragged())
    same(call(padded(IMAGES, SLOT, fill=0, layout="HWC", constant=(2,))), wanted)
    same(call(jax.device_put(ragged())), wanted)
    same(call(dense()), call(jax.device_put(dense())))


def assert_zero_outside(batch):
    for row, sample in zip(np.asarray(batch.storage.array), arrays(batch), strict=True):
        outside = np.array(row)
        outside[tuple(map(slice, sample.shape))] = 0
        assert not outside.any()


@pytest.mark.parametrize("where", ["eager", "jit"])
def test_padding_never_leaks(call, where):
    run = jax.jit(call) if where == "jit" else call
    clean, dirty = (
        run(padded(IMAGES, SLOT, fill=fill, layout="HWC", constant=(2,))) for fill in (0, 255)
    )
    same(clean, dirty)
    if where == "jit":  # nor does it come out
        assert_zero_outside(clean)
        assert_zero_outside(dirty)


@pytest.mark.parametrize("layout", ["HWC", "CHW"])
def test_empty_batches(call, layout):
    if layout == "CHW":
        batch = ndd.batch(np.zeros((0, 3, 12, 10), np.uint8), layout=layout)
        out = ndd.resize(batch, size=(4, 4))
        assert np.asarray(out).shape == (0, 3, 4, 4)
        return
    for batch in (
        ndd.batch(np.zeros((0, 12, 10, 3), np.uint8), layout=layout),
        ragged().select([]),
    ):
        out = call(batch)
        assert (out.batch_size, list(out), out.layout) == (0, [], call(dense()).layout)
        assert out.dtype == call(dense()).dtype


def test_a_batch_of_tensors_made_from_one():
    out = ndd.resize(ndd.tensor(IMAGES[0], layout="HWC"), size=(4, 4), batch_size=3)
    assert out.shape == [(4, 4, 3)] * 3
    mixed = ndd.crop_mirror_normalize(ndd.tensor(IMAGES[0], layout="HWC"), mirror=ndd.batch([0, 1]))
    np.testing.assert_array_equal(np.asarray(mixed)[0], np.asarray(mixed)[1][..., ::-1])


def test_inputs_are_not_changed(call):
    batch = ragged()
    call(batch).evaluate()
    for a, b in zip(arrays(batch), IMAGES, strict=True):
        np.testing.assert_array_equal(a, b)


def test_per_sample_arguments_inside_jit():
    flips, place = np.array([1, 0, 1]), np.array([0.0, 0.5, 1.0], np.float32)

    def call(batch, flips, place):
        return ndd.crop_mirror_normalize(batch, mirror=flips, crop_pos_x=place, crop=(4, 5))

    given = ndd.batch(flips), ndd.batch(place)
    same(jax.jit(call)(ragged(), *given), call(ragged(), *given))


def test_batches_made_of_tracers():
    def call(x, flips):
        return ndd.crop_mirror_normalize(ndd.as_batch(x, layout="HWC"), mirror=ndd.batch(flips))

    whole, flips = np.asarray(dense()), np.array([1, 0, 1])
    same(jax.jit(call)(whole, flips), call(whole, flips))


def test_an_axis_left_alone_keeps_its_bound_inside_jit():
    def call(batch):
        return ndd.resize(batch, resize_x=9.0, mode="stretch")

    same(jax.jit(call)(ragged()), call(ragged()))


# The JAX form against the native kernel ---------------------------------------------------------


def agree(call, in_jax, batch):
    """The JAX form gives what the native one gives."""
    wanted = arrays(call(batch))
    got = arrays(in_jax(call)(batch))
    for a, b in zip(got, wanted, strict=True):
        if a.dtype.kind == "f":
            # float32 sums of a few dozen terms up to 255 in another order, and float32 weights.
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=2e-3)
        else:
            # One count where the exact value lies on the edge between two: in few places.
            assert np.abs(a.astype(int) - b).max(initial=0) <= 1
            assert np.mean(a != b) < 0.02


def test_forms_of_each_call(call, in_jax):
    agree(call, in_jax, ragged())


def test_padding_never_leaks_in_the_jax_form(in_jax):
    def call(batch):
        return ndd.crop_mirror_normalize(batch, mirror=1, shift=5.0, fill_values=[3.0])

    clean, dirty = (
        in_jax(call)(padded(IMAGES, SLOT, fill=fill, layout="HWC", constant=(2,)))
        for fill in (0, 255)
    )
    same(clean, dirty)
    assert_zero_outside(dirty)


@pytest.mark.parametrize("name", ["resize", "both"])
def test_forms_of_a_dense_batch(name, in_jax):
    agree(CALLS[name], in_jax, dense())


@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("border", ["clamp", "renormalize"])
def test_forms_of_each_filter(antialias, border, in_jax):
    kinds = ndd.batch([types.DALIInterpType[f"INTERP_{kind.upper()}"] for kind in FILTERS])
    images = ndd.batch([IMAGES[k % 3] for k in range(len(FILTERS))], layout="HWC")

    def call(batch):
        return ndd.resize(
            batch,
            size=(7, 26),  # among it 5 -> 7, where taps lie on the rim of the Gaussian
            interp_type=kinds,
            antialias=antialias,
            border=border,
            dtype=ndd.float32,
        )

    agree(call, in_jax, images)
    again = ndd.batch([IMAGES[2 - k % 3] for k in range(len(FILTERS))], layout="HWC")
    agree(call, in_jax, again)


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "int8"])
def test_forms_of_each_type(dtype, in_jax):
    def call(batch):
        return ndd.crop_mirror_normalize(batch, mean=[100.0], std=[2.0], dtype=dtype, shift=0.25)

    agree(call, in_jax, ragged())


# Derivatives ------------------------------------------------------------------------------------

FLOATS = noise(4, (2, 6, 7, 3), "float32")


@pytest.mark.parametrize(
    ("name", "size"),
    [("linear", (3, 4)), ("cubic", (9, 5)), ("lanczos3", (3, 9)), ("gaussian", (9, 4))],
    ids=str,
)
def test_gradients_of_resize(name, size):
    def call(x):
        batch = ndd.as_batch(x, layout="HWC")
        return ndd.resize(batch, size=size, interp_type=f"INTERP_{name.upper()}").jax()

    # Linear, so that finite differences are exact but for rounding: 1e-7 over a step of 1e-2.
    check_grads(
        jax.jit(call), (FLOATS,), order=1, modes=("fwd", "rev"), atol=1e-3, rtol=1e-3, eps=1e-2
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"mean": [0.5], "std": [0.25]},
        {"crop": (4, 5), "mirror": 1, "scale": 3.0},
        {
            "crop": (8, 9),
            "out_of_bounds_policy": "pad",
            "fill_values": [2.0],
            "output_layout": "HWC",
        },
    ],
    ids=["normalise", "crop", "pad"],
)
def test_gradients_of_crop_mirror_normalize(arguments):
    def call(x):
        return ndd.crop_mirror_normalize(ndd.as_batch(x, layout="HWC"), **arguments).jax()

    check_grads(
        jax.jit(call), (FLOATS,), order=1, modes=("fwd", "rev"), atol=1e-3, rtol=1e-3, eps=1e-2
    )


def test_a_train_step_that_augments_inside():
    weights = jnp.ones((4 * 4 * 3,))

    @jax.jit
    def step(w, batch):
        def loss(w):
            small = ndd.crop_mirror_normalize(ndd.resize(batch, size=(4, 4)), std=[255.0])
            return ((small.jax().reshape(len(IMAGES), -1) @ w - 1) ** 2).mean()

        value, gradient = jax.value_and_grad(loss)(w)
        return value, w - 0.001 * gradient

    first, weights = step(weights, ragged())
    second, _ = step(weights, ragged())
    assert second < first


def test_gradient_with_respect_to_a_batch():
    batch = ndd.batch(FLOATS, layout="HWC")
    gradient = jax.jit(jax.grad(lambda b: ndd.resize(b, size=(3, 3)).jax().sum()))(batch)
    # Each result is a mean, so that the weights of all pixels add up to the number of results.
    np.testing.assert_allclose(np.asarray(gradient).sum(axis=(1, 2)), 9, rtol=1e-5)


def test_columns_are_what_the_rules_see():
    assert columns.is_constant(dense().spec.shape[0])
    assert not columns.is_constant(ragged().spec.shape[0])
    assert columns.is_constant(ragged().spec.shape[2])
