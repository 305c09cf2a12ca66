"""Masks of the COCO format as pixels."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

# The resolution at which outlines are followed, in steps a pixel.
_SCALE = 5


class MaskError(ValueError):
    """A segmentation is malformed."""


def run_lengths(segmentation: Mapping[str, Any], height: int, width: int) -> np.ndarray:
    """The int64 run lengths of a mask, column by column, starting with background.

    Args:
        segmentation: `size` `[height, width]` and `counts`, a list or its compressed text.
        height, width: the image's.

    Raises:
        MaskError: it does not cover the image exactly.

    Source: COCO API, `maskApi.h`.
    """
    counts, size = segmentation.get("counts"), segmentation.get("size")
    if size != [height, width]:
        raise MaskError(f"its mask has size {size}, the image [{height}, {width}]")
    if isinstance(counts, str):
        runs = _decompressed(counts)
    elif isinstance(counts, list) and all(isinstance(n, int) for n in counts):
        runs = np.array(counts, np.int64)
    else:
        raise MaskError("its mask has no counts")
    if (runs < 0).any() or runs.sum() > height * width:
        raise MaskError(f"its mask has {runs.sum()} pixels, the image {height * width}")
    return runs


def _decompressed(text: str) -> np.ndarray:
    """Numbers in digits of 5 bits; from the third on, each is a difference to the last but one."""
    runs: list[int] = []
    value = shift = 0
    for letter in text:
        code = ord(letter) - 48
        if not 0 <= code < 64 or shift > 55:
            raise MaskError(f"its mask has the letter {letter!r}")
        value |= (code & 31) << shift
        shift += 5
        if code & 32:
            continue
        if code & 16:
            value -= 1 << shift
        runs.append(value + (runs[-2] if len(runs) > 2 else 0))
        value = shift = 0
    if shift:
        raise MaskError("its mask is cut off")
    return np.array(runs, np.int64)


def mask_of_runs(runs: np.ndarray, height: int, width: int) -> np.ndarray:
    """Bool `[height, width]`."""
    values = np.repeat(np.arange(len(runs)) % 2 == 1, runs)
    flat = np.zeros(height * width, bool)
    flat[: len(values)] = values
    return flat.reshape(width, height).T


def mask_of_polygon(points: np.ndarray, height: int, width: int) -> np.ndarray:
    """The pixels inside a polygon `[n, 2]` of (x, y), bool `[height, width]`.

    The outline is followed on a grid five times as fine. Where it crosses from one column of pixels
    to the next, everything below it in that column changes sides.

    Source: COCO API, `rleFrPoly` in `maskApi.c`.
    """
    if not np.isfinite(points).all() or np.abs(points).max(initial=0) > 2.0**24:
        raise MaskError("its polygon has coordinates beyond 2^24")
    corners = np.trunc(_SCALE * points.astype(np.float64) + 0.5).astype(np.int64)
    outline = _outline(np.concatenate([corners, corners[:1]]))
    u, v = outline[:, 0], outline[:, 1]
    steps = np.flatnonzero(u[1:] != u[:-1]) + 1
    left = np.where(u[steps] < u[steps - 1], u[steps], u[steps] - 1)
    column = (left + 0.5) / _SCALE - 0.5
    row = (np.minimum(v[steps], v[steps - 1]) + 0.5) / _SCALE - 0.5
    inside = (np.floor(column) == column) & (column >= 0) & (column <= width - 1)
    column = column[inside].astype(np.int64)
    row = np.ceil(np.clip(row[inside], 0, height)).astype(np.int64)
    crossings = np.bincount(column * height + row, minlength=height * width + 1)[: height * width]
    return (np.cumsum(crossings) % 2 == 1).reshape(width, height).T


def _outline(corners: np.ndarray) -> np.ndarray:
    """The grid points along a closed line, both ends of each piece included."""
    parts: list[np.ndarray] = []
    for start, end in itertools.pairwise(corners):
        extent = np.abs(end - start)
        major = 0 if extent[0] >= extent[1] else 1
        flip = start[major] > end[major]
        low, high = (end, start) if flip else (start, end)
        along = np.arange(extent[major] + 1)
        if flip:
            along = along[::-1]
        slope = (high[1 - major] - low[1 - major]) / extent[major] if extent[major] else 0.0
        piece = np.empty((len(along), 2), np.int64)
        piece[:, major] = low[major] + along
        piece[:, 1 - major] = np.trunc(low[1 - major] + slope * along + 0.5)
        parts.append(piece)
    return np.concatenate(parts)


def label_image(masks: Sequence[tuple[int, np.ndarray]], height: int, width: int) -> np.ndarray:
    """int32 `[height, width, 1]` with the label of each pixel; where masks overlap, see below.

    Args:
        masks: label and pixels of each object. The largest label wins.
    """
    image = np.zeros((height, width), np.int32)
    for label, mask in sorted(masks, key=lambda item: item[0]):
        image[mask] = label
    return image[:, :, None]
