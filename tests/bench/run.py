"""`make bench`: our figures beside the original's, measured alternately in one run.

    python tests/bench/run.py [--only PREFIX] [--quick] [--markdown] [--list]

The original takes part when the environment variable DALI_PYTHON names an interpreter that can
import it. The bars of the project are printed beside the figures and never asserted: the machine
may be busy. What is asserted is that our side ran: the exit status is 1 if a workload of ours
failed.
"""

import argparse
import datetime
import json
import sys
import tempfile
from pathlib import Path

import data
import rows
import table
from rounds import Failed, measure
from sides import DYNJAX, find_sides

REPOSITORY = Path(__file__).resolve().parents[2]
LAST = REPOSITORY / ".bench" / "last.json"


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Benchmark dynjax beside the original.")
    parser.add_argument("--only", action="append", metavar="PREFIX", help="rows to run, by name")
    parser.add_argument("--quick", action="store_true", help="2 rounds a row; nothing is saved")
    parser.add_argument("--markdown", action="store_true", help="print the table for the README")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    parser.add_argument("--module", default=DYNJAX, help="module measured as ours")
    return parser.parse_args(argv)


def _read_last() -> dict:
    try:
        return json.loads(LAST.read_text())
    except (OSError, ValueError):
        return {"rows": {}}


def _save(last: dict, report: table.Report, raw: dict) -> None:
    """Keeps this run's figures; rows that did not run, or failed, keep the ones they had."""
    figures = {line.row.name: line.figures for line in report.lines if "ours" in line.figures}
    raw = {label: sides for label, sides in raw.items() if "ours" in sides}
    state = {
        "date": report.date,
        "machine": report.machine,
        "versions": report.versions,
        "rows": last["rows"] | figures,
        "rounds": last.get("rounds", {}) | raw,
    }
    LAST.parent.mkdir(exist_ok=True)
    (LAST.parent / ".gitignore").write_text("*\n")
    LAST.write_text(json.dumps(state, indent=1))


def main(argv: list[str] | None = None) -> int:
    """Runs the chosen rows; see the module docstring."""
    options = _arguments(argv)
    chosen = rows.matching(options.only)
    if options.list or not chosen:
        print("\n".join(f"{row.name:36}{row.title}" for row in rows.ROWS))
        return 0 if options.list else 2
    sides, versions = find_sides(options.module)
    last = _read_last()
    raw: dict[str, dict] = {}
    failures: list[Failed] = []
    with tempfile.TemporaryDirectory(prefix="dynjax-bench-") as folder:
        source = data.Source(REPOSITORY, Path(folder))
        for workload in dict.fromkeys(row.workload for row in chosen):
            print(f"{workload.label} ...", file=sys.stderr, flush=True)
            measured, failed = measure(workload, sides, source, quick=options.quick)
            raw[workload.label] = measured
            failures += failed
    lines = [table.line(row, raw[row.workload.label], last["rows"].get(row.name)) for row in chosen]
    report = table.Report(
        lines=lines,
        date=datetime.date.today().isoformat(),
        machine=table.machine(),
        versions=versions,
        photos=source.photos_are,
    )
    print(table.markdown(report) if options.markdown else table.text(report))
    for failure in failures:
        print(f"\n{failure.workload} failed on {failure.side}:\n{failure.error}", file=sys.stderr)
    if not options.quick and options.module == DYNJAX:
        _save(last, report, raw)
    return 1 if any(failure.side == "ours" for failure in failures) else 0


if __name__ == "__main__":
    sys.exit(main())
