"""JPEGs of 28x28, so small that the cost of the calls is what is measured."""


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["small"])

    def run():
        images = 0
        for jpegs, _labels in reader.next_epoch(batch_size=64):
            batch = ndd.decoders.image(jpegs)
            batch = ndd.resize(batch, size=[32, 32])
            batch = ndd.crop_mirror_normalize(
                batch, dtype=ndd.float32, output_layout="CHW", mean=[127.5], std=[127.5]
            )
            images += batch.evaluate().batch_size
        return {"units": images}

    return run
