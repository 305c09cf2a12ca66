"""What one operator call costs when there is next to nothing to compute; a unit is a call.

Every result is kept until all calls are made, and then evaluated: no call may profit from the
memory of the one before, and none of the work may be left undone.
"""

import numpy as np

CALLS = 300


def prepare(ndd, files, operator, ragged):
    heights = [8 - i % 3 if ragged else 8 for i in range(64)]
    samples = [np.full((height, 8, 3), 7, np.uint8) for height in heights]
    tiny = ndd.batch(samples, layout="HWC").evaluate()

    def resize():
        return ndd.resize(tiny, size=[4, 4])

    def crop_mirror_normalize():
        return ndd.crop_mirror_normalize(
            tiny,
            dtype=ndd.float32,
            output_layout="CHW",
            mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
            std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        )

    def cast():
        return ndd.cast(tiny, dtype=ndd.float32)

    def arithmetic():
        return tiny * 2

    def slice():
        return ndd.slice(tiny, start=[1, 1], shape=[4, 4], axes=[0, 1])

    def uniform():
        if ragged:
            return ndd.random.uniform(tiny, range=[0.0, 1.0])
        return ndd.random.uniform(range=[0.0, 1.0], batch_size=64)

    def stack():
        return ndd.stack(tiny, tiny)

    calls = (resize, crop_mirror_normalize, cast, arithmetic, slice, uniform, stack)
    call = {function.__name__: function for function in calls}[operator]

    def run():
        results = [call() for _ in range(CALLS)]
        for result in results:
            result.evaluate()
        return {"units": CALLS}

    return run
