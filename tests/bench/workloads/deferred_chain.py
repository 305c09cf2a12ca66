"""Ten pointwise operators on 64 photographs of 256x256; a unit is the batch of 64.

Ours are deferred and compiled as one function; the original's deferred mode joins nothing, so it
runs eagerly.
"""

import contextlib

REPEATS = 3


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"][:64])
    jpegs, _labels = next(iter(reader.next_epoch(batch_size=64)))
    photos = ndd.resize(ndd.decoders.image(jpegs), size=[256, 256]).evaluate()
    is_ours = not ndd.__name__.startswith("nvidia.")

    def run():
        for _ in range(REPEATS):
            with ndd.EvalMode.deferred if is_ours else contextlib.nullcontext():
                x = (photos * 2 + 1) * 3 - 4
                x = (x * 0.5 + 7.0) * 1.25 - 0.5
                x = x * 2.0 + 1.0
            x.evaluate()
        return {"units": REPEATS}

    return run
