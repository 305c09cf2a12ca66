"""`Row`, one line of the table, and what it is made of: a workload, a figure and a bar."""

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


def at_least(limit: float, unit: str = "") -> Bar:
    return Bar(f">= {limit:g}{unit}", lambda ours, _: ours >= limit)


def times_better(factor: float) -> Bar:
    return Bar(f">= {factor:g}x", lambda _, advantage: advantage >= factor, compares=True)


def at_most_times(factor: float) -> Bar:
    return Bar(f"<= {factor:g} DALI", lambda _, advantage: advantage >= 1 / factor, compares=True)


def cpu_ms(rounds: Sequence[Round]) -> float:
    return 1e3 * median((r["user"] + r["sys"]) / r["units"] for r in rounds)


def wall_us(rounds: Sequence[Round]) -> float:
    return 1e6 * median(r["wall"] / r["units"] for r in rounds)


def rate(rounds: Sequence[Round]) -> float:
    return 1 / median(r["wall"] / r["units"] for r in rounds)


def sys_share(rounds: Sequence[Round]) -> float:
    # Linux splits user from system time by sampling: the sum over the rounds is what means much.
    return 100 * sum(r["sys"] for r in rounds) / sum(r["user"] + r["sys"] for r in rounds)


def own(name: str) -> Callable[[Sequence[Round]], float]:
    return lambda rounds: median(r[name] for r in rounds)


def least(name: str) -> Callable[[Sequence[Round]], float]:
    # Of many short measurements on a machine that may be busy, the least disturbed.
    return lambda rounds: min(r[name] for r in rounds)


def growth(rounds: Sequence[Round]) -> float:
    return 100 * median(r["rss_late"] / r["rss_early"] - 1 for r in rounds)
