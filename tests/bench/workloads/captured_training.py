"""A training body as a captured loop: a random part of each photograph, resized, some flipped."""


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"])

    def run():
        images = 0
        for jpegs, _labels in reader.next_epoch(batch_size=64, capture=True):
            batch = ndd.decoders.image_random_crop(jpegs)
            batch = ndd.resize(batch, size=[224, 224])
            batch = ndd.crop_mirror_normalize(
                batch,
                mirror=ndd.random.coin_flip(batch_size=64),
                dtype=ndd.float32,
                output_layout="CHW",
                mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
                std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
            )
            images += batch.evaluate().batch_size
        return {"units": images, "runs_ahead": True}

    return run
