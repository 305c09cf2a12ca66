"""`noise.gaussian`, `noise.shot` and `noise.salt_and_pepper`: statistics, forms, errors."""

import math

import jax
import numpy as np
import pytest
import scipy.stats
from support.samples import arrays

import dynjax as ndd

KEY = jax.random.key(11)
COUNT = 40000


def host(value):
    return np.asarray(value).astype(np.float64)


def test_gaussian_statistics():
    image = np.full(COUNT, 100, np.float32)
    noise = host(ndd.noise.gaussian(image, mean=5.0, stddev=10.0, key=KEY)) - 105
    assert abs(noise.mean()) < 5 * 10 / math.sqrt(COUNT)
    assert abs(noise.std() - 10) < 0.2


def test_gaussian_rounds_and_clamps():
    image = np.full(COUNT, 100, np.float32)
    real = host(ndd.noise.gaussian(image, stddev=90.0, key=KEY))
    whole = host(ndd.noise.gaussian(image.astype(np.uint8), stddev=90.0, key=KEY))
    # Half a count on the unrounded value, and what float32 keeps of it.
    np.testing.assert_allclose(whole, np.clip(real, 0, 255), rtol=0, atol=0.5001)


@pytest.mark.parametrize("rate", [0.05, 0.7, 3.3, 9.99, 10.0, 12.5, 20.0, 63.75, 255.0, 1e4])
def test_shot_has_poisson_frequencies(rate):
    image = np.full(25 * COUNT, 2 * rate, np.float32)
    counts = host(ndd.noise.shot(image, factor=2.0, key=KEY)) / 2
    np.testing.assert_array_equal(counts, np.round(counts))
    # Values that are expected less than ten times count as one with those beyond them.
    low, high = scipy.stats.poisson.ppf([10 / image.size, 1 - 10 / image.size], image[0] / 2)
    edges = np.arange(low, high + 1)
    expected = np.diff(scipy.stats.poisson.cdf([-1, *edges, np.inf], image[0] / 2)) * image.size
    found = np.bincount(np.searchsorted(edges, counts), minlength=expected.size)
    assert scipy.stats.chisquare(found, expected).pvalue > 1e-4


def test_shot_of_large_rates():
    for rate in (1e5, 1e9):
        counts = host(ndd.noise.shot(np.full(COUNT, rate, np.float32), factor=1.0, key=KEY))
        assert abs(counts.mean() - rate) < 5 * math.sqrt(rate / COUNT)
        assert abs(counts.var() / rate - 1) < 5 * math.sqrt(2 / COUNT)


def test_shot_has_no_outliers():
    """The last bits of a uniform number have no counts of their own."""
    counts = host(ndd.noise.shot(np.full(1 << 25, 3, np.uint8), factor=1.0, key=KEY))
    assert counts.max() <= 21  # 1 in 2e11 of Poisson numbers is larger


def test_shot_of_nothing():
    image = np.float32([-100, 0, 50])
    np.testing.assert_array_equal(host(ndd.noise.shot(image, key=KEY))[:2], [0, 0])
    np.testing.assert_array_equal(host(ndd.noise.shot(image, factor=0.0, key=KEY)), [0, 0, 0])


def test_salt_and_pepper_shares():
    image = np.full((200, 200, 3), 100, np.uint8)
    noisy = host(ndd.noise.salt_and_pepper(image, prob=0.2, salt_vs_pepper=0.75, key=KEY))
    assert np.all(noisy == noisy[..., :1])
    for value, share in ((255, 0.15), (0, 0.05), (100, 0.8)):
        assert abs((noisy[..., 0] == value).mean() - share) < 5 * math.sqrt(share / COUNT)


def test_salt_and_pepper_channels():
    planes = ndd.tensor(np.full((3, 50, 50), 100, np.uint8), layout="CHW")
    together = np.asarray(ndd.noise.salt_and_pepper(planes, prob=0.5, key=KEY))
    assert np.all(together == together[:1])
    apart = np.asarray(ndd.noise.salt_and_pepper(planes, prob=0.5, per_channel=True, key=KEY))
    assert np.any(apart != apart[:1])


@pytest.mark.parametrize(
    ("dtype", "salt", "pepper"),
    [
        (np.uint8, 255, 0),
        (np.int16, 32767, -32768),
        (np.float32, 1, -1),
        (np.int32, 2**31 - 1, -(2**31)),
    ],
)
def test_salt_and_pepper_values(dtype, salt, pepper):
    image = np.full((30, 30, 1), 100, dtype)
    noisy = np.asarray(ndd.noise.salt_and_pepper(image, prob=0.5, key=KEY))
    assert set(noisy.ravel().tolist()) == {salt, pepper, 100}


