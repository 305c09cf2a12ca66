"""Each operator of sound on 64 clips; the figures are milliseconds a call; see `each.py`."""

import numpy as np
from each import ms_of_each


def prepare(ndd, files):
    clips = ndd.batch([np.fromfile(path, np.uint8) for path in files["speech"]])
    decoded, _rates = ndd.decoders.audio(clips, downmix=True)
    # A copy: calls on data that shares the caller's memory are synchronous in the original.
    x = ndd.batch([np.array(clip) for clip in decoded.evaluate()]).evaluate()
    clips = clips.evaluate()
    power = ndd.spectrogram(x, nfft=512, window_length=400, window_step=160).evaluate()
    mel = ndd.mel_filter_bank(power, nfilter=80, sample_rate=16000.0).evaluate()
    decibels = ndd.to_decibels(mel, cutoff_db=-80.0).evaluate()
    operators = {
        "decoders.audio": lambda: ndd.decoders.audio(clips, downmix=True)[0],
        "audio_resample": lambda: ndd.audio_resample(x, in_rate=16000.0, out_rate=8000.0),
        "audio_resample_up": lambda: ndd.audio_resample(x, in_rate=16000.0, out_rate=22050.0),
        "preemphasis_filter": lambda: ndd.preemphasis_filter(x),
        "spectrogram": lambda: ndd.spectrogram(x, nfft=512, window_length=400, window_step=160),
        "spectrogram_tf": lambda: ndd.spectrogram(x, nfft=512, window_length=400, window_step=160, layout="tf"),  # noqa: E501
        "spectrogram_nfft_400": lambda: ndd.spectrogram(x, nfft=400, window_length=400, window_step=160),  # noqa: E501
        "power_spectrum": lambda: ndd.power_spectrum(x),
        "mel_filter_bank": lambda: ndd.mel_filter_bank(power, nfilter=80, sample_rate=16000.0),
        "to_decibels": lambda: ndd.to_decibels(mel, cutoff_db=-80.0),
        "mfcc": lambda: ndd.mfcc(decibels, n_mfcc=20),
        "nonsilent_region": lambda: ndd.nonsilent_region(x)[1],
        "normalize": lambda: ndd.normalize(decibels, axes=[1]),
    }  # fmt: skip
    return ms_of_each(operators)
