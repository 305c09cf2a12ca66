"""Where the data and the conformance suite beside the project are."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def shared_folder(name: str) -> Path | None:
    """A folder of `DYNJAX_SHARED`, by default `../shared`; None where there is none."""
    folder = Path(os.environ.get("DYNJAX_SHARED", ROOT.parent / "shared"), name)
    return folder if folder.is_dir() else None
