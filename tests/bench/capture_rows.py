"""The rows of captured loops; see `rows.py`."""

from row import Row, Workload, at_least, at_most, at_most_times, cpu_ms, own, rate, times_better

_CHAIN = Workload("captured_chain", needs=("photos",))
_TRAINING = Workload("captured_training", needs=("photos",))
_SMALL = Workload("captured_small", (("capture", True),), needs=("small",))
_SMALL_EAGER = Workload("captured_small", (("capture", False),), needs=("small",))


def _first(cached: bool) -> Workload:
    options = (("cached", cached),)
    return Workload("captured_first_steps", options, ("photos",), 1, warmups=0, compared=False)


ROWS: tuple[Row, ...] = (
    Row("capture.chain.cpu", "captured photos: decode, resize 224, normalise; CPU per image", "ms",
        _CHAIN, cpu_ms, times_better(2.0)),
    Row("capture.chain.rate", "the same, images per second", "1/s",
        _CHAIN, rate, times_better(1.8), higher_is_better=True),
    Row("capture.chain.decode", "the same, CPU over that of decode alone", "x",
        Workload("captured_over_decode", needs=("photos",), rounds=4, warmups=1, compared=False),
        own("over_decode"), at_most(1.35)),
    Row("capture.chain.memory", "the same, peak resident memory over start", "MiB",
        Workload("captured_memory", needs=("photos",), rounds=1, warmups=0),
        own("over_start_mib"), at_most_times(0.8)),
    Row("capture.training.cpu", "captured photos: random crop, resize 224, flip; CPU per image",
        "ms", _TRAINING, cpu_ms, times_better(1.7)),
    Row("capture.training.rate", "the same, images per second", "1/s",
        _TRAINING, rate, times_better(1.53), higher_is_better=True),
    Row("capture.small.rate", "captured 28x28 JPEGs: decode, rotate, normalise; samples per second",
        "1/s", _SMALL, rate, times_better(4.0), higher_is_better=True),
    Row("capture.small.eager", "the same in an eager loop", "1/s",
        _SMALL_EAGER, rate, higher_is_better=True),
    Row("capture.small.gain", "the same, captured over eager in one process", "x",
        Workload("captured_over_eager", needs=("small",), rounds=5, warmups=2, compared=False),
        own("over_eager"), at_least(1.0), higher_is_better=True),
    Row("capture.overhead", "captured step of 6 operator calls, CPU in the loop's own thread", "us",
        Workload("captured_overhead"), own("own_thread_us"), at_most(150, " us")),
    Row("capture.pointwise", "captured step of 12 pointwise operators on 64x128x128x3, wall", "1/s",
        Workload("captured_pointwise", warmups=1, rounds=5), rate, times_better(3.0),
        higher_is_better=True),
    Row("capture.overlap", "captured photos and a sleep as long: a step over the longer", "x",
        Workload("captured_overlap", needs=("photos",), rounds=4, warmups=1),
        own("over_longer"), at_most(1.1)),
    Row("capture.first.cold", "captured photos, first two steps, all of the compiling", "s",
        _first(False), own("wall"), at_most(3.0, " s")),
    Row("capture.first.warm", "the same with JAX's persistent cache", "s",
        _first(True), own("wall"), at_most(1.0, " s")),
)  # fmt: skip
