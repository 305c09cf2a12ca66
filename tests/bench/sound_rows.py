"""The rows of sound and films; see `rows.py`."""

import importlib.util

from row import Row, Workload, at_most, cpu_ms, least, own, times_better

OPERATORS = (
    *("decoders.audio", "audio_resample", "audio_resample_up", "preemphasis_filter"),
    *("spectrogram", "spectrogram_tf", "spectrogram_nfft_400", "power_spectrum"),
    *("mel_filter_bank", "to_decibels", "mfcc", "nonsilent_region", "normalize"),
)
_FILMS = Workload("films", (), ("films",), rounds=5, warmups=1, compared=False)
_OPERATORS = Workload("sound_operators", (), ("speech",))
_FLAC = Workload("flac", (), ("flac",))


def _front_end(capture: bool) -> Workload:
    return Workload("speech_front_end", (("capture", capture),), ("speech",), rounds=7, warmups=2)


_FLAC_ROWS: tuple[Row, ...] = (
    Row("sound.decoders.audio.flac", "decoders.audio of the 64 clips as FLAC, CPU", "ms",
        _FLAC, least("decoders.audio.cpu"), times_better(1.0)),
)  # fmt: skip
# The files of FLAC are made by a package that one may do without.
_HAS_SOUNDFILE = importlib.util.find_spec("soundfile") is not None

ROWS: tuple[Row, ...] = (
    Row("sound.front_end.captured", "captured speech front end, CPU per clip of 3 s", "ms",
        _front_end(True), cpu_ms, times_better(1.5)),
    Row("sound.front_end.eager", "the same in an eager loop", "ms",
        _front_end(False), cpu_ms),
    *(Row(f"sound.{name}", f"{name} of 64 clips of 3 s, CPU", "ms",
          _OPERATORS, least(f"{name}.cpu"), times_better(1.0))
      for name in OPERATORS),
    *(_FLAC_ROWS if _HAS_SOUNDFILE else ()),
    Row("film.decode", "32 sequences of 16 frames of 320x240, CPU over PyAV driven by hand", "x",
        _FILMS, own("over_av"), at_most(1.0)),
    Row("film.decode.shortest", "the same, over PyAV without interpolation of chroma", "x",
        _FILMS, own("over_shortest")),
)  # fmt: skip
