"""The stub files and the reference are current, and `help` shows signatures.

That type checkers understand the stubs is checked by pyright itself: see typing/program.py.
"""

import pydoc
import subprocess
import sys

from support.shared import ROOT

import dynjax as ndd


def test_generated_files_are_current():
    command = [sys.executable, str(ROOT / "docs/generate"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_help_shows_the_signature():
    shown = pydoc.render_doc(ndd.resize, renderer=pydoc.plaintext)
    shown = " ".join(shown.split()).replace("( ", "(")  # Python 3.13 breaks long signatures
    assert "resize(image, /, *, batch_size=None, device=None, antialias=True" in shown
    assert "Args:" in shown
