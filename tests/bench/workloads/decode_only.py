"""`decoders.image` over an epoch of photographs whose bytes are in memory already."""


def prepare(ndd, files):
    reader = ndd.readers.File(files=files["photos"])
    encoded = [jpegs.evaluate() for jpegs, _labels in reader.next_epoch(batch_size=64)]

    def run():
        images = 0
        for jpegs in encoded:
            images += ndd.decoders.image(jpegs).evaluate().batch_size
        return {"units": images}

    return run
