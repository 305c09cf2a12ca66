"""`report`: what a captured loop could compute ahead, and what not."""

import html
from dataclasses import dataclass
from typing import Any, final

from .nodes import Site
from .plan import Plan
from .statistics import Statistics


@final
@dataclass(frozen=True)
class Call:
    """The calls that stand in one line.

    Attributes:
        operator: public name.
        filename, line: where.
        calls: how often it was called.
        captured: how many of these were found computed ahead.
        reason: why the last other one was not.
    """

    operator: str
    filename: str
    line: int
    calls: int
    captured: int
    reason: str


@final
class Report:
    """What a captured loop did; printed as a table, shown as one in notebooks.

    Attributes:
        calls: the operator calls of the body.
        steps: bodies that ran.
        waiting, body: seconds between bodies (waiting for data) and in them.
        ahead: calls of a step that are computed ahead.
        programs: compiled programs in which several of them are joined.
        chains: native calls that take each picture through several of them, from its file to the
            result.
        compiles, compiling: programs that were compiled while bodies ran (or fetched from JAX's
            persistent cache), and the seconds that took.
        in_flight, bytes_in_flight: steps that are being computed or lie ready now, and the memory
            of those that are done.
        peak_bytes: the most that such steps took.
    """

    def __init__(self, plan: Plan, statistics: Statistics):
        self.calls = [_call(site) for site in plan.sites.values()]
        self.steps = statistics.steps
        self.waiting = statistics.waiting
        self.body = statistics.body
        self.ahead = len(plan.order)
        self.programs = sum(unit.program is not None for unit in plan.units)
        self.chains = sum(unit.chain is not None for unit in plan.units)
        self.compiles = statistics.compiles
        self.compiling = statistics.compiling
        in_flight = plan.in_flight
        self.in_flight = len(in_flight)
        self.bytes_in_flight = sum(step.nbytes for step in in_flight)
        self.peak_bytes = statistics.peak

    def _lines(self) -> list[list[str]]:
        return [
            [c.operator, f"{c.filename}:{c.line}", str(c.calls), str(c.captured), c.reason]
            for c in self.calls
        ]

    def __str__(self) -> str:
        head = ["operator", "where", "calls", "captured", "last not captured because"]
        rows = [head, *self._lines()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        table = "\n".join(
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )
        return f"{self._summary()}\n{table}"

    def _summary(self) -> str:
        return (
            f"{self.steps} steps, {self.ahead} calls computed ahead, some of them in "
            f"{self.programs} joined programs and {self.chains} picture chains; "
            f"{self.waiting:.3f} s waiting for data, {self.body:.3f} s in the body; "
            f"{self.compiles} programs compiled in {self.compiling:.3f} s; "
            f"{self.in_flight} steps in flight, at most {self.peak_bytes / 1e6:.1f} MB"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = ["operator", "where", "calls", "captured", "last not captured because"]
        titles = "".join(f"<th>{t}</th>" for t in head)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._lines()
        )
        return f"<p>{self._summary()}</p><table><tr>{titles}</tr>{body}</table>"


def _call(site: Site) -> Call:
    return Call(site.operator, site.filename, site.line, site.calls, site.captured, site.reason)


def report(source: Any) -> Report:
    """What the captured loops of a source computed ahead, and what not and why.

    Args:
        source: a reader or an ExternalSource that drives captured loops, or one of these loops.

    Raises:
        TypeError: something else.

    Example:
        >>> source = dynjax.ExternalSource([np.zeros(4, np.float32)] * 3)
        >>> for batch in source.captured(batch_size=2):
        ...     _ = np.asarray(dynjax.cast(batch, dtype=dynjax.int32))
        >>> [(c.operator, c.calls, c.captured) for c in dynjax.capture.report(source).calls]
        [('cast', 3, 2)]
    """
    plan, statistics = getattr(source, "_plan", None), getattr(source, "statistics", None)
    if not isinstance(plan, Plan):
        raise TypeError(
            f"capture.report: got {type(source).__name__}; expected a reader, an ExternalSource or "
            "a captured loop."
        )
    return Report(plan, plan.statistics if statistics is None else statistics)
