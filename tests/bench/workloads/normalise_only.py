"""`crop_mirror_normalize` of 64 pictures of 256x256 to float32 CHW; a unit is the batch of 64."""

import numpy as np

REPEATS = 20


def prepare(ndd, files):
    pixels = np.random.default_rng(0).integers(0, 256, (64, 256, 256, 3), dtype=np.uint8)
    # A copy: calls on data that shares the caller's memory are synchronous in the original.
    pictures = ndd.batch(list(pixels), layout="HWC").evaluate()

    def run():
        for _ in range(REPEATS):
            ndd.crop_mirror_normalize(
                pictures,
                dtype=ndd.float32,
                output_layout="CHW",
                mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
                std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
            ).evaluate()
        return {"units": REPEATS}

    return run
