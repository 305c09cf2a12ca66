"""Turns measured rounds into the printed table: for a terminal, or for the README."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from row import Round, Row

HEAD = ("check", "ours", "DALI", "ratio", "bar", "met", "change")


@dataclass(frozen=True)
class Line:
    """A row with its figures by side (empty where a side failed) and our change since last time."""

    row: Row
    figures: dict[str, float]
    change_percent: float | None


@dataclass(frozen=True)
class Report:
    """All that is printed."""

    lines: list[Line]
    date: str
    machine: str
    versions: dict[str, str]
    photos: str


def line(row: Row, measured: Mapping[str, Sequence[Round]], last: dict | None) -> Line:
    """Computes one line.

    Args:
        row: what to compute.
        measured: rounds of the row's workload, by side.
        last: the row's figures in the run before.
    """
    figures = {side: row.figure(rounds) for side, rounds in measured.items()}
    before, now = (last or {}).get("ours"), figures.get("ours")
    change = 100 * (now / before - 1) if before and now is not None else None
    return Line(row, figures, change)


def machine() -> str:
    """The processor and how much of it we have; no name of the host."""
    model = platform.processor() or platform.machine()
    try:
        for entry in Path("/proc/cpuinfo").read_text().splitlines():
            if entry.startswith("model name"):
                model = entry.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def text(report: Report) -> str:
    """The table for a terminal."""
    cells = [HEAD, *(_cells(line) for line in report.lines)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(HEAD))]
    body = [
        "  ".join(
            cell.ljust(width) if i in (0, 4, 5) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    rule = "-" * max(map(len, body))
    return "\n".join([body[0], rule, *body[1:], "", _footer(report)])


def markdown(report: Report) -> str:
    """The table for the README: no change since last time, and the machine below."""
    columns = len(HEAD) - 1
    cells = [HEAD, ("---", "---:", "---:", "---:", "---", "---"), *map(_cells, report.lines)]
    rows = ["| " + " | ".join(row[:columns]) + " |" for row in cells]
    return "\n".join([*rows, "", _footer(report)])


def _footer(report: Report) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    parts = [f"{report.date}; {report.machine}; {versions}", report.photos]
    return "; ".join(filter(None, parts)) + ". Ratio: how many times better ours is."


def _cells(line: Line) -> tuple[str, ...]:
    row = line.row
    ours, original = line.figures.get("ours"), line.figures.get("DALI")
    both = ours is not None and original is not None
    advantage = row.advantage(ours, original) if both else None
    return (
        row.title,
        _number(ours, row.unit),
        _number(original, row.unit),
        "" if advantage is None else f"{advantage:.2f}",
        "" if row.bar is None else row.bar.text,
        _verdict(row, ours, advantage),
        "" if line.change_percent is None else f"{line.change_percent:+.0f} %",
    )


def _verdict(row: Row, ours: float | None, advantage: float | None) -> str:
    if row.bar is None or ours is None or (row.bar.compares and advantage is None):
        return ""
    return "yes" if row.bar.met(ours, advantage or 0.0) else "NO"


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    digits = 0 if value == int(value) or abs(value) >= 100 else 3 if abs(value) < 1 else 2
    return f"{value:,.{digits}f} {unit}".rstrip()
