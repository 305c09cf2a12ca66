"""spectrogram, power_spectrum: against SciPy's transforms and NumPy's framing, in float64."""

import jax
import numpy as np
import pytest
from jax.test_util import check_grads
from support.processes import output
from support.samples import arrays

import dynjax

SIGNAL = np.random.default_rng(0).standard_normal(61).astype(np.float32)
LENGTHS = (61, 23, 40)
SIGNALS = [SIGNAL[:n] for n in LENGTHS]


def hann(length):
    return 0.5 * (1 - np.cos(2 * np.pi * (np.arange(length) + 0.5) / length))


def spectra(x, nfft, length, step, power=2, centred=True, reflect=True, window=None):
    """`[nfft // 2 + 1, frames]`, frame by frame."""
    x = x.astype(np.float64)
    before = length // 2 if centred else 0
    mode = "reflect" if centred and reflect else "constant"
    wide = np.pad(x, (before, length), mode=mode)
    count = len(x) // step + 1 if centred else max(len(x) - length, 0) // step + 1
    window = hann(length) if window is None else np.asarray(window)
    frames = [wide[k * step : k * step + length] * window for k in range(count)]
    return np.abs(np.fft.rfft(frames, nfft)).T ** power


CASES = [
    {"nfft": 16, "length": 16, "step": 4},
    {"nfft": 17, "length": 13, "step": 5, "power": 1},
    {"nfft": 16, "length": 16, "step": 4, "centred": False},
    {"nfft": 16, "length": 12, "step": 7, "reflect": False},
    {"nfft": 8, "length": 6, "step": 9, "window": [1, 2, 3, 4, 5, 6]},
    {"nfft": 128, "length": 128, "step": 1},  # windows longer than the signal; many overlaps
]
NAMES = {
    "length": "window_length",
    "step": "window_step",
    "centred": "center_windows",
    "reflect": "reflect_padding",
    "window": "window_fn",
}


def arguments(case):
    return {NAMES.get(k, k): v for k, v in case.items()}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_formula_of_a_ragged_batch(case):
    out = dynjax.spectrogram(dynjax.batch(SIGNALS), **arguments(case))
    assert out.layout == "ft"
    for got, x in zip(arrays(out), SIGNALS, strict=True):
        wanted = spectra(x, **case)
        # The transform's rounding grows with the largest value, not with each.
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6 * wanted.max())


def test_short_signals_are_mirrored_again_and_again():
    for n in (1, 2, 3, 5):
        got = np.asarray(dynjax.spectrogram(SIGNAL[:n], window_length=16, window_step=4))
        wanted = spectra(SIGNAL[:n], 16, 16, 4)
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)


def test_last_window_may_end_beyond_the_signal():
    got = dynjax.spectrogram(SIGNAL[:7], window_length=8, window_step=4, center_windows=False)
    np.testing.assert_allclose(
        np.asarray(got), spectra(SIGNAL[:7], 8, 8, 4, centred=False), rtol=1e-5, atol=1e-5
    )


def test_layout_and_axes_of_extent_one():
    plain = np.asarray(dynjax.spectrogram(SIGNAL, window_length=16, window_step=4))
    turned = dynjax.spectrogram(SIGNAL, window_length=16, window_step=4, layout="tf")
    assert turned.layout == "tf"
    np.testing.assert_array_equal(np.asarray(turned).T, plain)
    for shape in ((61, 1), (1, 61)):
        got = dynjax.spectrogram(SIGNAL.reshape(shape), window_length=16, window_step=4)
        np.testing.assert_allclose(np.asarray(got), plain, rtol=1e-6)
    column = dynjax.spectrogram(
        dynjax.batch([x[:, None] for x in SIGNALS]), window_length=16, window_step=4
    )
    np.testing.assert_allclose(arrays(column)[0], plain, rtol=1e-5, atol=1e-6)


