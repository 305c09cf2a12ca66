"""The rows of the readers; see `rows.py`."""

from row import Row, Workload, at_least, at_most, cpu_ms, own, rate, times_better


def _read(source: str) -> Workload:
    return Workload("read", (("source", source),), (source,), rounds=9, warmups=2)


_FILES, _SMALL = _read("photos"), _read("files_2k")
_TFRECORD, _TAR = _read("tfrecord"), _read("tar")


def _open(source: str) -> Workload:
    options = (("source", source),)
    return Workload("open_index", options, (source,), rounds=1, warmups=0, compared=False)


_INDEX, _TAR_INDEX = _open("million"), _open("million_tar")
_SCALING = Workload("weak_scaling", (), ("photos",), rounds=3, warmups=0, compared=False)
_CORES = Workload("weak_scaling", (("work", "arithmetic"),), rounds=3, warmups=0, compared=False)

ROWS: tuple[Row, ...] = (
    Row("read.files.cpu", "File reader alone, photos, CPU per sample", "ms",
        _FILES, cpu_ms, times_better(1.5)),
    Row("read.files.rate", "the same, samples per second", "1/s",
        _FILES, rate, higher_is_better=True),
    Row("read.small.cpu", "File reader alone, 20,000 files of 2 KB, CPU per sample", "ms",
        _SMALL, cpu_ms, times_better(1.5)),
    Row("read.small.rate", "the same, samples per second", "1/s",
        _SMALL, rate, higher_is_better=True),
    Row("read.tfrecord.cpu", "TFRecord reader alone, photos, CPU per sample", "ms",
        _TFRECORD, cpu_ms, times_better(1.0)),
    Row("read.tfrecord.rate", "the same, samples per second", "1/s",
        _TFRECORD, rate, higher_is_better=True),
    Row("read.tar.cpu", "Webdataset reader alone, photos, CPU per sample", "ms",
        _TAR, cpu_ms, times_better(1.0)),
    Row("read.tar.rate", "the same, samples per second", "1/s",
        _TAR, rate, higher_is_better=True),
    Row("read.index.seconds", "opening a list of 1,000,000 files", "s",
        _INDEX, own("wall"), at_most(2, " s")),
    Row("read.index.memory", "the same, peak resident memory over start", "MiB",
        _INDEX, own("over_start_mib"), at_most(200, " MiB")),
    Row("read.tar.index.seconds", "opening a tar archive of 1,000,000 samples", "s",
        _TAR_INDEX, own("wall"), at_most(2, " s")),
    Row("read.tar.index.memory", "the same, peak resident memory over start", "MiB",
        _TAR_INDEX, own("over_start_mib"), at_most(200, " MiB")),
    Row("read.scaling", "two processes with a core each, speed of one beside the other", "",
        _SCALING, own("efficiency"), at_least(0.9), higher_is_better=True),
    Row("read.scaling.cores", "the same of arithmetic, which is what the cores allow", "",
        _CORES, own("efficiency"), higher_is_better=True),
)  # fmt: skip
