"""Opening a million samples, in a list of files or a tar archive: time, and peak memory."""

from workloads import resident


def prepare(ndd, files, source):
    (path,) = files[source]

    def run():
        resident.forget_peak()
        start = resident.now()
        if source == "million_tar":
            reader = ndd.readers.Webdataset(paths=path, ext="cls")
        else:
            reader = ndd.readers.File(file_list=path)
        size = reader.get_metadata()["epoch_size"]
        return {"units": size, "over_start_mib": resident.peak() - start}

    return run
