"""audio_resample: against the definition in float64, and what it means for sound."""

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import arrays, padded

import dynjax

RNG = np.random.default_rng(3)
NOISE = RNG.standard_normal(64).astype(np.float32)
SIGNALS = [NOISE, NOISE[:21], NOISE[:40]]
# The definition's window is interpolated between 32 values a sample: 4e-4 for each unit of signal.
EXACT = {"rtol": 0, "atol": 3e-3}


def resampled(x, scale, quality=50.0):
    """Without the interpolation."""
    lobes = round(0.007 * quality**2 - 0.09 * quality + 3)
    count = int(np.ceil(len(x) * scale))
    t = np.arange(len(x)) - np.arange(count)[:, None] / scale
    window = np.sinc(t) * (1 + np.cos(np.pi * t / (lobes + 1 / 64))) / 2
    return np.where(np.abs(t) <= lobes, window, 0) @ x.astype(np.float64)


@pytest.mark.parametrize("quality", [0.0, 50.0])
def test_formula_of_a_ragged_batch_with_its_own_scales(quality):
    scales = np.float32([1.5, 0.4, 2.0])
    out = dynjax.audio_resample(
        dynjax.batch(SIGNALS), scale=dynjax.batch(list(scales)), quality=quality
    )
    for got, x, s in zip(arrays(out), SIGNALS, scales, strict=True):
        wanted = resampled(x, float(s), quality)
        assert got.shape == wanted.shape
        np.testing.assert_allclose(got, wanted, **EXACT)


def test_ways_to_say_how_much():
    by_scale = np.asarray(dynjax.audio_resample(NOISE, scale=1.5))
    by_rates = np.asarray(dynjax.audio_resample(NOISE, in_rate=8000.0, out_rate=12000.0))
    by_length = np.asarray(dynjax.audio_resample(NOISE, out_length=96))
    np.testing.assert_array_equal(by_scale, by_rates)
    np.testing.assert_array_equal(by_scale, by_length)
    same = np.asarray(dynjax.audio_resample(NOISE, scale=1.0))
    np.testing.assert_allclose(same, NOISE, atol=1e-6)
    # float32 holds slightly more than 0.1: the original counts so too.
    assert dynjax.audio_resample(NOISE[:10], scale=0.1).shape == (2,)
    assert dynjax.audio_resample(NOISE, out_length=0).shape == (0,)


def test_channels():
    stereo = NOISE.reshape(32, 2)
    out = dynjax.audio_resample(dynjax.tensor(stereo, layout="tc"), scale=1.5)
    assert out.layout == "tc"
    for c in range(2):
        np.testing.assert_allclose(np.asarray(out)[:, c], resampled(stereo[:, c], 1.5), **EXACT)


@pytest.mark.parametrize("source", ["uint8", "int16", "float32"])
@pytest.mark.parametrize("target", ["uint8", "int8", "int16", "float32"])
def test_types(source, target):
    x = NOISE / 4
    if source != "float32":
        info = np.iinfo(source)
        x = np.round(x * info.max if info.min else (x + 1) * info.max / 2).astype(source)
    # What lies between -1 and 1, or for unsigned types between 0 and 1.
    level = x / float(np.iinfo(source).max) if source != "float32" else x
    if (source[0] == "u") != (target[0] == "u"):
        level = level * 2 - 1 if source[0] == "u" else level / 2 + 0.5
    wanted, got = (
        resampled(level, 1.5),
        np.asarray(dynjax.audio_resample(x, scale=1.5, dtype=target)),
    )
    assert got.dtype == target
    if target == "float32":
        np.testing.assert_allclose(got, wanted, **EXACT)
        return
    info = np.iinfo(target)
    wanted = np.clip(wanted * info.max, info.min, info.max)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=0.5 + 3e-3 * info.max)


def test_late_positions_are_as_good_as_early_ones():
    """float32 could not tell positions beyond 2^24 / 32 samples apart as finely as needed."""
    n = 600_000
    x = np.sin(2 * np.pi * 0.05 * np.arange(n)).astype(np.float32)
    got = np.asarray(dynjax.audio_resample(x, in_rate=48000.0, out_rate=44100.0, quality=0.0))
    time = np.arange(len(got)) * (48000 / 44100)
    error = np.abs(got - np.sin(2 * np.pi * 0.05 * time))
    early, late = error[100:2000].max(), error[-2000:-100].max()
    assert late < 1.05 * early + 1e-6


def test_padding_never_leaks_and_jit_agrees():
    compiled = jax.jit(lambda b: dynjax.audio_resample(b, in_rate=2.0, out_rate=3.0))
    clean, dirty = (
        arrays(compiled(padded(SIGNALS, (64,), fill=v, layout="t"))) for v in (0.0, np.nan)
    )
    eager = arrays(dynjax.audio_resample(dynjax.batch(SIGNALS), in_rate=2.0, out_rate=3.0))
    for a, b, c in zip(clean, dirty, eager, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-5, atol=1e-5)


def test_lengths_inside_jit_are_exact():
    """Where a float32 product would be rounded up or down across a whole number."""
    compiled = jax.jit(lambda b: dynjax.audio_resample(b, in_rate=3.0, out_rate=1.0, quality=0.0))
    lengths = (48, 47, 46, 45)
    out = compiled(padded([NOISE[:n] for n in lengths], (48,), fill=0, layout="t"))
    assert [a.shape for a in arrays(out)] == [(16,), (16,), (16,), (15,)]


def test_scales_known_only_inside_jit():
    def run(x, rate):
        return dynjax.audio_resample(x, in_rate=rate, out_rate=1.0, quality=0.0).jax()

    with pytest.raises(dynjax.ArgumentError, match="no bound"):
        jax.jit(run)(NOISE, np.float32(1.25))


def test_derivatives():
    call = jax.jit(lambda x: dynjax.audio_resample(x, scale=1.5, quality=0.0).jax())
    check_grads(call, (NOISE[:20],), 1, modes=["rev"], rtol=1e-2, eps=1e-2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "got 0 of"),
        ({"in_rate": 3.0}, "in_rate and out_rate go together"),
        ({"scale": 1.0, "out_length": 3}, "got 2 of"),
        ({"scale": -1.0}, "scale=-1.0; expected 0 or more"),
        ({"in_rate": 0.0, "out_rate": 1.0}, "in_rate=0.0; expected more than 0"),
        ({"out_length": -1}, "out_length=-1"),
        ({"scale": 1.0, "quality": 101.0}, "quality=101.0; expected 0 to 100"),
        ({"scale": 1.0, "dtype": "float64"}, "dtype is float64"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(dynjax.OperatorError, match=message):
        dynjax.audio_resample(NOISE, **arguments).evaluate()


def test_wrong_inputs():
    with pytest.raises(dynjax.OperatorError, match="3 axes"):
        dynjax.audio_resample(NOISE.reshape(4, 4, 4), scale=1.0).evaluate()
    with pytest.raises(dynjax.OperatorError, match="the input is float64"):
        dynjax.audio_resample(NOISE.astype(np.float64), scale=1.0).evaluate()
