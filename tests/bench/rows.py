"""The table: one `Row` a line, and the workload that each takes its figure from.

A new row is a line in `ROWS`, and a file in `workloads/` if no workload yields its figure already.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

Round = dict[str, float]


@dataclass(frozen=True)
class Workload:
    """One file of `workloads/` with its options, and how often it is run."""

    file: str
    options: tuple[tuple[str, object], ...] = ()
    needs: tuple[str, ...] = ()
    rounds: int = 7
    warmups: int = 2
    compared: bool = True

    @property
    def label(self) -> str:
        return " ".join([self.file, *(f"{key}={value}" for key, value in self.options)])


@dataclass(frozen=True)
class Bar:
    """What the project asks of a figure. `met(ours, advantage)`, advantage 0.0 if unknown."""

    text: str
    met: Callable[[float, float], bool]
    compares: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    title: str
    unit: str
    workload: Workload
    figure: Callable[[Sequence[Round]], float]
    bar: Bar | None = None
    higher_is_better: bool = False

    def advantage(self, ours: float, original: float) -> float:
        """How many times better we are: original / ours for costs, ours / original for rates."""
        above, below = (ours, original) if self.higher_is_better else (original, ours)
        return above / below if below else float("inf")


def at_most(limit: float, unit: str = "") -> Bar:
    return Bar(f"<= {limit:g}{unit}", lambda ours, _: ours <= limit)


def times_better(factor: float) -> Bar:
    return Bar(f">= {factor:g}x", lambda _, advantage: advantage >= factor, compares=True)


def at_most_times(factor: float) -> Bar:
    return Bar(f"<= {factor:g} DALI", lambda _, advantage: advantage >= 1 / factor, compares=True)


def _cpu_ms(rounds: Sequence[Round]) -> float:
    return 1e3 * median((r["user"] + r["sys"]) / r["units"] for r in rounds)


def _wall_us(rounds: Sequence[Round]) -> float:
    return 1e6 * median(r["wall"] / r["units"] for r in rounds)


def _rate(rounds: Sequence[Round]) -> float:
    return 1 / median(r["wall"] / r["units"] for r in rounds)


def _sys_share(rounds: Sequence[Round]) -> float:
    # Linux splits user from system time by sampling: the sum over the rounds is what means much.
    return 100 * sum(r["sys"] for r in rounds) / sum(r["user"] + r["sys"] for r in rounds)


def _own(name: str) -> Callable[[Sequence[Round]], float]:
    return lambda rounds: median(r[name] for r in rounds)


def _growth(rounds: Sequence[Round]) -> float:
    return 100 * median(r["rss_late"] / r["rss_early"] - 1 for r in rounds)


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
        _wall_us,
        at_most(80 if ragged else 40, " us"),
    )


_CHAIN = Workload("chain_eager", needs=("photos",))
_COMPILES = _once("compiles", ("shuffled", False), compared=False, needs="photos")
_COMPILES_SHUFFLED = _once("compiles", ("shuffled", True), compared=False, needs="photos")
_MEMORY = _once("memory", compared=True, needs="mixed")
_RSS = _once("rss_flat", compared=False, needs="photos")

ROWS: tuple[Row, ...] = (
    Row("chain.cpu", "photos: decode, resize 224, normalise; CPU per image", "ms",
        _CHAIN, _cpu_ms, times_better(1.5)),
    Row("chain.rate", "the same, images per second", "1/s",
        _CHAIN, _rate, times_better(1.4), higher_is_better=True),
    Row("chain.sys", "the same, system time in CPU time", "%",
        _CHAIN, _sys_share, at_most(15, " %")),
    Row("decode", "decode alone, CPU per image", "ms",
        Workload("decode_only", needs=("photos",)), _cpu_ms, times_better(1.0)),
    Row("resize", "resize alone, 64 photos to 224, antialias, CPU", "ms",
        Workload("resize_only", needs=("photos",)), _cpu_ms, times_better(2.0)),
    Row("normalise", "crop_mirror_normalize alone, 64x256x256x3, CPU", "ms",
        Workload("normalise_only"), _cpu_ms),
    _call("resize", ragged=False),
    _call("resize", ragged=True),
    _call("crop_mirror_normalize", ragged=False),
    _call("crop_mirror_normalize", ragged=True),
    Row("small.rate", "28x28 JPEGs: decode, resize, normalise; samples per second", "1/s",
        Workload("small_jpegs", needs=("small",)), _rate, higher_is_better=True),
    Row("small.cpu", "the same, CPU per sample", "ms",
        Workload("small_jpegs", needs=("small",)), _cpu_ms),
    Row("memory", "decode 63 photos of 500x400 and one of 6000x4000, peak over start", "MiB",
        _MEMORY, _own("over_start_mib"), at_most_times(1.3)),
    Row("rss", "10 epochs over the photos, resident memory after 10 over after 2", "%",
        _RSS, _growth, at_most(5, " %")),
    Row("compiles.first", "programs compiled, first epoch over the photos", "",
        _COMPILES, _own("first"), at_most(15)),
    Row("compiles.second", "programs compiled, second epoch", "",
        _COMPILES, _own("second"), at_most(0)),
    Row("compiles.shuffled", "programs compiled, 10 shuffled epochs in all", "",
        _COMPILES_SHUFFLED, _own("all"), at_most(20)),
    Row("compiles.seconds", "compile time, first epoch over the photos", "s",
        _COMPILES, _own("first_seconds")),
)  # fmt: skip


def matching(prefixes: Sequence[str] | None) -> tuple[Row, ...]:
    """The rows whose name starts with one of `prefixes`; all of them for None."""
    return tuple(row for row in ROWS if row.name.startswith(tuple(prefixes or ("",))))
