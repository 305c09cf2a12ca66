"""One side of the comparison: imports the module under test and runs workloads on command.

Started by `sides.Worker` as `python worker.py MODULE`, by an interpreter of either environment, so
it uses the standard library alone. Commands and answers are JSON, one a line:

    (start)                                            -> versions by package
    {"do": "prepare", "file", "options", "files"}      -> {}
    {"do": "run"}                                      -> {"wall", "user", "sys", ...the workload's}

and {"error": traceback} wherever the workload raised.
"""

import importlib
import importlib.metadata
import json
import os
import platform
import resource
import sys
import time
import traceback
from collections.abc import Callable

from idle import wait_until_idle

PACKAGES = ("dynjax", "jax", "jaxlib", "numpy", "nvidia-dali-cuda120")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _timed(run: Callable[[], dict[str, float]]) -> dict[str, float]:
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    figures = run()
    # In the long run, as much is begun before a run's start as is left at its end.
    end = wait_until_idle() if figures.pop("runs_ahead", False) else time.perf_counter()
    wall, after = end - start, resource.getrusage(resource.RUSAGE_SELF)
    return figures | {
        "wall": wall,
        "user": after.ru_utime - before.ru_utime,
        "sys": after.ru_stime - before.ru_stime,
    }


def main() -> None:
    # A library that prints must not break the protocol: it gets standard error as its output.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    ndd = importlib.import_module(sys.argv[1])
    ndd.set_num_threads(len(os.sched_getaffinity(0)))
    print(json.dumps(_versions()), file=answers)

    run: Callable[[], dict[str, float]] | None = None
    for line in sys.stdin:
        command = json.loads(line)
        answer: dict = {}
        try:
            if command["do"] == "prepare":
                workload = importlib.import_module(f"workloads.{command['file']}")
                run = workload.prepare(ndd, command["files"], **command["options"])
            else:
                assert run is not None, "run before prepare"
                answer = _timed(run)
        except Exception:
            answer = {"error": traceback.format_exc(limit=-6)}
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main()
