"""Handwritten digits as picture files in class folders: the data of the demo.

scikit-learn ships 1797 digits of 8x8 pixels, written by people. They are enlarged and saved as
files, so that the demo starts where users start: from folders of JPEG and PNG files.
"""

import os
import shutil
from pathlib import Path

from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

SIDE = 32  # pixels
HELD_OUT = 360  # files, as many of each digit as in the whole set


def write_digits(folder: Path) -> None:
    """Writes `folder`/train/<digit>/*.jpg|png and `folder`/test/...; does nothing if they exist.

    Every other file is a JPEG, the rest are PNGs.
    """
    if folder.exists():
        print(f"digits: found in {folder}")
        return
    digits = load_digits()
    train, test = train_test_split(
        range(len(digits.target)), test_size=HELD_OUT, stratify=digits.target, random_state=0
    )
    # Under another name until it is complete: an interrupted run must leave nothing that looks so.
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}")
    for split, indices in (("train", train), ("test", test)):
        for i in indices:
            path = unfinished / split / str(digits.target[i]) / f"{i:04}"
            path.parent.mkdir(parents=True, exist_ok=True)
            # Ink is 0 ... 16 in the data; black ink on white paper in the files.
            picture = Image.fromarray((255 - digits.images[i] * 255 / 16).astype("uint8"))
            picture = picture.resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            if i % 2:
                picture.save(path.with_suffix(".jpg"), quality=90)
            else:
                picture.save(path.with_suffix(".png"))
    try:
        unfinished.rename(folder)
    except OSError:  # another run was faster
        shutil.rmtree(unfinished)
    print(f"digits: wrote {len(train)} files to train on and {len(test)} held out to {folder}")
