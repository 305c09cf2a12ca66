"""The annotations of a COCO data set."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import open_file


@final
@dataclass(frozen=True)
class Choice:
    """Which annotations count, and how categories are numbered.

    Attributes:
        size_threshold: objects narrower or lower than this, in pixels, are left out.
        skip_empty: images without objects are left out.
        crowds: objects that stand for many count.
        original_labels: labels are the category ids, not their rank in the file.
        images: names of the wanted images, in the wanted order; None: all, by id.
        masks: segmentations are kept.
        sizes: the images must tell their width and height; else these are 1.
    """

    size_threshold: float
    skip_empty: bool
    crowds: bool
    original_labels: bool
    images: Sequence[str] | None
    masks: bool
    sizes: bool


@final
@dataclass(frozen=True)
class Image:
    """One image and its objects.

    Attributes:
        boxes: float32 `[B, 4]`: x, y, width, height in pixels.
        labels: int32 `[B]`.
        masks: for each object its polygons, or its run-length form; empty if not kept.
    """

    name: str
    id: int
    width: int
    height: int
    boxes: np.ndarray
    labels: np.ndarray
    masks: Sequence[Any]


def read_annotations(operator: str, path: PathLike, choice: Choice) -> list[Image]:
    """The images of an annotation file.

    Raises:
        OperatorError: the file cannot be read or is malformed, or no image is left.
    """
    where = f"{operator}: annotations_file={os.fspath(path)!r}"
    try:
        with open_file(path) as file:
            document = json.load(file)
    except OSError as error:
        raise OperatorError(
            f"{where}: {error.strerror}; expected a COCO annotation file."
        ) from None
    except (ValueError, RecursionError) as error:
        raise OperatorError(f"{where}: {error}; expected a COCO annotation file.") from None
    try:
        images = _images(where, document, choice)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        shown = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise OperatorError(
            f"{where}: an entry {shown}; expected images with id, file_name, width, height and "
            "annotations with image_id, category_id, bbox. Correct the file."
        ) from None
    if not images:
        raise OperatorError(f"{where}: no image is left. Check images and skip_empty.")
    return images


def _images(where: str, document: Mapping[str, Any], choice: Choice) -> list[Image]:
    ranks = {c["id"]: k for k, c in enumerate(document.get("categories", ()), start=1)}
    objects: dict[int, list[Mapping[str, Any]]] = {}
    for entry in document.get("annotations", ()):
        width, height = entry["bbox"][2:4]
        too_small = np.float32(min(width, height)) < np.float32(choice.size_threshold)
        if too_small or (entry.get("iscrowd", 0) and not choice.crowds):
            continue
        objects.setdefault(entry["image_id"], []).append(entry)
    found = sorted(document.get("images", ()), key=lambda image: image["id"])
    if choice.images is not None:
        by_name = {image["file_name"]: image for image in found}
        if missing := [name for name in choice.images if name not in by_name]:
            raise OperatorError(
                f"{where} has no image {missing[0]!r} of images. Correct the names."
            )
        found = [by_name[name] for name in choice.images]
    return [
        _image(image, entries, ranks, choice)
        for image in found
        if (entries := objects.get(image["id"], [])) or not choice.skip_empty
    ]


def _image(
    image: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    ranks: Mapping[int, int],
    choice: Choice,
) -> Image:
    size = (1, 1)
    if choice.sizes:
        size = int(image["width"]), int(image["height"])
        if min(size) < 1 or size[0] * size[1] >= 2**31:
            raise ValueError(f"has width {size[0]}, height {size[1]}")
    labels = [
        e["category_id"] if choice.original_labels else ranks[e["category_id"]] for e in entries
    ]
    return Image(
        os.fspath(image["file_name"]),
        int(image["id"]),
        *size,
        np.array([e["bbox"][:4] for e in entries], np.float32).reshape(-1, 4),
        np.array(labels, np.int32),
        [e.get("segmentation", []) for e in entries] if choice.masks else [],
    )
