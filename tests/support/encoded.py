"""Encoded pictures made by Pillow."""

import io

import numpy as np
from PIL import Image


def encoded(picture, kind: str = "PNG", **options) -> np.ndarray:
    """The bytes of a file, as a decoder takes them. `picture`: an array or a Pillow image."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    file = io.BytesIO()
    image.save(file, kind, **options)
    return np.frombuffer(file.getvalue(), np.uint8)


def cut(data: np.ndarray, part: float = 0.5) -> np.ndarray:
    """The first part of a file."""
    return data[: int(len(data) * part)]


def text() -> np.ndarray:
    """A file that is no picture."""
    return np.frombuffer(b"not an image", np.uint8)
