"""Operators read their inputs in time, also while JAX is busy with a program in flight.

While one is, JAX queues the next program in place of running it within the call; the memory that a
native kernel reads by address must live until it has run.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax as ndd

busy = jax.jit(lambda x: jnp.linalg.matrix_power(x, 30))
MATRIX = jnp.full((600, 600), 1e-3)
SHAPES = {
    "ragged": [(60, 60, 3), (50, 70, 3)],
    "dense": [(60, 60, 3)] * 2,
    "large": [(500, 600, 3)] * 3,
}


@pytest.fixture
def in_flight():
    """Starts a training step, so to speak; the test need not wait for it."""
    busy(MATRIX).block_until_ready()
    steps = []
    yield lambda: steps.append(busy(MATRIX))
    jax.block_until_ready(steps)


def overwrite(shapes):
    """Fills memory of the size that was just freed."""
    return [np.full(np.prod(s) * k, 200, np.uint8) for s in shapes for k in (1, len(shapes))]


@pytest.mark.parametrize("form", SHAPES)
@pytest.mark.parametrize(
    "call",
    [
        lambda b: ndd.resize(b, size=[32, 32]),
        lambda b: ndd.crop_mirror_normalize(b, crop=[40, 40]),
    ],
    ids=["resize", "normalise"],
)
def test_the_input_is_a_temporary(call, form, in_flight):
    def batch():
        return ndd.batch([np.full(s, 7, np.uint8) for s in SHAPES[form]], layout="HWC")

    call(batch()).evaluate()
    for _ in range(3):
        in_flight()
        result = call(batch())
        junk = overwrite(SHAPES[form])
        assert (np.asarray(result) == 7).all()
        del junk


@pytest.mark.parametrize("shape", [(2, 60, 60, 3), (3, 500, 600, 3)], ids=str)
def test_a_borrowed_array_is_overwritten_after_the_call(shape, in_flight):
    source = np.full(shape, 7, np.uint8)
    ndd.resize(ndd.as_batch(source, layout="HWC"), size=[32, 32]).evaluate()
    for _ in range(3):
        source[:] = 7
        in_flight()
        result = ndd.resize(ndd.as_batch(source, layout="HWC"), size=[32, 32])
        source[:] = 200
        assert (np.asarray(result) == 7).all()


def test_a_recycled_buffer_is_not_written_while_it_is_read(in_flight):
    images = ndd.batch(np.full((4, 400, 300, 3), 7, np.uint8), layout="HWC")
    for _ in range(3):
        in_flight()
        first = ndd.crop_mirror_normalize(images, output_layout="HWC")
        second = ndd.resize(first, size=[64, 64])
        del first  # its buffer may serve the next result, once `second` has read it
        third = ndd.crop_mirror_normalize(images, output_layout="HWC", shift=100.0)
        np.testing.assert_allclose(np.asarray(second), 7, rtol=1e-6)  # weights that sum to 1
        assert (np.asarray(third) == 107).all()


def test_decoding(photos, in_flight):
    files = [np.frombuffer(p, np.uint8) for p in photos[:4]]

    def chain():
        images = ndd.decoders.image(ndd.batch(files))
        return ndd.crop_mirror_normalize(ndd.resize(images, size=[48, 48]), std=[58.0])

    wanted = np.array(chain())
    for _ in range(3):
        in_flight()
        np.testing.assert_array_equal(np.asarray(chain()), wanted)
