"""preemphasis_filter, nonsilent_region: against loops in NumPy."""

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from support.samples import arrays, padded

import dynjax

RNG = np.random.default_rng(2)
NOISE = RNG.standard_normal(50).astype(np.float32)
SIGNALS = [NOISE, NOISE[:13], NOISE[:30]]
QUIET = [np.pad(NOISE[:n], (a, b)) for n, a, b in ((9, 20, 11), (5, 0, 30), (30, 7, 2))]


def emphasised(x, coefficient, border):
    x = x.astype(np.float64).ravel()
    before = {"clamp": x[0], "reflect": x[min(1, len(x) - 1)], "zero": 0}[border]
    return x - coefficient * np.concatenate([[before], x[:-1]])


@pytest.mark.parametrize("border", ["clamp", "reflect", "zero"])
def test_preemphasis(border):
    coefficients = np.float32([0.97, 0.5, 0.1])
    out = dynjax.preemphasis_filter(
        dynjax.batch(SIGNALS), preemph_coeff=dynjax.batch(list(coefficients)), border=border
    )
    for got, x, c in zip(arrays(out), SIGNALS, coefficients, strict=True):
        np.testing.assert_allclose(got, emphasised(x, c, border), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("source", ["uint8", "int16", "int64", "float64"])
@pytest.mark.parametrize("target", ["uint8", "int16", "int32", "float64"])
def test_preemphasis_types(source, target):
    x = RNG.integers(0, 100, 20).astype(source)
    got = np.asarray(dynjax.preemphasis_filter(x, preemph_coeff=0.25, dtype=target))
    assert got.dtype == target
    wanted = emphasised(x, 0.25, "clamp")
    if got.dtype.kind != "f":
        info = np.iinfo(target)
        wanted = np.clip(wanted, info.min, info.max)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=0.501 if got.dtype.kind != "f" else 0)


@pytest.mark.parametrize("border", ["clamp", "reflect"])
def test_preemphasis_of_several_axes_follows_memory(border):
    samples = [NOISE[:12].reshape(4, 3), NOISE[:5].reshape(5, 1), NOISE[:2].reshape(1, 2)]
    for data in (dynjax.batch(samples), dynjax.batch(samples[:1])):
        out = dynjax.preemphasis_filter(data, border=border)
        for got, x in zip(arrays(out), samples, strict=False):
            np.testing.assert_allclose(got.ravel(), emphasised(x, 0.97, border), rtol=1e-5)


def region(x, window, cutoff=-60.0, reference=0.0):
    x, window = x.astype(np.float64), min(window, len(x))
    total = np.concatenate([np.zeros(window), np.cumsum(x * x)])
    power = (total[window:] - total[:-window]) / window
    threshold = (reference or power.max()) * 10 ** (cutoff / 10)
    loud = np.flatnonzero(power >= threshold * (1 - 1e-9))
    if not len(loud):
        return 0, 0
    begin = max(loud[0] - window + 1, 0)
    return begin, loud[-1] - begin + 1


@pytest.mark.parametrize(
    "chosen", [(4, -60.0, 0.0), (1, -5.0, 0.0), (7, -10.0, 2.0), (64, -3.0, 0.0), (4, 0.0, 1e6)]
)
@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_nonsilent_region(chosen, dtype):
    window, cutoff, reference = chosen
    samples = [(x * 50).astype(dtype) for x in QUIET]
    begin, length = dynjax.nonsilent_region(
        dynjax.batch(samples),
        window_length=window,
        cutoff_db=cutoff,
        reference_power=reference,
        reset_interval=-1,
    )
    assert begin.dtype == dynjax.int32
    got = [(b.item(), n.item()) for b, n in zip(begin, length, strict=True)]
    assert got == [region(x, *chosen) for x in samples]


def test_silence_is_all_or_nothing():
    silent = np.zeros(40, np.float32)
    whole = dynjax.nonsilent_region(silent, window_length=4)
    assert [v.item() for v in whole] == [0, 40]
    nothing = dynjax.nonsilent_region(silent, window_length=4, reference_power=1.0)
    assert [v.item() for v in nothing] == [0, 0]


