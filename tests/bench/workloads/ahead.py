"""What a captured loop computes beyond its end counts as part of the run."""

import numpy as np


def finisher(ndd):
    """A function that waits until nothing is being computed ahead.

    Our large eager calls queue behind it. The original cannot be asked: what its pipeline has begun
    is not counted.
    """
    if not hasattr(getattr(ndd, "capture", None), "report"):
        return lambda: None
    large = ndd.batch(np.zeros((1, 1 << 17), np.uint8)).evaluate()
    return lambda: ndd.cast(large, dtype=ndd.float32).evaluate()
