"""The captured main job beside a training step that sleeps as long as a data step takes.

The figure is the time of a step over that of the longer of the two.
"""

import time

STEPS = 8


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"])

    def epochs():
        while True:
            yield from reader.next_epoch(batch_size=64, capture=True)

    def seconds(sleep):
        """Time of a step, from result to result; the first one is not counted."""
        start = 0.0
        for k, (jpegs, _labels) in enumerate(epochs()):
            batch = ndd.decoders.image(jpegs)
            batch = ndd.resize(batch, size=[224, 224])
            batch = ndd.crop_mirror_normalize(
                batch,
                dtype=ndd.float32,
                output_layout="CHW",
                mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
                std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
            )
            batch.evaluate()
            if k == 0:
                start = time.perf_counter()
            if k == STEPS:
                break
            time.sleep(sleep)
        return (time.perf_counter() - start) / STEPS

    def run():
        alone = seconds(0.0)
        return {"over_longer": seconds(alone) / alone}

    return run
