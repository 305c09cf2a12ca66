"""Small films, made by PyAV."""

from fractions import Fraction

import numpy as np
import pytest


def picture(number, height=32, width=48):
    """Frame `number`: a level that grows by 10, and a bright upper left quarter."""
    frame = np.full((height, width, 3), 20 + 10 * number, np.uint8)
    frame[: height // 2, : width // 2] = 250
    return frame


def number_of(frame):
    """The number of a decoded frame; -1 for black."""
    level = float(np.mean(frame[-8:, -8:]))
    return -1 if level < 8 else round((level - 20) / 10)


def write_film(
    target, count=12, codec="libx264", *, times=None, gop=4, rotation=None, first=0, **form
):
    """Writes frames `first`, `first + 1`, ... with 10 a second, or at `times` in 1/10 s."""
    av = pytest.importorskip("av")
    with av.open(target, "w", **form) as out:
        stream = out.add_stream(codec, rate=10)
        stream.height, stream.width = picture(0).shape[:2]
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.time_base = Fraction(1, 10)
        stream.gop_size = gop
        if codec == "libx264":
            stream.options = {"bf": "2", "crf": "8"}
        if rotation is not None:
            stream.set_display_rotation(rotation)
        for i in range(count):
            frame = av.VideoFrame.from_ndarray(picture(first + i))
            frame.pts = i if times is None else times[i]
            frame.time_base = Fraction(1, 10)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return target
