"""mel_filter_bank, mfcc, to_decibels: against formulas in NumPy and SciPy's transforms."""

import jax
import numpy as np
import pytest
import scipy.fft
from jax.test_util import check_grads
from support.samples import arrays, padded

import dynjax

RNG = np.random.default_rng(1)
SPECTRA = [RNG.random((33, n)).astype(np.float32) for n in (12, 7, 9)]
TALL = [RNG.random((n, 5)).astype(np.float32) for n in (9, 6, 4)]


def hz_of(mel, formula):
    if formula == "htk":
        return 700 * (np.exp(mel / 1127) - 1)
    return 200 * mel / 3 if mel < 15 else 1000 * 6.4 ** ((mel - 15) / 27)


def mel_of(hz, formula):
    if formula == "htk":
        return 1127 * np.log(1 + hz / 700)
    return 3 * hz / 200 if hz < 1000 else 15 + 27 * np.log(hz / 1000) / np.log(6.4)


def bands(x, count, rate, low, high, formula, normalize):
    """One band and one frequency after another."""
    mels = np.linspace(mel_of(low, formula), mel_of(high, formula), count + 2)
    corners = [hz_of(m, formula) for m in mels]
    out = np.zeros((count, *x.shape[1:]))
    for j in range(count):
        a, b, c = corners[j : j + 3]
        for k in range(len(x)):
            f = k * rate / 2 / (len(x) - 1)
            weight = (f - a) / (b - a) if a < f <= b else (c - f) / (c - b) if b < f < c else 0
            out[j] += weight * (2 / (c - a) if normalize else 1) * x[k]
    return out


@pytest.mark.parametrize("formula", ["slaney", "htk"])
@pytest.mark.parametrize("normalize", [True, False])
def test_mel_filter_bank(formula, normalize):
    batch = dynjax.batch(SPECTRA, layout="ft")
    chosen = {"nfilter": 8, "mel_formula": formula, "normalize": normalize}
    out = dynjax.mel_filter_bank(batch, sample_rate=16000.0, freq_low=100.0, **chosen)
    assert out.layout == "ft"
    for got, x in zip(arrays(out), SPECTRA, strict=True):
        wanted = bands(x.astype(np.float64), 8, 16000, 100, 8000, formula, normalize)
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6 * wanted.max())


def test_mel_axis():
    plain = np.asarray(dynjax.mel_filter_bank(SPECTRA[0], nfilter=8))
    turned = dynjax.mel_filter_bank(dynjax.tensor(SPECTRA[0].T.copy(), layout="tf"), nfilter=8)
    np.testing.assert_allclose(np.asarray(turned).T, plain, rtol=1e-6)
    inner = dynjax.mel_filter_bank(SPECTRA[0][None], nfilter=8)
    np.testing.assert_allclose(np.asarray(inner)[0], plain, rtol=1e-6)
    ragged = arrays(dynjax.mel_filter_bank(dynjax.batch(TALL), nfilter=3))
    for got, x in zip(ragged, TALL, strict=True):
        wanted = bands(x.astype(np.float64), 3, 44100, 0, 22050, "slaney", True)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("normalize", [False, True])
def test_mfcc(kind, normalize):
    if kind == 1 and normalize:
        return
    out = dynjax.mfcc(dynjax.batch(TALL), n_mfcc=5, dct_type=kind, normalize=normalize)
    for got, x in zip(arrays(out), TALL, strict=True):
        norm = "ortho" if normalize else None
        wanted = scipy.fft.dct(x.astype(np.float64), kind, axis=0, norm=norm)[:5]
        np.testing.assert_allclose(got, wanted if normalize else wanted / 2, rtol=1e-4, atol=1e-5)


def test_mfcc_lifter_and_axis():
    lifter = 1 + 22 / 2 * np.sin(np.pi * np.arange(1, 5) / 22)
    wanted = scipy.fft.dct(SPECTRA[0].astype(np.float64), 2, axis=1)[:, :4] / 2 * lifter
    got = dynjax.mfcc(dynjax.tensor(SPECTRA[0], layout="ft"), n_mfcc=4, lifter=22.0, axis=1)
    assert got.layout == "ft"
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-4, atol=1e-4)


