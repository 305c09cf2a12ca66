"""Images of a COCO data set with their objects, as samples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from .arguments import PathLike
from .coco_annotations import Image
from .coco_rle import MaskError, label_image, mask_of_polygon, mask_of_runs, run_lengths
from .file_index import index_files
from .indexed_files import IndexedFiles
from .parts import PartsRequest
from .source import Output, Ragged, ReadError, Uniform, gathered


@final
@dataclass(frozen=True)
class Outputs:
    """The outputs beyond image, boxes and labels, and the form of the boxes."""

    ltrb: bool
    ratio: bool
    polygons: bool
    coordinates: bool
    pixels: bool
    ids: bool

    def as_loaded(self) -> "Outputs":
        """What is still to be done with annotations that were saved in this form."""
        return replace(self, ltrb=False, ratio=False)


@final
class COCOSource(IndexedFiles):
    """Image files with their annotations."""

    def __init__(self, operator: str, root: PathLike, images: Sequence[Image], outputs: Outputs):
        super().__init__(
            index_files(operator, [i.name for i in images], [i.id for i in images], root)
        )
        self._images = images
        self._wanted = outputs

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            images = [self._images[i] for i in indices.tolist()]
            outputs: list[Output] = [
                Ragged(data, lengths[:, None]),
                gathered([boxes_of(image, self._wanted) for image in images]),
                gathered([image.labels for image in images]),
            ]
            if self._wanted.polygons:
                columns = zip(
                    *(self._checked(polygons_of, i) for i in indices.tolist()), strict=True
                )
                outputs += [gathered(column) for column in columns]
            if self._wanted.pixels:
                masks = [self._checked(_pixels, i) for i in indices.tolist()]
                outputs.append(gathered(masks, "HWC"))
            if self._wanted.ids:
                outputs.append(Uniform(self._index.labels[indices][:, None]))
            return tuple(outputs)

        return PartsRequest(self._parts(indices), decode)

    def _checked(self, make: Callable[[Image, Outputs], Any], index: int) -> Any:
        try:
            return make(self._images[index], self._wanted)
        except MaskError as error:
            raise ReadError(index, f"{error}. Correct the annotations.") from None


def boxes_of(image: Image, wanted: Outputs) -> np.ndarray:
    """The boxes of an image in the wanted form."""
    boxes = image.boxes
    if wanted.ltrb:
        boxes = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
    if wanted.ratio:
        boxes = boxes / np.array([image.width, image.height] * 2, np.float32)
    return boxes


def polygons_of(image: Image, wanted: Outputs) -> tuple[np.ndarray, np.ndarray]:
    """Table and vertices of all polygons of an image."""
    table: list[tuple[int, int, int]] = []
    vertices: list[np.ndarray] = [np.zeros((0, 2), np.float32)]
    end = 0
    for box, polygons in enumerate(image.masks):
        for points in [] if isinstance(polygons, dict) else map(_points, polygons):
            table.append((box, end, end + len(points)))
            vertices.append(points.astype(np.float32))
            end += len(points)
    rows = np.array(table, np.int32).reshape(-1, 3)
    if wanted.coordinates:
        rows[:, 1:] *= 2
    points = np.concatenate(vertices)
    if wanted.ratio:
        points = points / np.array([image.width, image.height], np.float32)
    return rows, points


def _pixels(image: Image, wanted: Outputs) -> np.ndarray:
    del wanted
    height, width = image.height, image.width
    masks: list[tuple[int, np.ndarray]] = []
    for label, segmentation in zip(image.labels.tolist(), image.masks, strict=True):
        if isinstance(segmentation, dict):
            runs = run_lengths(segmentation, height, width)
            masks.append((label, mask_of_runs(runs, height, width)))
            continue
        for points in map(_points, segmentation):
            masks.append((label, mask_of_polygon(points, height, width)))
    return label_image(masks, height, width)


def _points(polygon: Any) -> np.ndarray:
    """A flat list x, y, x, y, ... as float64 `[n, 2]`."""
    try:
        flat = np.array(polygon, np.float64)
    except (TypeError, ValueError):
        flat = np.zeros((1, 1))
    if flat.ndim != 1 or len(flat) % 2:
        raise MaskError(f"its polygon {polygon!r:.60} is no list of x, y, x, y, ...")
    return flat.reshape(-1, 2)
