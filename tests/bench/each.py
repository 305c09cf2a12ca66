"""The CPU time of each of many operators in one process: one process each would take longer."""

import resource

_CALLS = 2


def cpu_ms_of_each(operators):
    """A run of all of them; its figures are milliseconds a call, by operator.

    Args:
        operators: functions of no arguments, which return a Tensor or Batch, by name.
    """

    def run():
        figures = {}
        for name, call in operators.items():
            before = resource.getrusage(resource.RUSAGE_SELF)
            for _ in range(_CALLS):
                call().evaluate()
            after = resource.getrusage(resource.RUSAGE_SELF)
            seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            figures[name] = 1e3 * seconds / _CALLS
        return figures

    return run
