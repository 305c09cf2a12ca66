"""Grey JPEGs of 28x28, turned by random angles, and their labels as a loss wants them."""

import importlib

EPOCHS = 8  # one takes a tenth of a second, and the end of a run is seen to ten milliseconds


def prepare(ndd, files, capture):
    types = importlib.import_module(
        "dynjax.types" if hasattr(ndd, "types") else "nvidia.dali.types"
    )
    reader = ndd.readers.File(files=files["small"])

    def run():
        images = 0
        for _ in range(EPOCHS):
            for jpegs, labels in reader.next_epoch(batch_size=64, capture=capture):
                batch = ndd.decoders.image(jpegs, output_type=types.GRAY)
                angle = ndd.random.uniform(range=[-30.0, 30.0], batch_size=64)
                batch = ndd.rotate(batch, angle=angle, keep_size=True, fill_value=0.0)
                batch = ndd.crop_mirror_normalize(
                    batch, dtype=ndd.float32, output_layout="CHW", mean=[127.5], std=[127.5]
                )
                labels = ndd.cast(ndd.squeeze(labels, axes=[0]), dtype=ndd.int64)
                images += batch.evaluate().batch_size
                labels.evaluate()
        return {"units": images, "runs_ahead": capture}

    return run
