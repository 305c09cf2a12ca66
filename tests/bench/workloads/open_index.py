"""Opening a list of a million files: time, and peak memory over the start."""

from workloads import resident


def prepare(ndd, files):
    def run():
        (path,) = files["million"]
        resident.forget_peak()
        start = resident.now()
        size = ndd.readers.File(file_list=path).get_metadata()["epoch_size"]
        return {"units": size, "over_start_mib": resident.peak() - start}

    return run
