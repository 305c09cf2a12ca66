"""Twelve pointwise operators on 64 pictures of 128x128 in a captured loop; a unit is a batch."""

import numpy as np

STEPS = 20


def prepare(ndd, files):
    pixels = np.random.default_rng(0).integers(0, 256, (64, 128, 128, 3), dtype=np.uint8)
    pictures = ndd.batch(list(pixels), layout="HWC").evaluate()
    source = ndd.ExternalSource([pictures] * STEPS, cycle="raise")

    def run():
        for x in source.captured(batch_size=64):
            y = ndd.cast(x, dtype=ndd.float32) / 255.0
            y = ndd.math.clamp(y * 1.2 - 0.1, 0.0, 1.0)
            y = ndd.math.sqrt(y) * 0.7 + y * 0.3
            y = ndd.math.abs(y - 0.5) * 2.0
            y.evaluate()
        return {"units": STEPS}

    return run
