"""Resident memory of this process, in MiB, as Linux counts it.

Not `ru_maxrss`: that one survives `exec`, so a child starts with the peak of its parent.
"""

from pathlib import Path


def _status(field):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise OSError(f"/proc/self/status has no {field}")


def now():
    return _status("VmRSS")


def peak():
    return _status("VmHWM")


def forget_peak():
    """Starts the peak anew from what is resident now."""
    Path("/proc/self/clear_refs").write_text("5")
