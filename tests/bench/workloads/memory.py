"""Peak memory of decoding one batch in which one picture is 120 times larger than the others.

The start is the process with the module imported and nothing read: the first use of each part, the
compiled programs included, is in the figure.
"""

from workloads import resident


def prepare(ndd, files):
    def run():
        resident.forget_peak()
        start = resident.now()
        reader = ndd.readers.File(files=files["mixed"])
        jpegs, _labels = next(iter(reader.next_epoch(batch_size=64)))
        # Kept until the peak is read, as a training step would.
        images = ndd.decoders.image(jpegs).evaluate()
        peak = resident.peak()
        pixels = sum(height * width * depth for height, width, depth in images.shape)
        return {
            "start_mib": start,
            "peak_mib": peak,
            "over_start_mib": peak - start,
            "pixels_mib": pixels / 2**20,
        }

    return run
