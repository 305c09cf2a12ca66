"""Every notebook runs from top to bottom."""

import pytest
from support.shared import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


# The notebook's own process turns no warning into an error; those of Jupyter are not ours.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    # In an empty folder: a notebook brings or makes all that it reads, and leaves nothing behind.
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
