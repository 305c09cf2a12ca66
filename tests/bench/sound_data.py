"""The files of the rows of sound and films: clips of speech, and short films."""

import array
import math
import random
import wave
from pathlib import Path

CLIPS, FILMS = 64, 32
RATE = 16000
FRAMES = 48


def speech(folder: Path, recordings: list[Path]) -> list[str]:
    """WAV files of about 3 s, 16 kHz, cut out of recordings, or hummed if there are none."""
    whole = array.array("h")
    for recording in recordings:
        with wave.open(str(recording)) as file:
            assert file.getframerate() == RATE
            whole.frombytes(file.readframes(file.getnframes()))
    whole = whole or _hummed(4 * RATE)
    inside = folder / "speech"
    inside.mkdir()
    paths = []
    for i in range(CLIPS):
        size = 3 * RATE + (i * 997) % 8000 - 4000
        start = (i * 7001) % (len(whole) - size)
        paths.append(str(inside / f"{i:02}.wav"))
        with wave.open(paths[-1], "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(whole[start : start + size].tobytes())
    return paths


def _hummed(size: int) -> array.array:
    noise = random.Random(0)
    return array.array(
        "h",
        (
            int(8000 * math.sin(n * (0.05 + 0.02 * math.sin(n / 9000))) + noise.gauss(0, 300))
            for n in range(size)
        ),
    )


def flac(folder: Path, speech: list[str]) -> list[str]:
    """The same clips as FLAC."""
    import soundfile  # type: ignore[import-not-found]

    inside = folder / "flac"
    inside.mkdir()
    paths = []
    for clip in speech:
        samples, rate = soundfile.read(clip, dtype="int16")
        paths.append(str(inside / f"{Path(clip).stem}.flac"))
        soundfile.write(paths[-1], samples, rate)
    return paths


def films(folder: Path) -> list[str]:
    """MP4 files of 48 frames of 320x240 with a key frame every 12."""
    import av  # type: ignore[import-not-found]
    import numpy as np

    inside = folder / "films"
    inside.mkdir()
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:240, :320]
    paths = []
    for i in range(FILMS):
        paths.append(str(inside / f"{i:02}.mp4"))
        speed = rng.uniform(1, 5, 3)
        with av.open(paths[-1], "w") as out:
            stream = out.add_stream("h264", rate=25, options={"g": "12", "crf": "23"})
            stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
            for t in range(FRAMES):
                waves = [np.sin((x * (c + 1) + y + s * t * 3) / 23) for c, s in enumerate(speed)]
                picture = (128 + 100 * np.stack(waves, axis=-1)).astype(np.uint8)
                for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")):
                    out.mux(packet)
            for packet in stream.encode():
                out.mux(packet)
    return paths
