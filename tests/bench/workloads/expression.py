"""`a * 2 + 1` on 64 photographs of 256x256, element by element; a unit is the batch of 64."""

REPEATS = 5


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"][:64])
    jpegs, _labels = next(iter(reader.next_epoch(batch_size=64)))
    photos = ndd.resize(ndd.decoders.image(jpegs), size=[256, 256]).evaluate()

    def run():
        for _ in range(REPEATS):
            (photos * 2 + 1).evaluate()
        return {"units": REPEATS}

    return run
