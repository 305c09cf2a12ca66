"""What each of many operators takes, in one process: one process each would take longer."""

import resource
import time

_CALLS = 2


def ms_of_each(operators):
    """A run of all of them; its figures are milliseconds a call: `<operator>.cpu` and `.wall`.

    Args:
        operators: functions of no arguments, which return a Tensor or Batch, by name.
    """

    def run():
        figures = {}
        for name, call in operators.items():
            before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
            for _ in range(_CALLS):
                call().evaluate()
            end, after = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
            cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            figures[f"{name}.cpu"] = 1e3 * cpu / _CALLS
            figures[f"{name}.wall"] = 1e3 * (end - start) / _CALLS
        return figures

    return run