@pytest.mark.parametrize("window", [64, 2048])
def test_a_short_signal_is_a_window_of_its_own(window):
    """The threshold lies between the mean over the signal and that over the whole window."""
    samples = [np.full(n, 0.9, np.float32) for n in (12, 30, 63, 12)]

    def found(batch):
        return dynjax.nonsilent_region(
            batch, reference_power=0.8, cutoff_db=0.0, window_length=window, reset_interval=-1
        )

    for begin, length in (found(dynjax.batch(samples)), jax.jit(found)(dynjax.batch(samples))):
        assert [v.item() for v in begin] == [0] * 4
        assert [v.item() for v in length] == [12, 30, 63, 12]
    # As recorded from the original.
    noise = np.random.RandomState(101).randn(53)
    x = np.concatenate([np.zeros(22), noise[:50], 1e-4 * noise])
    out = dynjax.nonsilent_region(np.float32(x), cutoff_db=-6, reference_power=0.5)
    assert [v.item() for v in out] == [0, 125]


def test_precision_does_not_fade_along_a_signal():
    """After a loud second a running sum would keep the rounding of large squares."""
    x = np.zeros(48000, np.float32)
    x[:16000] = 1000 * np.sin(np.arange(16000))
    x[32000:] = 1e-3
    begin, length = dynjax.nonsilent_region(x[16000:], window_length=2048, reference_power=1e-6)
    assert (begin.item(), length.item()) == region(x[16000:], 2048, reference=1e-6)
    _, length = dynjax.nonsilent_region(x, window_length=2048, cutoff_db=-61.0, reference_power=1.0)
    assert length.item() == region(x, 2048, -61.0, 1.0)[1]


CALLS = {
    "preemphasis_filter": dynjax.preemphasis_filter,
    "nonsilent_region": lambda b: dynjax.nonsilent_region(b, window_length=4),
}


@pytest.mark.parametrize("name", CALLS)
def test_padding_never_leaks_and_jit_agrees(name):
    compiled = jax.jit(CALLS[name])

    def run(data, call=compiled):
        out = call(data)
        return [arrays(o) for o in (out if isinstance(out, tuple) else (out,))]

    clean, dirty = (run(padded(QUIET, (48,), fill=v, layout="t")) for v in (0.0, np.nan))
    eager = run(dynjax.batch(QUIET), CALLS[name])
    for a, b, c in zip(clean, dirty, eager, strict=True):
        for x, y, z in zip(a, b, c, strict=True):
            np.testing.assert_array_equal(x, y)
            np.testing.assert_allclose(x, z, rtol=1e-6, atol=1e-6)


def test_empty():
    assert dynjax.preemphasis_filter(NOISE[:0]).shape == (0,)
    assert [v.item() for v in dynjax.nonsilent_region(NOISE[:0])] == [0, 0]


def test_derivatives():
    def filtered(x, c):
        return dynjax.preemphasis_filter(x, preemph_coeff=c).jax()

    check_grads(filtered, (NOISE[:9], np.float32(0.9)), 1, modes=["rev"], rtol=1e-2, eps=1e-2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dynjax.preemphasis_filter(NOISE, border="wrap"), "border='wrap'"),
        (lambda: dynjax.preemphasis_filter(NOISE.astype(np.float16)), "float16; expected one of"),
        (lambda: dynjax.preemphasis_filter(NOISE, dtype="float16"), "dtype is float16"),
        (lambda: dynjax.nonsilent_region(NOISE[:, None])[0], "2 axes; expected one"),
        (lambda: dynjax.nonsilent_region(NOISE, window_length=0)[0], "window_length=0"),
        (lambda: dynjax.nonsilent_region(NOISE, window_length=7)[0], "reset_interval=8192.*=7"),
        (lambda: dynjax.nonsilent_region(NOISE, reference_power=-1.0)[0], "reference_power=-1.0"),
        (lambda: dynjax.nonsilent_region(NOISE.astype(np.float64))[0], "float64.*cast"),
    ],
)
def test_errors(call, message):
    with pytest.raises(dynjax.OperatorError, match=message):
        call().evaluate()
