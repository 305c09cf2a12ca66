"""Waits until a process has finished what it computes in the background.

A captured loop computes steps ahead, also beyond its end, in either library. The side whose turn is
over would go on with that while the other one is measured, and would not be charged for it.
"""

import time

_PAUSE, _QUIET, _LONGEST = 0.01, 3, 10.0  # seconds, pauses, seconds


def wait_until_idle() -> float:
    """Returns when the process has done nothing for some pauses; the time since when."""
    begin = since = time.perf_counter()
    used, quiet = time.process_time(), 0
    while quiet < _QUIET and since - begin < _LONGEST:
        time.sleep(_PAUSE)
        now = time.process_time()
        if now - used < 0.1 * _PAUSE:
            quiet += 1
        else:
            since, quiet = time.perf_counter(), 0
        used = now
    return since
