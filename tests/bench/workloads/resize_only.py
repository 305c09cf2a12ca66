"""`resize` of the first 64 photographs, decoded beforehand; a unit is the batch of 64."""

# A batch takes some 0.1 s: a few of them even out the clock ticks of a shared machine.
REPEATS = 4


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"][:64])
    jpegs, _labels = next(iter(reader.next_epoch(batch_size=64)))
    photos = ndd.decoders.image(jpegs).evaluate()

    def run():
        for _ in range(REPEATS):
            ndd.resize(photos, size=[224, 224], antialias=True).evaluate()
        return {"units": REPEATS}

    return run
