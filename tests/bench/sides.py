"""The two sides of the comparison: who they are, and a worker process of each."""

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DYNJAX = "dynjax"
ORIGINAL = "nvidia.dali.experimental.dynamic"
WORKER = Path(__file__).with_name("worker.py")
# The slowest command, ten epochs over the photos, takes under 20 s on two free cores.
TIMEOUT_S = 300.0


class WorkerError(Exception):
    """The worker reported an exception, died, or did not answer in time."""


@dataclass(frozen=True)
class Side:
    """A module under test and the interpreter that can import it."""

    name: str
    python: str
    module: str


class Worker:
    """A process that holds one side's module and runs workloads on command (`worker.py`)."""

    def __init__(self, side: Side) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        # The figures are the host's: without this JAX would place results on a GPU if there is one.
        environment = {"JAX_PLATFORMS": "cpu"} | os.environ
        self._process = subprocess.Popen(
            [side.python, str(WORKER), side.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=environment,
        )
        self._pending = b""

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            if stream is not None:
                stream.close()

    def hello(self) -> dict[str, str]:
        """Waits until the module is imported; returns the versions of what the worker runs on."""
        return self._answer()

    def prepare(self, file: str, options: Mapping[str, object], files: Mapping) -> None:
        self._send({"do": "prepare", "file": file, "options": options, "files": files})
        self._answer()

    def run(self) -> dict[str, float]:
        self._send({"do": "run"})
        return self._answer()

    def _send(self, command: dict) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerError(self._last_words()) from None

    def _answer(self) -> dict:
        assert self._process.stdout is not None
        stdout = self._process.stdout.fileno()
        while b"\n" not in self._pending:
            if not select.select([stdout], [], [], TIMEOUT_S)[0]:
                raise WorkerError(f"no answer within {TIMEOUT_S:g} s")
            piece = os.read(stdout, 1 << 16)
            if not piece:
                raise WorkerError(self._last_words())
            self._pending += piece
        line, self._pending = self._pending.split(b"\n", 1)
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer

    def _last_words(self) -> str:
        status = self._process.wait()
        self._stderr.seek(0)
        tail = self._stderr.read().decode(errors="replace").splitlines()[-15:]
        return "\n".join([f"the worker ended with status {status}", *tail])


def find_sides(module: str) -> tuple[list[Side], dict[str, str]]:
    """Ours and, where DALI_PYTHON names an interpreter that imports it, the original.

    Args:
        module: what is measured as ours, imported by the interpreter that runs this.

    Returns:
        The sides, and the versions of what they run on, by package.
    """
    sides = [Side("ours", sys.executable, module)]
    if python := os.environ.get("DALI_PYTHON"):
        sides.append(Side("DALI", python, ORIGINAL))
    versions: dict[str, str] = {}
    for side in list(sides):
        try:
            with Worker(side) as worker:
                versions = worker.hello() | versions
        except (WorkerError, OSError) as error:
            print(f"{side.name} ({side.module}) does not start:\n{error}", file=sys.stderr)
            if side.name == "ours":
                raise SystemExit(1) from None
            sides.remove(side)
    return sides, versions