def test_given_values():
    image = np.full((30, 30, 1), 100, np.uint8)
    noisy = ndd.noise.salt_and_pepper(image, prob=0.5, salt_val=7.0, pepper_val=3.0, key=KEY)
    assert set(np.asarray(noisy).ravel().tolist()) == {7, 3, 100}


@pytest.mark.parametrize("name", ["gaussian", "salt_and_pepper", "shot"])
def test_forms_agree(name):
    call = getattr(ndd.noise, name)
    images = [np.full(shape, 100, np.uint8) for shape in ((9, 7, 3), (5, 12, 3))]
    batch = ndd.batch(images, layout="HWC")
    eager = call(batch, key=KEY)
    assert eager.shape == [(9, 7, 3), (5, 12, 3)]
    assert eager.layout == "HWC"
    jitted = jax.jit(lambda b, k: call(b, key=k))(batch, KEY)
    for a, b in zip(eager, jitted, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    # Slots of another size change no value: padding never leaks.
    alone = call(ndd.tensor(images[0], layout="HWC"), key=KEY)
    np.testing.assert_array_equal(np.asarray(alone), np.asarray(eager.select(0)))


NATIVE = {
    "gaussian": lambda x: ndd.noise.gaussian(x, mean=3.0, stddev=40.0, key=KEY),
    "shot": lambda x: ndd.noise.shot(x, factor=ndd.batch(np.float32([4.0, 0.3])), key=KEY),
    "salt_and_pepper": lambda x: ndd.noise.salt_and_pepper(x, prob=0.4, pepper_val=-7.0, key=KEY),
    "salt_and_pepper_apart": lambda x: ndd.noise.salt_and_pepper(
        x, prob=0.4, salt_val=1e30, per_channel=True, key=KEY
    ),
}


def agree_to_the_bit(call, batch, in_jax):
    wanted = arrays(call(batch))
    with jax.enable_x64(batch.dtype.name.endswith("64")):
        forms = [arrays(jax.jit(call)(batch)), arrays(in_jax(call)(batch))]
    for form in forms:
        for a, b in zip(form, wanted, strict=True):
            np.testing.assert_array_equal(a, b)


def dark_images(dtype):
    """Two sizes; mostly small values, of which shots have rates on both sides of 10."""
    source = np.random.default_rng(3)
    high = 256 if np.dtype(dtype).itemsize == 1 else 30000
    images = [(source.random(s) ** 4 * high).astype(dtype) for s in ((40, 71, 3), (33, 90, 3))]
    info = np.finfo(dtype) if dtype == "float32" else np.iinfo(dtype)
    images[0][:3] = info.max
    return images


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32", "int64", "float32"])
@pytest.mark.parametrize("name", NATIVE)
def test_native_and_jax_forms_have_the_same_bits(name, dtype, in_jax):
    agree_to_the_bit(NATIVE[name], ndd.batch(dark_images(dtype), layout="HWC"), in_jax)


@pytest.mark.parametrize("name", NATIVE)
def test_storage_and_layout_change_no_bits(name, in_jax):
    images = dark_images("uint8")
    dense = ndd.batch(np.stack([i[:33, :71] for i in images]), layout="HWC")
    agree_to_the_bit(NATIVE[name], dense, in_jax)
    planes = ndd.batch([i.transpose(2, 0, 1) for i in images], layout="CHW")
    agree_to_the_bit(NATIVE[name], planes, in_jax)


def test_extremes_saturate(in_jax):
    image = np.array([2**31 - 1, -(2**31)] * 500, np.int32)
    for form in (lambda call: call, in_jax):
        noisy = np.asarray(form(lambda x: ndd.noise.gaussian(x, stddev=1e4, key=KEY))(image))
        assert noisy.max() == 2**31 - 1
        assert noisy.min() == -(2**31)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: ndd.noise.salt_and_pepper(x, prob=2.0), "prob=2.0"),
        (lambda x: ndd.noise.salt_and_pepper(x, salt_vs_pepper=-1.0), "salt_vs_pepper=-1.0"),
        (lambda x: ndd.noise.shot(ndd.tensor(np.zeros(2))), "input is float64"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ndd.OperatorError, match=message):
        call(ndd.tensor(np.zeros((2, 2, 1), np.uint8))).evaluate()
