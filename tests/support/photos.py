"""Real photographs from scikit-learn's and scikit-image's own packages, as JPEG files."""

import io
from functools import cache

import numpy as np
import skimage.data
import sklearn.datasets
from PIL import Image

SIZES = (640, 333, 64)  # the longer side; 333 leaves partial blocks at both codings
COLOUR = ("astronaut", "coffee", "chelsea", "rocket")


def originals() -> list[np.ndarray]:
    """The pictures as their packages decode them, HWC or HW, uint8."""
    pictures = [getattr(skimage.data, name)() for name in COLOUR]
    pictures += sklearn.datasets.load_sample_images().images
    pictures.append(skimage.data.camera())
    return pictures


@cache
def packaged_photos() -> list[bytes]:
    """Each picture in each of `SIZES`, every other one without chroma subsampling."""
    files = []
    for picture in originals():
        for size in SIZES:
            image = Image.fromarray(picture)
            image.thumbnail((size, size))
            file = io.BytesIO()
            image.save(file, "JPEG", quality=90, subsampling="4:4:4" if len(files) % 2 else "4:2:0")
            files.append(file.getvalue())
    return files
