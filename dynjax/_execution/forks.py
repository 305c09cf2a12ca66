"""Forked children of a process that has computed something.

XLA's threads do not exist in them: a program that has to be compiled would wait for ever.
"""

import os

_used = False
_cut_off = False


def check_usable() -> None:
    """Raises RuntimeError in a process that cannot compile programs; notes that this one does."""
    global _used
    if _cut_off:
        raise RuntimeError(
            "dynjax: this process was forked from one that had computed something, and cannot "
            "compute itself. Start it with the method 'spawn' or 'forkserver', or fork it earlier."
        )
    _used = True


def _after_fork() -> None:
    global _cut_off
    _cut_off = _cut_off or _used


os.register_at_fork(after_in_child=_after_fork)
