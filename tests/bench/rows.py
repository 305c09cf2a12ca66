"""The table: one `Row` a line, and the workload that each takes its figure from.

A new row is a line in `ROWS`, and a file in `workloads/` if no workload yields its figure already.
The rows of captured loops are in `capture_rows.py`, those of single operators in
`operator_rows.py`, those of readers in `reader_rows.py`, those of sound and films in
`sound_rows.py`.
"""

from collections.abc import Sequence

import capture_rows
import operator_rows
import reader_rows
import sound_rows
from row import (
    Row,
    Workload,
    at_least,
    at_most,
    at_most_times,
    cpu_ms,
    growth,
    own,
    rate,
    sys_share,
    times_better,
    wall_us,
)


def _once(file: str, *options: tuple[str, object], compared: bool, needs: str) -> Workload:
    """A workload whose figure is about a fresh process."""
    return Workload(file, options, (needs,), rounds=1, warmups=0, compared=compared)


def _call(operator: str, *, ragged: bool) -> Row:
    kind = "ragged" if ragged else "dense"
    return Row(
        f"call.{operator}.{kind}",
        f"one call of {operator}, 64 tiny samples, {kind}",
        "us",
        Workload("call_overhead", (("operator", operator), ("ragged", ragged))),
        wall_us,
        at_most(80 if ragged else 40, " us"),
    )


_CHAIN = Workload("chain_eager", needs=("photos",))
_COMPILES = _once("compiles", ("shuffled", False), compared=False, needs="photos")
_COMPILES_SHUFFLED = _once("compiles", ("shuffled", True), compared=False, needs="photos")
_MEMORY = _once("memory", compared=True, needs="mixed")
_RSS = _once("rss_flat", compared=False, needs="photos")

ROWS: tuple[Row, ...] = (
    Row("chain.cpu", "photos: decode, resize 224, normalise; CPU per image", "ms",
        _CHAIN, cpu_ms, times_better(1.5)),
    Row("chain.rate", "the same, images per second", "1/s",
        _CHAIN, rate, times_better(1.4), higher_is_better=True),
    Row("chain.sys", "the same, system time in CPU time", "%",
        _CHAIN, sys_share, at_most(15, " %")),
    Row("decode", "decode alone, CPU per image", "ms",
        Workload("decode_only", needs=("photos",)), cpu_ms, times_better(1.0)),
    Row("decode.half", "photos larger than 1000 px: whole decode over scale=1/2, CPU", "x",
        Workload("decode_half", needs=("photos",), compared=False),
        own("times_faster"), at_least(1.7), higher_is_better=True),
    Row("resize", "resize alone, 64 photos to 224, antialias, CPU", "ms",
        Workload("resize_only", needs=("photos",)), cpu_ms, times_better(2.0)),
    Row("normalise", "crop_mirror_normalize alone, 64x256x256x3, CPU", "ms",
        Workload("normalise_only"), cpu_ms),
    _call("resize", ragged=False),
    _call("resize", ragged=True),
    _call("crop_mirror_normalize", ragged=False),
    _call("crop_mirror_normalize", ragged=True),
    *(_call(name, ragged=ragged)
      for name in ("cast", "arithmetic", "slice", "uniform", "stack")
      for ragged in (False, True)),
    Row("expression", "a * 2 + 1 on 64 photos of 256x256x3, wall time", "us",
        Workload("expression", needs=("photos",)), wall_us, times_better(1.0)),
    Row("expression.deferred.cpu", "10 pointwise operators on the same, deferred; CPU", "ms",
        Workload("deferred_chain", needs=("photos",)), cpu_ms, times_better(2.0)),
    Row("expression.deferred.wall", "the same, wall time", "us",
        Workload("deferred_chain", needs=("photos",)), wall_us, times_better(2.0)),
    Row("small.rate", "28x28 JPEGs: decode, resize, normalise; samples per second", "1/s",
        Workload("small_jpegs", needs=("small",)), rate, higher_is_better=True),
    Row("small.cpu", "the same, CPU per sample", "ms",
        Workload("small_jpegs", needs=("small",)), cpu_ms),
    Row("memory", "decode 63 photos of 500x400 and one of 6000x4000, peak over start", "MiB",
        _MEMORY, own("over_start_mib"), at_most_times(1.3)),
    Row("rss", "10 epochs over the photos, resident memory after 10 over after 2", "%",
        _RSS, growth, at_most(5, " %")),
    Row("compiles.first", "programs compiled, first epoch over the photos", "",
        _COMPILES, own("first"), at_most(15)),
    Row("compiles.second", "programs compiled, second epoch", "",
        _COMPILES, own("second"), at_most(0)),
    Row("compiles.shuffled", "programs compiled, 10 shuffled epochs in all", "",
        _COMPILES_SHUFFLED, own("all"), at_most(20)),
    Row("compiles.seconds", "compile time, first epoch over the photos", "s",
        _COMPILES, own("first_seconds")),
    *capture_rows.ROWS,
    *reader_rows.ROWS,
    *sound_rows.ROWS,
    *operator_rows.ROWS,
)  # fmt: skip


def matching(prefixes: Sequence[str] | None) -> tuple[Row, ...]:
    """The rows whose name starts with one of `prefixes`; all of them for None."""
    return tuple(row for row in ROWS if row.name.startswith(tuple(prefixes or ("",))))
