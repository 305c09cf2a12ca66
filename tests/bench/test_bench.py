"""The harness itself, on a module so small that no figure means anything."""

import os
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent
STUB = """
float32 = None

class Batch:
    batch_size = 64
    def evaluate(self):
        return self

def set_num_threads(count):
    print("libraries print")

def batch(samples, layout):
    return Batch()

def resize(batch, size):
    return Batch()

def crop_mirror_normalize(batch, **_):
    raise RuntimeError("not built yet")
"""


def bench(*arguments, **environment):
    kept = {key: value for key, value in os.environ.items() if key != "DALI_PYTHON"}
    return subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *arguments],
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_a_workload_that_fails_leaves_the_others_alone(tmp_path):
    (tmp_path / "stub_ndd.py").write_text(STUB)
    only = ("--only", "call.resize", "--only", "call.crop_mirror_normalize")
    arguments = ("--quick", *only, "--module", "stub_ndd")
    done = bench(*arguments, PYTHONPATH=str(tmp_path))
    rows = {line.split("  ")[0]: line for line in done.stdout.splitlines() if "one call" in line}
    assert len(rows) == 4, done.stderr
    for title, line in rows.items():
        assert ("yes" in line) == ("crop_mirror_normalize" not in title), line
    assert "crop_mirror_normalize ragged=False failed on ours" in done.stderr
    assert "RuntimeError: not built yet" in done.stderr
    assert done.returncode == 1


def test_both_sides_are_measured_and_compared(tmp_path):
    """The original's name, on our path, is a stub as well."""
    folder = tmp_path / "nvidia" / "dali" / "experimental"
    folder.mkdir(parents=True)
    for place in ("dynamic.py", "../../../stub_ndd.py"):
        (folder / place).write_text(STUB)
    done = bench(
        *("--quick", "--only", "call.resize.dense", "--module", "stub_ndd", "--markdown"),
        PYTHONPATH=str(tmp_path),
        DALI_PYTHON=sys.executable,
    )
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if "one call of resize" in line)
    ours, original, ratio, bar, met = (cell.strip() for cell in row.split("|")[2:7])
    assert ours.endswith("us")
    assert original.endswith("us")
    assert float(ratio) > 0
    assert (bar, met) == ("<= 40 us", "yes")


def test_every_row_has_its_workload():
    done = bench("--list")
    assert done.returncode == 0
    assert done.stdout.count("\n") > 10
    code = """
import importlib, rows
for row in rows.ROWS:
    assert callable(importlib.import_module(f"workloads.{row.workload.file}").prepare)
"""
    subprocess.run([sys.executable, "-c", code], cwd=BENCH, check=True, timeout=100)
