"""Decoding of 64 FLAC files; the figure is CPU milliseconds a call."""

import numpy as np
from each import cpu_ms_of_each


def prepare(ndd, files):
    clips = ndd.batch([np.fromfile(path, np.uint8) for path in files["flac"]]).evaluate()
    return cpu_ms_of_each({"decoders.audio": lambda: ndd.decoders.audio(clips)[0]})
