"""Checks an installed wheel, in an environment that holds it and its dependencies only."""

import importlib.metadata
import io
import sys
from pathlib import Path

import numpy as np
from PIL import Image

import dynjax


def check_contents() -> None:
    files = [str(f) for f in importlib.metadata.files("dynjax") or ()]
    strays = [f for f in files if not f.startswith(("dynjax/", "dynjax.libs/", "dynjax-"))]
    assert not strays, f"files outside the package: {strays}"
    assert "dynjax/py.typed" in files, "py.typed is missing"
    modules = [f for f in files if f.endswith(".so") and f.startswith("dynjax/")]
    assert len(modules) == 1, f"expected one extension module, got {modules}"


def check_decode() -> None:
    y, x = np.mgrid[:120, :160]
    picture = np.stack([x, y, x ^ y], -1).astype(np.uint8)
    for kind in ("JPEG", "PNG", "WEBP", "TIFF"):
        file = io.BytesIO()
        Image.fromarray(picture).save(file, kind)
        encoded = np.frombuffer(file.getvalue(), np.uint8)
        ours = np.asarray(dynjax.decoders.image(encoded, device="cpu"))
        np.testing.assert_array_equal(ours, np.asarray(Image.open(file)), err_msg=kind)


def check_codecs_are_bundled() -> None:
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
    names = ("libjpeg", "libpng", "libwebp")
    codecs = [f for f in mapped if Path(f).name.startswith(names)]
    ours = [f for f in codecs if "dynjax.libs" in f]
    strangers = [f for f in codecs if "site-packages" not in f]
    missing = [n for n in names if not any(Path(f).name.startswith(n) for f in ours)]
    assert not missing, f"expected {missing} of the wheel, got {codecs}"
    assert not strangers, f"the system's codecs are in use: {strangers}"
    # The GPL is not the licence of the wheel.
    gpl = [f for f in importlib.metadata.files("dynjax") or () if "jbig" in f.name]
    assert not gpl, f"under the GPL: {gpl}"


if __name__ == "__main__":
    check_contents()
    check_decode()
    check_codecs_are_bundled()
    python, jax = sys.version.split()[0], importlib.metadata.version("jax")
    print(f"wheel: contents, decoding and bundled codecs are right (Python {python}, jax {jax})")