def decibels(x, multiplier, reference, cutoff):
    reference = reference or max(x.max(), 0) or 1
    return multiplier * np.log10(np.maximum(x / reference, 10 ** (cutoff / multiplier)))


@pytest.mark.parametrize(
    ("multiplier", "reference", "cutoff"), [(10.0, 0.0, -200.0), (20.0, 0.5, -12.0)]
)
def test_to_decibels(multiplier, reference, cutoff):
    samples = [x[:, :n] * 3 for x, n in zip(SPECTRA, (4, 3, 2), strict=True)]
    out = dynjax.to_decibels(
        dynjax.batch(samples), multiplier=multiplier, reference=reference, cutoff_db=cutoff
    )
    for got, x in zip(arrays(out), samples, strict=True):
        wanted = decibels(x.astype(np.float64), multiplier, reference, cutoff)
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-4)


def test_silence_in_decibels():
    silent = np.asarray(dynjax.to_decibels(np.zeros(3, np.float32)))
    np.testing.assert_allclose(silent, -200, rtol=1e-5)
    slope = jax.jit(jax.grad(lambda x: dynjax.to_decibels(x).jax().sum()))(silent * 0)
    assert np.isfinite(np.asarray(slope)).all()


CALLS = {
    "mel_filter_bank": lambda b: dynjax.mel_filter_bank(b, nfilter=8),
    "mfcc": lambda b: dynjax.mfcc(b, n_mfcc=5),
    "to_decibels": dynjax.to_decibels,
}


@pytest.mark.parametrize("name", CALLS)
def test_padding_never_leaks_and_jit_agrees(name):
    compiled = jax.jit(CALLS[name])
    clean, dirty = (
        arrays(compiled(padded(TALL, (10, 6), fill=v, layout="ft"))) for v in (0.0, np.nan)
    )
    eager = arrays(CALLS[name](dynjax.batch(TALL, layout="ft")))
    for a, b, c in zip(clean, dirty, eager, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", CALLS)
def test_derivatives(name):
    call = jax.jit(lambda x: CALLS[name](x).jax())
    x = TALL[0] + 1
    x[0, 0] = 4  # the largest by far: where it changes hands there is no derivative
    check_grads(call, (x,), 1, modes=["rev"], rtol=2e-2, eps=1e-2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dynjax.mel_filter_bank(TALL[0].astype(np.float64)), "float64; expected float32"),
        (
            lambda: dynjax.mel_filter_bank(dynjax.tensor(TALL[0], layout="xy")),
            "layout 'xy' has no axis 'f'",
        ),
        (lambda: dynjax.mel_filter_bank(TALL[0], mel_formula="HTK"), "mel_formula='HTK'.*slaney"),
        (lambda: dynjax.mel_filter_bank(TALL[0], nfilter=0), "nfilter=0"),
        (lambda: dynjax.mel_filter_bank(TALL[0], freq_low=5e3, freq_high=4e3), "5000.0 to 4000.0"),
        (lambda: dynjax.mfcc(TALL[0], dct_type=5), "dct_type=5"),
        (lambda: dynjax.mfcc(TALL[0], dct_type=1, normalize=True), "type 1 cannot be normalized"),
        (lambda: dynjax.mfcc(TALL[0], axis=2), "axis 2 does not exist"),
        (lambda: dynjax.mfcc(TALL[0], n_mfcc=0), "n_mfcc=0"),
        (lambda: dynjax.to_decibels(TALL[0], multiplier=0.0), "multiplier=0"),
        (lambda: dynjax.to_decibels(np.int16([1])), "int16; expected float32"),
    ],
)
def test_errors(call, message):
    with pytest.raises(dynjax.OperatorError, match=message):
        call().evaluate()
