"""The Python blocks of the documents run, in order, and print what the documents say.

A block of the kind "python needs=torch" is passed over where torch is not installed. A block of the
kind "text" is what the Python block before it prints; `...` stands for anything.
"""

import contextlib
import doctest
import importlib.util
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jax
import pytest
from support.shared import ROOT

import dynjax._types.device

DOCUMENTS = (
    "README.md",
    "docs/augmentation.md",
    "docs/capture.md",
    "docs/quickstart.md",
    "docs/data-sources.md",
    "docs/from-dali.md",
    "docs/transformations.md",
)
FENCE = re.compile(r"^```(python|text)\b[ ]*(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAME = doctest.OutputChecker().check_output
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Block:
    language: str
    needs: str
    code: str
    line: int


def blocks(document: str) -> list[Block]:
    text = (ROOT / document).read_text()
    found = [
        Block(m[1], m[2].removeprefix("needs="), m[3], text.count("\n", 0, m.start(3)))
        for m in FENCE.finditer(text)
    ]
    assert len(found) * 2 == len(re.findall("^```", text, re.MULTILINE)), "a fence of another kind"
    return found


@pytest.fixture
def names(photos, tmp_path, monkeypatch) -> Iterator[dict]:
    """A folder `pictures` of real photographs, a "gpu", and what a user's program has besides."""
    for i, photo in enumerate(photos):
        path = tmp_path / "pictures" / ("city", "garden", "home")[i % 3] / f"{i:02}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(photo)
    monkeypatch.chdir(tmp_path)
    # The second virtual CPU device stands in for the GPU that the programs ask for.
    monkeypatch.setitem(dynjax._types.device._OVERRIDES, "gpu", [jax.devices("cpu")[1]])
    steps = []

    def train_step(images, labels) -> None:
        assert tuple(images.shape) == (64, 3, 224, 224)
        assert tuple(labels.shape) == (64, 1)
        steps.append(float(images.mean()))

    names = {"train_step": train_step, "num_epochs": 1, "steps": steps}
    yield names
    names.clear()  # JAX keeps jitted functions, and so their names, until the process ends


@pytest.mark.parametrize("document", DOCUMENTS)
def test_blocks_run(document, names):
    printed = io.StringIO()
    threads = dynjax.get_num_threads()
    try:
        for block in blocks(document):
            if block.needs and importlib.util.find_spec(block.needs) is None:
                printed = None
            elif block.language == "python":
                # Blank lines before it make tracebacks show the document's own line.
                code = compile("\n" * block.line + block.code, str(ROOT / document), "exec")
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(code, names)
            elif printed is not None:
                got = printed.getvalue()
                assert SAME(block.code, got, FLAGS), f"{document}:{block.line}: printed\n{got}"
    finally:
        dynjax.set_num_threads(threads)
    assert document != "README.md" or names["steps"]


@pytest.mark.parametrize("document", [*DOCUMENTS, "CHANGELOG.md", "docs/reference/README.md"])
def test_links_lead_somewhere(document):
    here = ROOT / document
    for target in re.findall(r"\]\(([^)#]+)\)", here.read_text()):
        if not target.startswith("http"):
            assert Path(here.parent, target).exists(), f"{document}: no {target}"
