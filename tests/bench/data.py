"""The files that the workloads read: real photographs, and pictures drawn on the spot."""

import importlib.util
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import record_data
import sound_data

if TYPE_CHECKING:
    from PIL.Image import Image

# A whole number of batches, so that every epoch holds the same batches.
BATCH = 64
SMALL = 32 * BATCH
PACKAGED = (
    ("skimage", "data", ("astronaut.png", "chelsea.png", "coffee.png", "ihc.png", "retina.jpg",
                         "rocket.jpg", "hubble_deep_field.jpg", "motorcycle_left.png")),
    ("sklearn", "datasets/images", ("china.jpg", "flower.jpg")),
)  # fmt: skip


class Source:
    """Data sets by name, each found or made when it is first asked for.

    `photos`: some 256 photographs of many sizes, from the shared folder if there is one (beside
    the repository, or where DYNJAX_SHARED points), else 64 made of those packaged with
    scikit-image and scikit-learn. `mixed`: 63 pictures of 500x400 and one of 6000x4000.
    `small`: grey 28x28 pen strokes. More are in `record_data` and `sound_data`.
    """

    def __init__(self, repository: Path, folder: Path) -> None:
        shared = os.environ.get("DYNJAX_SHARED")
        self._shared = (Path(shared) if shared else repository.parent / "shared") / "data" / "bench"
        self._folder = folder
        self._known: dict[str, list[str]] = {}
        self.photos_are = ""

    def files(self, name: str) -> list[str]:
        if name not in self._known:
            if (records := record_data.MAKERS.get(name)) is not None:
                self._known[name] = records(self._folder, self.files("photos"))
                return self._known[name]
            make = {
                "photos": self._photos,
                "mixed": self._mixed,
                "small": self._small,
                "speech": self._speech,
                "flac": lambda: sound_data.flac(self._folder, self.files("speech")),
                "films": lambda: sound_data.films(self._folder),
            }
            self._known[name] = make[name]()
        return self._known[name]

    def _photos(self) -> list[str]:
        found = [str(path) for path in sorted(self._shared.glob("*.jpg"))]
        if whole := len(found) // BATCH * BATCH:
            self.photos_are = f"{whole} photographs of the shared folder"
            return found[:whole]
        self.photos_are = f"{BATCH} pictures made of packaged photographs"
        originals = list(_packaged())
        if not originals:
            raise SystemExit("no photographs: pip install scikit-image, or set DYNJAX_SHARED")
        # The same photograph twice gets two sizes: sizes that vary are the point of this set.
        scales = [1 - 0.01 * (i // len(originals)) for i in range(BATCH)]
        pictures = (
            photo.resize((round(photo.width * scale), round(photo.height * scale)))
            for i, scale in enumerate(scales)
            for photo in [originals[i % len(originals)]]
        )
        return self._write("photos", pictures)

    def _mixed(self) -> list[str]:
        sizes = [(500, 400)] * (BATCH - 1) + [(6000, 4000)]
        return self._write("mixed", (_landscape(i, size) for i, size in enumerate(sizes)))

    def _small(self) -> list[str]:
        return self._write("small", (_strokes(i) for i in range(SMALL)))

    def _speech(self) -> list[str]:
        recordings = sorted((self._shared.parent / "audio").glob("*.wav"))
        return sound_data.speech(self._folder, recordings)

    def _write(self, name: str, pictures: "Iterator[Image]") -> list[str]:
        folder = self._folder / name
        folder.mkdir()
        paths = []
        for i, picture in enumerate(pictures):
            paths.append(str(folder / f"{i:05}.jpg"))
            picture.save(paths[-1], quality=90)
        return paths


def _packaged() -> "Iterator[Image]":
    """The colour photographs inside scikit-image and scikit-learn, read as files.

    scikit-image's own loaders would try the network for a picture that its wheel left out.
    """
    from PIL import Image

    for package, folder, names in PACKAGED:
        spec = importlib.util.find_spec(package)
        for place in (spec and spec.submodule_search_locations) or ():
            for path in (Path(place) / folder / name for name in names):
                if path.exists():
                    yield Image.open(path).convert("RGB")


def _landscape(seed: int, size: tuple[int, int]) -> "Image":
    """Smooth colour at three scales: compresses about as well as a photograph of that size."""
    from PIL import Image

    rng = random.Random(seed)
    picture = Image.new("RGB", size)
    for cells, weight in ((6, 1.0), (40, 0.4), (200, 0.2)):
        grid = (cells, max(1, cells * size[1] // size[0]))
        coarse = Image.frombytes("RGB", grid, rng.randbytes(grid[0] * grid[1] * 3))
        picture = Image.blend(picture, coarse.resize(size, Image.Resampling.BICUBIC), weight)
    return picture


def _strokes(seed: int) -> "Image":
    """Two strokes of a pen, white on black in 28x28: what a scanned digit looks like to a codec."""
    from PIL import Image, ImageDraw

    rng = random.Random(seed)
    picture = Image.new("L", (28, 28))
    pen = ImageDraw.Draw(picture)
    corners = [(rng.randint(4, 12), rng.randint(4, 12)), (rng.randint(15, 24), rng.randint(15, 24))]
    pen.arc([*corners[0], *corners[1]], rng.randint(0, 90), rng.randint(180, 360), 255, width=3)
    pen.line(corners, fill=255, width=2)
    return picture
