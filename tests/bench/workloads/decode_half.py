"""CPU time of decoding large photographs over that of decoding them to half their size, in turn."""

import time

import numpy as np
from idle import wait_until_idle

LARGE = 1000  # pixels, of the longer side
BATCH = 16


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"])
    large = []
    for jpeg, _label in reader.next_epoch():
        height, width, _ = np.asarray(ndd.peek_image_shape(jpeg)).tolist()
        if max(height, width) > LARGE:
            large.append(jpeg)
    encoded = [ndd.as_batch(large[k : k + BATCH]) for k in range(0, len(large), BATCH)]

    def seconds(**options):
        start = time.process_time()
        for jpegs in encoded:
            ndd.decoders.image(jpegs, **options).evaluate()
        wait_until_idle()
        return time.process_time() - start

    def run():
        whole = seconds()
        return {"times_faster": whole / seconds(scale=0.5)}

    return run
