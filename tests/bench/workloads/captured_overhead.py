"""What the loop's own thread pays for a captured step of six operator calls on next to nothing.

CPU time of that thread alone: the work that runs ahead in other threads is not in it.
"""

import time

import numpy as np

STEPS = 300


def prepare(ndd, files):
    tiny = ndd.batch([np.full((8, 8, 3), 7, np.uint8)] * 64, layout="HWC").evaluate()
    source = ndd.ExternalSource([tiny] * STEPS, cycle="raise")

    def run():
        start = time.thread_time()
        for batch in source.captured(batch_size=64):
            batch = ndd.resize(batch, size=[6, 6])
            batch = ndd.flip(batch, horizontal=1)
            batch = ndd.crop(batch, crop=[4, 4])
            batch = ndd.cast(batch, dtype=ndd.int16)
            batch = ndd.transpose(batch, perm=[2, 0, 1])
            batch = ndd.cast(batch, dtype=ndd.float32)
            batch.evaluate()
        return {"units": STEPS, "own_thread_us": 1e6 * (time.thread_time() - start) / STEPS}

    return run
