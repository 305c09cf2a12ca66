"""Python programs in processes of their own, with a time limit."""

import os
import subprocess
import sys
import textwrap


def python(program: str, *arguments: str, timeout: float = 120, **environment: str):
    """Runs a program; fails if it does not end in time. Warnings are errors in it.

    Returns:
        The finished process, with `stdout` and `stderr` as text.
    """
    # So that the program finds the package where the tests found it: installed, or beside them.
    path = os.pathsep.join(p for p in sys.path if p)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program), *arguments],
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def output(program: str, *arguments: str, **options) -> str:
    """What a program prints; it must end with code 0 and say nothing on stderr."""
    done = python(program, *arguments, **options)
    assert done.returncode == 0, f"code {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert done.stderr == "", done.stderr
    return done.stdout
