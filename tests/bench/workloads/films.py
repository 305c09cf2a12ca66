"""32 sequences of 16 frames, by the reader and by PyAV driven by hand, in turn in one process.

By hand once to the same pixels, and once the shortest way to RGB, which repeats chroma instead of
interpolating it.
"""

import os
import resource

import numpy as np

LENGTH, START, ROUNDS = 16, 16, 3


def prepare(ndd, files):
    films = files["films"]
    # From the middle of the films, not from a key frame.
    reader = ndd.readers.Video(
        file_list=_file_list(films), file_list_frame_num=True, sequence_length=LENGTH
    )

    def ours():
        outputs = next(iter(reader.next_epoch(batch_size=len(films))))
        return outputs[0].evaluate()

    def by_hand():
        return _by_hand(films, _interpolated)

    def shortest():
        return _by_hand(films, lambda frame: frame.to_ndarray(format="rgb24"))

    for got, wanted in zip(ours(), by_hand(), strict=True):
        np.testing.assert_array_equal(np.asarray(got), wanted)

    def run():
        least = {ours: float("inf"), by_hand: float("inf"), shortest: float("inf")}
        for _ in range(ROUNDS):
            for side in least:
                before = _cpu()
                side()
                least[side] = min(least[side], _cpu() - before)
        return {
            "over_av": least[ours] / least[by_hand],
            "over_shortest": least[ours] / least[shortest],
        }

    return run


def _interpolated(frame):
    full = frame.reformat(format="yuv444p", interpolation="BILINEAR")
    return full.to_ndarray(format="rgb24")


def _by_hand(films, pixels):
    import av  # type: ignore[import-not-found]

    sequences = []
    for film in films:
        with av.open(film) as container:
            stream = container.streams.video[0]
            stream.thread_type = "NONE"
            stream.codec_context.thread_count = 1
            first = int(START / stream.average_rate / stream.time_base)
            container.seek(first, stream=stream, backward=True)
            frames = []
            for frame in container.decode(stream):
                if frame.pts >= first:
                    frames.append(pixels(frame))
                if len(frames) == LENGTH:
                    break
            sequences.append(np.stack(frames))
    return sequences


def _file_list(films):
    path = os.path.join(os.path.dirname(films[0]), "list.txt")
    with open(path, "w") as out:
        out.writelines(f"{film} 0 {START} {START + LENGTH}\n" for film in films)
    return path


def _cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
