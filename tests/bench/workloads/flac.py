"""Decoding of 64 FLAC files; the figures are milliseconds a call; see `each.py`."""

import numpy as np
from each import ms_of_each


def prepare(ndd, files):
    clips = ndd.batch([np.fromfile(path, np.uint8) for path in files["flac"]]).evaluate()
    return ms_of_each({"decoders.audio": lambda: ndd.decoders.audio(clips)[0]})
