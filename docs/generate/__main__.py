"""Writes what is made from the operators: the stub files and the reference.

    python docs/generate            writes them
    python docs/generate --check    fails, and says which, if one is not as it would be written

It stands here, not in the package, because users need the results only; `make generated` calls it,
and tests/test_generated.py checks with it.
"""

import subprocess
import sys
from pathlib import Path

from reference import pages
from stubs import expressions_stub, stub
from surface import modules

ROOT = Path(__file__).parent.parent.parent


def formatted(text: str, path: Path) -> str:
    """As ruff leaves it: examples in pages, imports of stubs sorted and none too many."""
    commands = [["check", "--fix-only"]] * (path.suffix == ".pyi") + [["format"]]
    for command in commands:
        ruff = [
            sys.executable,
            "-m",
            "ruff",
            *command,
            "--quiet",
            "--stdin-filename",
            str(path),
            "-",
        ]
        text = subprocess.run(
            ruff, input=text, capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
    return text


def generated() -> dict[Path, str]:
    """The text of every generated file."""
    files = {ROOT / "docs/reference" / name: text for name, text in pages().items()}
    files |= {m.path.with_suffix(".pyi"): stub(m) for m in modules()}
    files[ROOT / "dynjax/_types/expressions.pyi"] = expressions_stub()
    return {path: formatted(text, path) for path, text in files.items() if text}


def leftovers(files: dict[Path, str]) -> list[Path]:
    """Files of the same kinds that nothing generates any more."""
    written = [*(ROOT / "docs/reference").glob("*.md"), *(ROOT / "dynjax").rglob("*.pyi")]
    own = [p for p in written if p.suffix == ".md" or "make generated" in p.read_text()]
    return [p for p in own if p not in files]


def main() -> None:
    files = generated()
    stale = [p for p, text in files.items() if not p.exists() or p.read_text() != text]
    gone = leftovers(files)
    if sys.argv[1:] == ["--check"]:
        names = [str(p.relative_to(ROOT)) for p in [*stale, *gone]]
        sys.exit(f"not current; run `make generated`: {', '.join(names)}" if names else 0)
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path])
    for path in gone:
        path.unlink()
    print(f"generated: {len(files)} files, {len(stale)} written, {len(gone)} removed")


if __name__ == "__main__":
    main()
