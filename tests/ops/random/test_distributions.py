"""`random.uniform`, `normal`, `coin_flip`, `beta`: values against formulas, types, errors."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats
from support.samples import arrays

import dynjax as ndd

KEY = jax.random.key(11)
COUNT = 20000  # a mean is then good to about 1/140 of the standard deviation: 5 of these are 0.036


def host(value):
    return np.asarray(value).astype(np.float64)


def bits():
    words = jax.random.bits(jax.random.fold_in(KEY, 0), (COUNT,), jnp.uint32)
    return np.asarray(words).astype(np.uint64)


def test_uniform_is_the_scaled_bits():
    got = host(ndd.random.uniform(range=[2, 6], shape=COUNT, key=KEY))
    np.testing.assert_allclose(got, 2 + 4 * (bits() >> 8) * 2.0**-24, rtol=0, atol=5e-7)
    assert got.max() < 6


def test_uniform_excludes_the_end_also_after_rounding():
    # Next to 2**24, float32 has even numbers only: most sums round to one of the ends.
    got = host(ndd.random.uniform(range=[2**24, 2**24 + 2], shape=COUNT, key=KEY))
    assert set(got) == {2.0**24}


def test_uniform_integers_are_rounded_draws():
    got = ndd.random.uniform(range=[0, 2], dtype=ndd.uint8, shape=COUNT, key=KEY)
    assert got.dtype == ndd.uint8
    share = np.bincount(np.asarray(got)) / COUNT
    np.testing.assert_allclose(share, [0.25, 0.5, 0.25], atol=0.018)


def test_uniform_float64_has_all_bits():
    got = np.asarray(ndd.random.uniform(shape=1000, dtype=ndd.float64, key=KEY))
    assert got.dtype == np.float64
    assert np.any(got != got.astype(np.float32))
    assert abs(got.mean()) < 0.1


def test_uniform_values():
    got = host(ndd.random.uniform(values=[1, 5, 10], shape=COUNT, key=KEY))
    np.testing.assert_array_equal(got, np.array([1, 5, 10])[(bits() * 3) >> 32])


def test_normal_moments():
    z = (host(ndd.random.normal(mean=3.0, stddev=-2.0, shape=COUNT, key=KEY)) - 3) / 2
    for power, moment, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((z**power).mean() - moment) < 5 * np.sqrt(spread / COUNT)


def test_normal_distribution():
    z = host(ndd.random.normal(shape=50 * COUNT, key=KEY))
    assert scipy.stats.kstest(z, "norm").pvalue > 1e-4
    # The tails, of which that test sees little: 2700 and 63 are expected.
    for bound, expected in ((3, 2700), (4, 63)):
        found = (np.abs(z) > bound).sum()
        assert abs(found - expected) < 5 * np.sqrt(expected)


@pytest.mark.parametrize("dtype", [ndd.float32, ndd.float64, ndd.int16])
def test_native_and_jax_forms_of_normal_have_the_same_bits(dtype, in_jax):
    like = ndd.batch([np.zeros(s, np.uint8) for s in ((3, 700), (1, 1), (90, 5))])

    def call(x):
        return ndd.random.normal(x, mean=2.0, stddev=9.0, dtype=dtype, key=KEY)

    wanted = arrays(call(like))
    for form in (jax.jit(call), in_jax(call)):
        for a, b in zip(arrays(form(like)), wanted, strict=True):
            np.testing.assert_array_equal(a, b)


def test_normal_saturates():
    got = np.asarray(ndd.random.normal(stddev=1e6, shape=100, dtype=ndd.uint8, key=KEY))
    assert set(got) == {0, 255}


def test_coin_flip():
    got = ndd.random.coin_flip(probability=0.25, shape=COUNT, key=KEY)
    assert got.dtype == ndd.int32
    np.testing.assert_array_equal(np.asarray(got), (bits() >> 8) < 2**22)
    assert np.asarray(ndd.random.coin_flip(dtype=ndd.bool, key=KEY)).dtype == bool


@pytest.mark.parametrize(("alpha", "beta"), [(2.0, 5.0), (0.3, 0.5)])
def test_beta_moments(alpha, beta):
    got = host(ndd.random.beta(alpha=alpha, beta=beta, shape=COUNT, key=KEY))
    total = alpha + beta
    variance = alpha * beta / (total**2 * (total + 1))
    assert 0 <= got.min() <= got.max() <= 1
    assert abs(got.mean() - alpha / total) < 5 * np.sqrt(variance / COUNT)
    assert abs(got.var() - variance) < 0.05 * variance


@pytest.mark.parametrize(("alpha", "beta"), [(2.0, 5.0), (0.3, 0.5), (1.0, 1.0), (40.0, 0.9)])
def test_beta_distribution(alpha, beta):
    got = host(ndd.random.beta(alpha=alpha, beta=beta, shape=10 * COUNT, key=KEY))
    assert scipy.stats.kstest(got, scipy.stats.beta(alpha, beta).cdf).pvalue > 1e-4


def test_beta_of_extreme_parameters():
    small = host(ndd.random.beta(alpha=1e-4, beta=1e-4, shape=COUNT, key=KEY))
    assert abs((small > 0.5).mean() - 0.5) < 0.018
    large = host(ndd.random.beta(alpha=1e8, beta=1e8, shape=COUNT, key=KEY))
    np.testing.assert_allclose(large, 0.5, atol=1e-3)


def test_native_and_jax_forms_of_beta_have_the_same_bits(in_jax):
    like = ndd.batch([np.zeros(s, np.uint8) for s in ((3, 700), (1, 1), (90, 50))])

    def call(x):
        return ndd.random.beta(x, alpha=ndd.batch(np.float32([0.2, 1, 30])), beta=2.5, key=KEY)

    wanted = arrays(call(like))
    for form in (jax.jit(call), in_jax(call)):
        for a, b in zip(arrays(form(like)), wanted, strict=True):
            np.testing.assert_array_equal(a, b)


def test_per_sample_parameters_and_shapes():
    out = ndd.random.uniform(
        range=ndd.batch(np.float32([[0, 1], [10, 20]])),
        shape=ndd.batch(np.int32([[300, 2], [1, 500]])),
        key=KEY,
    )
    assert out.shape == [(300, 2), (1, 500)]
    first, second = map(host, out)
    assert 0 <= first.min() < 0.1 < 0.9 < first.max() < 1
    assert 10 <= second.min() < 11 < 19 < second.max() < 20
    alone = ndd.random.uniform(range=[0, 1], shape=[300, 2], key=KEY)
    np.testing.assert_array_equal(first, host(alone))


def test_shape_like():
    like = ndd.batch([np.zeros((2, 3), np.uint8), np.zeros((4, 1), np.uint8)], layout="HW")
    out = ndd.random.normal(like, key=KEY)
    assert out.shape == [(2, 3), (4, 1)]
    assert out.layout is None


@pytest.mark.parametrize(
    "call", [ndd.random.uniform, ndd.random.coin_flip, ndd.random.normal, ndd.random.beta]
)
def test_values_do_not_depend_on_the_form(call):
    """Dense, packed, padded, divided among threads, or one after the other: the same bits."""
    shapes = [(3, 70, 5), (1, 1, 1), (0, 2, 5), (2, 301, 41)]
    like = ndd.batch([np.zeros(s, np.uint8) for s in shapes])
    eager, jitted = call(like, key=KEY), jax.jit(lambda x: call(x, key=KEY))(like)
    for i, shape in enumerate(shapes):
        samples = [host(x.select(i)) for x in (eager, jitted)]
        flat = np.zeros((i + 1, int(np.prod(shape))), np.uint8)
        samples.append(host(call(ndd.batch(flat), key=KEY).select(i)).reshape(shape))
        for sample in samples:
            np.testing.assert_array_equal(sample, samples[0])


def test_calls_of_equal_shape_compile_once(compiles):
    ndd.random.uniform(batch_size=3, shape=[7], key=KEY).evaluate()
    with compiles() as seen:
        ndd.random.uniform(batch_size=3, shape=[7], range=[0, 9]).evaluate()
    assert seen.count == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.random.uniform(range=[3, 3]), "expected low < high"),
        (lambda: ndd.random.uniform(range=[float("nan"), 3]), "expected low < high"),
        (lambda: ndd.random.uniform(range=[1, 2, 3]), "range has 3 numbers"),
        (lambda: ndd.random.uniform(values=[]), "values is empty"),
        (lambda: ndd.random.uniform(dtype=ndd.float16), "dtype=float16"),
        (lambda: ndd.random.uniform(shape=[-2]), "an extent is negative"),
        (lambda: ndd.random.normal(ndd.tensor([1.0]), shape=[2]), "both given"),
        (lambda: ndd.random.coin_flip(dtype=ndd.float32), "dtype=float32"),
        (lambda: ndd.random.beta(alpha=-1.0), "alpha=-1.0"),
        (lambda: ndd.random.beta(beta=float("inf")), "beta=inf"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ndd.OperatorError, match=message):
        call().evaluate()
