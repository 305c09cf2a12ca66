"""Runs a workload on both sides, alternating: A B A B ..., each side warm in its own process."""

from contextlib import ExitStack
from dataclasses import dataclass

from data import Source
from row import Round, Workload
from sides import Side, Worker, WorkerError


@dataclass(frozen=True)
class Failed:
    """A side that did not get through a workload."""

    workload: str
    side: str
    error: str


def measure(
    workload: Workload, sides: list[Side], source: Source, *, quick: bool
) -> tuple[dict[str, list[Round]], list[Failed]]:
    """Measures one workload.

    Every workload gets fresh processes, so that none inherits another's memory, compiled programs
    or free lists. A side that fails drops out; the other goes on.

    Args:
        workload: what to run.
        sides: ours first; the others are left out if the workload does not compare.
        source: the files the workload asks for.
        quick: two warm-ups and two rounds at most. From its second epoch on a captured loop works
            for the next one, so that the second costs more than those after it.

    Returns:
        The measured rounds by side, and the failures.
    """
    taking_part = sides if workload.compared else sides[:1]
    warmups = min(workload.warmups, 2) if quick else workload.warmups
    rounds = min(workload.rounds, 2) if quick else workload.rounds
    files = {name: source.files(name) for name in workload.needs}
    measured: dict[str, list[Round]] = {side.name: [] for side in taking_part}
    failures: list[Failed] = []
    with ExitStack() as stack:
        workers = {side.name: stack.enter_context(Worker(side)) for side in taking_part}

        def step(name: str, index: int) -> None:
            worker = workers[name]
            try:
                if index == 0:
                    worker.hello()
                    worker.prepare(workload.file, dict(workload.options), files)
                elif index <= warmups:
                    worker.run()
                else:
                    measured[name].append(worker.run())
            except WorkerError as error:
                failures.append(Failed(workload.label, name, str(error)))
                del workers[name], measured[name]

        for index in range(1 + warmups + rounds):
            for name in list(workers):
                step(name, index)
    return measured, failures
