"""A speech front end over 64 clips, several epochs a run: from files to normalised mel bands."""

EPOCHS = 6


def prepare(ndd, files, capture):
    reader = ndd.readers.File(files=files["speech"])
    options = {"capture": True} if capture else {}

    def run():
        clips = 0
        for _ in range(EPOCHS):
            for encoded, _labels in reader.next_epoch(batch_size=64, **options):
                x, _rates = ndd.decoders.audio(encoded, downmix=True)
                x = ndd.audio_resample(x, in_rate=16000.0, out_rate=8000.0)
                x = ndd.preemphasis_filter(x)
                x = ndd.spectrogram(x, nfft=256, window_length=200, window_step=80)
                x = ndd.mel_filter_bank(x, nfilter=80, sample_rate=8000.0)
                x = ndd.to_decibels(x, cutoff_db=-80.0)
                x = ndd.normalize(x, axes=[1])
                clips += x.evaluate().batch_size
        return {"units": clips}

    return run
