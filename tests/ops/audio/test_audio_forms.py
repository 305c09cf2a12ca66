"""Audio operators give the same eagerly, inside `jit`, natively and in JAX."""

import jax
import numpy as np
import pytest
from support.samples import arrays, padded

import dynjax
from dynjax._execution import sampled, traced

RNG = np.random.default_rng(5)
SIGNALS = [RNG.standard_normal(n).astype(np.float32) for n in (61, 23, 40)]
SPECTRA = [RNG.random((n, 9)).astype(np.float32) for n in (12, 7, 10)]
WINDOW = [0.5, 1.0, 2.0, 1.0, 0.5]

OF_SIGNALS = {
    "spectrogram": lambda b: dynjax.spectrogram(b, window_length=16, window_step=6),
    "spectrogram of lengths": lambda b: dynjax.spectrogram(
        b, nfft=13, window_length=5, window_step=3, window_fn=WINDOW, layout="tf", power=1
    ),
    "power_spectrum": dynjax.power_spectrum,
    "power_spectrum of a length": lambda b: dynjax.power_spectrum(b, nfft=25, power=1),
    "audio_resample": lambda b: dynjax.audio_resample(b, scale=1.3, quality=10.0),
    "preemphasis_filter": lambda b: dynjax.preemphasis_filter(b, border="reflect"),
}
OF_SPECTRA = {
    "mel_filter_bank": lambda b: dynjax.mel_filter_bank(b, nfilter=5, sample_rate=8000.0),
    "mfcc": lambda b: dynjax.mfcc(b, axis=1, n_mfcc=4, lifter=3.0),
    "mfcc along time": lambda b: dynjax.mfcc(b, axis=0, n_mfcc=4, normalize=True),
    "to_decibels": dynjax.to_decibels,
}


def computed(signals, spectra):
    return {
        **{name: call(signals) for name, call in OF_SIGNALS.items()},
        **{name: call(spectra) for name, call in OF_SPECTRA.items()},
    }


def in_slots(fill):
    return (
        padded(SIGNALS, (64,), fill=fill, layout="t"),
        padded(SPECTRA, (16, 9), fill=fill, layout="tf", constant=(1,)),
    )


@pytest.fixture(scope="module")
def eager():
    results = computed(dynjax.batch(SIGNALS, layout="t"), dynjax.batch(SPECTRA, layout="tf"))
    return {name: arrays(result) for name, result in results.items()}


def test_jit_gives_the_bits_of_the_eager_call_and_padding_stays_out(eager):
    run = jax.jit(computed)
    for fill in (0.0, np.nan):
        for name, out in run(*in_slots(fill)).items():
            for a, b in zip(arrays(out), eager[name], strict=True):
                np.testing.assert_array_equal(a, b, strict=True, err_msg=name)
            for row, sample in zip(np.asarray(out.storage.array), arrays(out), strict=True):
                outside = np.array(row)
                outside[tuple(map(slice, sample.shape))] = 0
                assert not outside.any(), name


def test_the_jax_form_agrees(eager, monkeypatch):
    def embed(kernel, static, arrays, extents, out_extent, tables, slot, dtype, count):
        return sampled.map_samples(
            kernel, static, arrays, extents, out_extent, tables, slot, dtype, count
        )

    monkeypatch.setattr(traced, "embed", embed)
    # A dozen operators in one program take long to optimise.
    options = {"xla_backend_optimization_level": 0}
    run = jax.jit(lambda *inputs: computed(*inputs), compiler_options=options)
    for fill in (0.0, np.nan):
        for name, out in run(*in_slots(fill)).items():
            for a, b in zip(arrays(out), eager[name], strict=True):
                # Rounding of sums grows with the largest value, not with each.
                np.testing.assert_allclose(
                    a, b, rtol=2e-5, atol=2e-6 * np.abs(b).max(), err_msg=name
                )


def test_samples_do_not_know_of_their_batch(eager):
    for i in range(3):
        one = computed(
            dynjax.tensor(SIGNALS[i], layout="t"), dynjax.tensor(SPECTRA[i], layout="tf")
        )
        for name, out in one.items():
            np.testing.assert_array_equal(np.asarray(out), eager[name][i], err_msg=name)
    none = computed(dynjax.batch(SIGNALS).select([]), dynjax.batch(SPECTRA, layout="tf").select([]))
    assert all(out.batch_size == 0 for out in none.values())


# Small factors, a large one, a prime; long ones of these kinds; even and odd.
@pytest.mark.parametrize("length", [1, 2, 3, 37, 74, 400, 441, 9001, 16384, 18002, 60000])
def test_spectra_of_any_length(length):
    x = RNG.standard_normal(length).astype(np.float32)
    wanted = np.abs(np.fft.rfft(x.astype(np.float64)))
    got = np.asarray(dynjax.power_spectrum(x, power=1))
    np.testing.assert_allclose(got, wanted, rtol=0, atol=2e-6 * np.sqrt(length) * 4)


@pytest.mark.parametrize("nfft", [9, 40, 74, 9001, 16384])
def test_windows_of_any_length(nfft):
    x = RNG.standard_normal(200).astype(np.float32)
    got = dynjax.spectrogram(x, nfft=nfft, window_length=9, window_step=11, center_windows=False)
    frames = [x[k : k + 9] for k in range(0, 192, 11)]
    hann = 0.5 * (1 - np.cos(2 * np.pi * (np.arange(9) + 0.5) / 9))
    wanted = np.abs(np.fft.rfft(np.array(frames, np.float64) * hann, nfft)).T ** 2
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-4, atol=2e-5)


def test_axes_in_the_middle_and_more_than_two():
    x = RNG.random((2, 9, 3, 11)).astype(np.float32)
    for axis in range(4):
        got = np.asarray(dynjax.power_spectrum(x, axis=axis))
        wanted = np.abs(np.fft.rfft(x.astype(np.float64), axis=axis)) ** 2
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)
    for layout in ("abfc", "abcf", "fabc"):
        moved = np.moveaxis(x, 1, layout.index("f"))
        got = dynjax.mel_filter_bank(
            dynjax.tensor(moved, layout=layout), nfilter=4, sample_rate=8000.0
        )
        flat = np.moveaxis(x, 1, 0).reshape(9, -1)
        wanted = np.asarray(dynjax.mel_filter_bank(flat, nfilter=4, sample_rate=8000.0))
        wanted = np.moveaxis(wanted.reshape(4, 2, 3, 11), 0, layout.index("f"))
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-5)


def test_other_lengths_compile_nothing(compiles):
    def run(lengths):
        x = dynjax.batch([np.ones(n, np.float32) for n in lengths])
        power = dynjax.spectrogram(x, nfft=16, window_length=16, window_step=4)
        mel = dynjax.mel_filter_bank(power, nfilter=5, sample_rate=8000.0)
        dynjax.to_decibels(mel).evaluate()
        dynjax.audio_resample(x, scale=0.5).evaluate()
        dynjax.power_spectrum(x).evaluate()
        dynjax.preemphasis_filter(x).evaluate()

    run((100, 90))
    with compiles() as seen:
        run((101, 55))
    assert seen.count == 0
