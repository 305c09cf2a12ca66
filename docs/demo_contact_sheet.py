"""A picture of what the operators did, for a person to look at.

Real photographs from scikit-learn and scikit-image, and some digits: as decoded, resized, and
cropped, mirrored and normalised. The last step is undone for display.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import skimage
import sklearn.datasets
from PIL import Image, ImageDraw, ImageFont

import dynjax as ndd

SKLEARN = Path(sklearn.datasets.__file__).parent / "images"
SKIMAGE = Path(skimage.__file__).parent / "data"
PHOTOS = [  # JPEG and PNG files of different sizes
    *(SKLEARN / name for name in ("china.jpg", "flower.jpg")),
    *(SKIMAGE / name for name in ("rocket.jpg", "astronaut.png", "coffee.png", "chelsea.png")),
]
MEAN = np.array([0.485, 0.456, 0.406]) * 255  # of ImageNet, in counts
STD = np.array([0.229, 0.224, 0.225]) * 255
WIDTH = 1320  # of the sheet; everything here is in pixels
GAP = 10


@dataclass
class Row:
    """Pictures side by side, under a heading, each with a caption."""

    heading: str
    pictures: Sequence[np.ndarray]
    captions: Sequence[str]


def draw_contact_sheet(path: Path, digits: Sequence[Path], seed: int) -> None:
    """Writes the sheet of the photographs and of the digits in these files."""
    rng = np.random.default_rng(seed)
    rows = [
        *rows_of("photographs", PHOTOS, rng, side=224, window=[192, 192], mirror=True),
        # A mirrored digit is none.
        *rows_of("digits", digits, rng, side=36, window=[32, 32], mirror=False),
    ]
    sheet(rows).save(path)


def rows_of(
    what: str,
    files: Sequence[Path],
    rng: np.random.Generator,
    *,
    side: int,
    window: list[int],
    mirror: bool,
) -> list[Row]:
    """Three rows: decoded, resized, and with random windows and flips."""
    count = len(files)
    ((encoded, _),) = ndd.readers.File(files=files).next_epoch(batch_size=count)
    decoded = ndd.decoders.image(encoded)
    resized = ndd.resize(decoded, resize_shorter=side)
    x, y = rng.random((2, count), np.float32)
    flip = rng.permutation(np.arange(count) % 2) if mirror else np.zeros(count, int)
    normalized = ndd.crop_mirror_normalize(
        resized,
        crop=window,
        crop_pos_x=ndd.batch(x),
        crop_pos_y=ndd.batch(y),
        mirror=ndd.batch(flip.astype(np.int32)),
        mean=MEAN.tolist(),
        std=STD.tolist(),
    )
    values = normalized.jax()
    undone = np.asarray(values).transpose(0, 2, 3, 1) * STD + MEAN
    places = [f"x={a:.2f} y={b:.2f}{', flipped' * int(f)}" for a, b, f in zip(x, y, flip)]
    return [
        Row(f"{what}: decoders.image", arrays(decoded), [f"{p.name} {s[1]}x{s[0]}" for p, s in zip(files, decoded.shape)]),
        Row(f"resize(resize_shorter={side})", arrays(resized), [f"{w}x{h}" for h, w, _ in resized.shape]),
        Row(
            f"crop_mirror_normalize(crop={window}, random crop_pos_x and crop_pos_y"
            f"{', random mirror' * mirror}): values {float(values.min()):.2f} to "
            f"{float(values.max()):.2f}, undone for display",
            list(undone.round().clip(0, 255).astype(np.uint8)),
            places,
        ),
    ]


def arrays(batch: ndd.Batch) -> list[np.ndarray]:
    return [np.asarray(sample) for sample in batch]


def sheet(rows: Sequence[Row]) -> Image.Image:
    """Draws the rows one under another."""
    drawn = [draw_row(row) for row in rows]
    whole = Image.new("RGB", (WIDTH, sum(d.height for d in drawn) + GAP), "white")
    top = 0
    for picture in drawn:
        whole.paste(picture, (0, top))
        top += picture.height
    return whole


def draw_row(row: Row) -> Image.Image:
    """A heading, pictures scaled to equal columns, and their captions."""
    column = (WIDTH - GAP) // len(row.pictures)
    cells = [fitted(p, column - GAP) for p in row.pictures]
    large, small = (ImageFont.load_default(size) for size in (18, 13 if column > 120 else 11))
    height = max(c.height for c in cells)
    strip = Image.new("RGB", (WIDTH, height + 62), "white")
    draw: Any = ImageDraw.Draw(strip)
    draw.text((GAP, 12), row.heading, "black", large)
    for i, (cell, caption) in enumerate(zip(cells, row.captions, strict=True)):
        left = GAP + i * column
        strip.paste(cell, (left, 40))
        draw.text((left, 42 + height), caption, "black", small)
    return strip


def fitted(picture: np.ndarray, side: int) -> Image.Image:
    """The picture with its longer side as given; small ones keep hard pixel edges."""
    image = Image.fromarray(picture)
    scale = side / max(image.size)
    filter_ = Image.Resampling.NEAREST if scale > 1 else Image.Resampling.BOX
    return image.resize([round(n * scale) for n in image.size], filter_)
