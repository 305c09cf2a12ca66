"""Results go where they are asked for; operators run where their inputs are.

The second virtual CPU device stands in for a GPU: natively it is not served, so what runs there is
the JAX form of each operator.
"""

import jax
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd
from dynjax._types import device as devices

RAGGED = [noise(0, (20, 33, 3)), noise(1, (41, 24, 3)), noise(2, (9, 9, 3))]


@pytest.fixture(autouse=True)
def gpu(monkeypatch):
    monkeypatch.setitem(devices._OVERRIDES, "gpu", [jax.devices()[1]])
    monkeypatch.setitem(devices._OVERRIDES, "cpu", [jax.devices()[0]])
    return ndd.Device("gpu")


def batches():
    return {
        "dense": ndd.batch(noise(3, (3, 20, 24, 3)), layout="HWC"),
        "ragged": ndd.batch(RAGGED, layout="HWC"),
        "tensor": ndd.tensor(RAGGED[0], layout="HWC"),
    }


def holder(data):
    return data.storage.array.devices()


def test_decode_places_its_result(gpu, photos):
    files = ndd.batch([np.frombuffer(p, np.uint8) for p in photos[:4]])
    here, there = ndd.decoders.image(files), ndd.decoders.image(files, device="gpu")
    assert there.device == gpu
    assert holder(there) == {jax.devices()[1]}
    for a, b in zip(arrays(here), arrays(there.cpu()), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("form", ["dense", "ragged", "tensor"])
def test_moving(gpu, form):
    data = batches()[form]
    moved = data.gpu()
    assert (moved.device, moved.shape, moved.layout) == (gpu, data.shape, "HWC")
    assert holder(moved) == {jax.devices()[1]}
    assert moved.gpu() is moved
    assert moved.to_device(gpu, force_copy=True) is not moved
    back = moved.cpu()
    assert back.device == ndd.Device.CPU
    for a, b in zip(arrays(back), arrays(data), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", ["int64", "float64", "uint64"])
def test_moving_keeps_64_bits(dtype):
    batch = ndd.batch(np.array([2**40 + 1, 3]).astype(dtype))
    moved = batch.gpu()
    assert moved.dtype == ndd.dtype(dtype)
    np.testing.assert_array_equal(np.asarray(moved.cpu()), np.asarray(batch))


@pytest.mark.parametrize("form", ["dense", "ragged"])
def test_operators_run_where_their_inputs_are(gpu, form):
    data = batches()[form]
    for call in (
        lambda d: ndd.resize(d, size=[12, 14]),
        lambda d: ndd.resize(d, resize_shorter=12.0),
        lambda d: ndd.crop_mirror_normalize(d, mean=[100.0], std=[50.0], crop=[8, 8], mirror=1),
    ):
        here, there = call(data), call(data.gpu())
        assert there.device == gpu
        assert holder(there) == {jax.devices()[1]}
        assert there.shape == here.shape
        for a, b in zip(arrays(here), arrays(there.cpu()), strict=True):
            # Two float32 sums of up to a hundred terms: equal to a few units of the last place, and
            # one count where a value lies on the edge between two.
            np.testing.assert_allclose(
                a.astype(float), b.astype(float), rtol=1e-5, atol=1 if a.dtype == np.uint8 else 1e-5
            )
            assert np.mean(a != b) < 0.01 or a.dtype != np.uint8


@pytest.mark.parametrize("form", ["dense", "ragged", "tensor"])
def test_host_data_stay_on_the_cpu_whatever_the_default_device(form):
    shapes = [(300, 300, 3)] * 3 if form != "ragged" else [(300, 300, 3), (250, 300, 3)]
    images = [noise(k, shape, "float32") for k, shape in enumerate(shapes)]
    data = ndd.tensor(images[0]) if form == "tensor" else ndd.batch(images)
    host = jax.devices()[0]

    def joined():
        with ndd.EvalMode.deferred:
            return (data * 2.0 + 1.0) * 3.0

    with jax.default_device(jax.devices()[1]):
        results = [
            data * 2.0,
            ndd.reductions.sum(data, axes=[0, 1]),
            ndd.reductions.max(data),
            ndd.math.sqrt(data),
            joined(),
        ]
        for k, result in enumerate(results):
            array = result.evaluate().storage.array
            assert isinstance(array, np.ndarray) or array.devices() == {host}, k


def test_an_operator_can_be_asked_to_place_its_result(gpu):
    result = ndd.resize(batches()["dense"], size=[8, 8], device="gpu")
    assert result.device == gpu
    assert holder(result) == {jax.devices()[1]}
    back = ndd.resize(batches()["dense"].gpu(), size=[8, 8], device="cpu")
    assert back.device == ndd.Device.CPU
    np.testing.assert_array_equal(np.asarray(back).shape, (3, 8, 8, 3))


def test_an_unsupported_device_is_refused_at_the_call():
    with pytest.raises(
        ValueError, match=r'^Invalid device "gpu:0" for operator `peek_image_shape`'
    ):
        ndd.peek_image_shape(np.zeros(3, np.uint8), device="gpu")


def test_jit_on_a_device(gpu):
    batch = jax.device_put(batches()["dense"], jax.devices()[1])
    assert batch.device == gpu
    out = jax.jit(lambda b: ndd.resize(b, size=(8, 8)))(batch)
    assert out.device == gpu
    assert out.shape == [(8, 8, 3)] * 3


def test_samples_of_a_moved_batch(gpu):
    moved = batches()["ragged"].gpu()
    one = moved.select(1)
    assert one.shape == (41, 24, 3)
    np.testing.assert_array_equal(np.asarray(one.cpu()), RAGGED[1])
    some = moved.select([2, 0])
    for a, b in zip(arrays(some.cpu()), (RAGGED[2], RAGGED[0]), strict=True):
        np.testing.assert_array_equal(a, b)


def test_moved_batches_convert_to_jax(gpu):
    dense = batches()["dense"].gpu().jax()
    assert dense.devices() == {jax.devices()[1]}
    padded = batches()["ragged"].gpu().jax(pad=True)
    assert padded.devices() == {jax.devices()[1]}
    assert padded.shape == (3, 41, 33, 3)
