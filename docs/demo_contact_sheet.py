"""A picture of what the operators did, for a person to look at.

Real photographs from scikit-learn and scikit-image, and some digits: as decoded, resized, and
cropped, mirrored and normalised. The last step is undone for display.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
    places = [
        f"x={a:.2f} y={b:.2f}{', flipped' * int(f)}" for a, b, f in zip(x, y, flip, strict=True)
    ]
    sizes = zip(files, decoded.shape, strict=True)
    return [
        Row(
            f"{what}: decoders.image",
            arrays(decoded),
            [f"{path.name} {w}x{h}" for path, (h, w, _) in sizes],
        ),
        Row(
            f"resize(resize_shorter={side})",
            arrays(resized),
            [f"{w}x{h}" for h, w, _ in resized.shape],
        ),
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
    width = column - GAP
    wide = any(p.shape[1] > p.shape[0] for p in row.pictures)
    cells = [fitted(p, width, width * 2 // 3 if wide else width) for p in row.pictures]
    height = max(c.height for c in cells)
    strip = Image.new("RGB", (WIDTH, height + 62), "white")
    draw = ImageDraw.Draw(strip)
    draw.text((GAP, 12), row.heading, "black", ImageFont.load_default(18))
    for i, (cell, caption) in enumerate(zip(cells, row.captions, strict=True)):
        left = GAP + i * column
        strip.paste(cell, (left, 40))
        draw.rectangle((left - 1, 39, left + cell.width, 40 + cell.height), outline="silver")
        draw.text((left, 43 + height), caption, "black", ImageFont.load_default(13))
    return strip


def fitted(picture: np.ndarray, width: int, height: int) -> Image.Image:
    """The picture as large as fits; enlarged ones keep hard pixel edges."""
    image = Image.fromarray(picture)
    scale = min(width / image.width, height / image.height)
    filter_ = Image.Resampling.NEAREST if scale > 1 else Image.Resampling.BOX
    return image.resize((round(image.width * scale), round(image.height * scale)), filter_)