def test_power_spectrum():
    wanted = [np.abs(np.fft.rfft(x.astype(np.float64))) for x in SIGNALS]
    got = arrays(dynjax.power_spectrum(dynjax.batch(SIGNALS)))
    magnitude = arrays(dynjax.power_spectrum(dynjax.batch(SIGNALS), power=1))
    for a, b, w in zip(got, magnitude, wanted, strict=True):
        np.testing.assert_allclose(a, w**2, rtol=1e-5, atol=2e-5 * w.max() ** 2)
        np.testing.assert_allclose(b, w, rtol=1e-5, atol=2e-5 * w.max())
    cut = arrays(dynjax.power_spectrum(dynjax.batch(SIGNALS), nfft=30))
    for a, x in zip(cut, SIGNALS, strict=True):
        w = np.abs(np.fft.rfft(x.astype(np.float64), 30)) ** 2
        np.testing.assert_allclose(a, w, rtol=1e-5, atol=1e-5)
    plane = SIGNAL[:60].reshape(2, 3, 10)
    got = np.asarray(dynjax.power_spectrum(plane, axis=1))
    np.testing.assert_allclose(got, np.abs(np.fft.rfft(plane, axis=1)) ** 2, rtol=1e-4, atol=1e-5)


def test_forms():
    batch = dynjax.batch([SIGNAL, 2 * SIGNAL])
    dense = dynjax.spectrogram(batch, window_length=16, window_step=4)
    one = dynjax.spectrogram(dynjax.batch([SIGNAL]), window_length=16, window_step=4)
    np.testing.assert_allclose(arrays(dense)[1], 4 * arrays(one)[0], rtol=1e-5, atol=1e-6)
    mapped = jax.vmap(lambda x: dynjax.spectrogram(x, window_length=16, window_step=4))
    np.testing.assert_allclose(
        np.asarray(mapped(np.stack([SIGNAL, 2 * SIGNAL]))),
        np.stack(arrays(dense)),
        rtol=1e-5,
        atol=1e-6,
    )


def test_derivatives():
    def of_windows(x):
        return dynjax.spectrogram(x, window_length=8, window_step=4).jax()

    def of_all(x):
        return dynjax.power_spectrum(x, power=1).jax()

    for function in (of_windows, of_all):
        check_grads(jax.jit(function), (SIGNAL[:20],), 1, modes=["rev"], rtol=2e-2)
    flat = jax.jit(jax.grad(lambda x: of_all(x).sum()))(np.zeros(8, np.float32))
    assert np.isfinite(np.asarray(flat)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dynjax.spectrogram(SIGNAL.astype(np.int16)), "int16; expected float32.*cast"),
        (lambda: dynjax.spectrogram(SIGNAL[:60].reshape(2, 30)), r"shape \(2, 30\).*downmix=True"),
        (lambda: dynjax.spectrogram(SIGNAL[:0]), "sample 0 is empty"),
        (lambda: dynjax.spectrogram(SIGNAL, nfft=64), "window_length=512 is larger than nfft=64"),
        (lambda: dynjax.spectrogram(SIGNAL, power=3), "power=3"),
        (lambda: dynjax.spectrogram(SIGNAL, layout="FT"), "layout='FT'; expected 'ft' or 'tf'"),
        (lambda: dynjax.spectrogram(SIGNAL, window_step=0), "window_step=0"),
        (lambda: dynjax.spectrogram(SIGNAL, window_length=4, window_fn=[1, 2]), "2 values.*=4"),
        (
            lambda: dynjax.spectrogram(dynjax.batch(SIGNALS), center_windows=False, nfft=512),
            "sample 0 has .61,. elements, too few for a window of 512",
        ),
        (lambda: dynjax.power_spectrum(SIGNAL, axis=1), "axis 1 does not exist"),
        (lambda: dynjax.power_spectrum(SIGNAL, nfft=0), "nfft=0"),
    ],
)
def test_errors(call, message):
    with pytest.raises(dynjax.OperatorError, match=message):
        call().evaluate()


def test_without_memory_for_a_long_transform_there_is_an_error():
    program = """
import pathlib
import resource
import numpy as np
import dynjax as ndd

signal = ndd.tensor(np.ones(64, np.float32))
forms = {"window_length": 64, "center_windows": False}
ndd.spectrogram(signal, nfft=64, **forms).evaluate()
pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
used = pages * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), resource.RLIM_INFINITY))
try:
    ndd.spectrogram(signal, nfft=(1 << 26) - 1, **forms).evaluate()
except ndd.OperatorError as error:
    print(error)
print(ndd.spectrogram(signal, nfft=64, **forms).shape)
"""
    out = output(program)
    assert "there is no memory for the result" in out
    assert out.endswith("(33, 1)\n")
