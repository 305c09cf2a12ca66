"""Parsed annotations of COCO data sets in binary files, as the original writes and reads them.

Each file is a 32-bit number of elements and the elements, native and little-endian. Boxes and
vertices are in the form that was asked for when they were saved.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .coco_annotations import Image
from .coco_rle import run_lengths
from .paths import open_file

# Of each file the type, and the elements in what it counts.
_TYPES: Mapping[str, tuple[str, int]] = {
    **dict.fromkeys(("original_ids", "offsets", "counts", "labels"), ("<i4", 1)),
    **dict.fromkeys(("heights", "widths", "masks_rles_idx"), ("<i4", 1)),
    "boxes": ("<f4", 1),
    "polygon_data": ("<i4", 3),
    "vertices": ("<f4", 2),
    **dict.fromkeys(("polygon_offset", "polygons_count", "vertices_offset"), ("<i8", 1)),
    **dict.fromkeys(("vertices_count", "mask_count", "masks_offset"), ("<i8", 1)),
}


def save(
    operator: str,
    folder: PathLike,
    images: Sequence[Image],
    boxes: Callable[[Image], np.ndarray],
    polygons: Callable[[Image], tuple[np.ndarray, np.ndarray]] | None,
    *,
    runs: bool,
) -> None:
    """Writes the files of a data set.

    Args:
        operator: who asks, for messages.
        folder: where to; made if need be.
        images: the images with their objects.
        boxes: makes float32 `[B, 4]` of an image, in the form to be saved.
        polygons: makes table and vertices of an image; None: masks are not saved.
        runs: save sizes and run-length masks too.

    Raises:
        OperatorError: a file cannot be written.
    """
    tables: dict[str, list[Any]] = {
        "original_ids": [i.id for i in images],
        "counts": [len(i.boxes) for i in images],
        "boxes": [boxes(i).reshape(-1) for i in images],
        "labels": [i.labels for i in images],
    }
    tables["offsets"] = _starts(tables["counts"])
    contents: dict[str, bytes] = {
        "filenames": "".join(f"{i.name}\n" for i in images).encode(),
    }
    if polygons is not None:
        found = [polygons(i) for i in images]
        tables["polygon_data"] = [table.reshape(-1) for table, _ in found]
        tables["vertices"] = [vertices.reshape(-1) for _, vertices in found]
        tables["polygons_count"] = [len(table) for table, _ in found]
        tables["vertices_count"] = [len(vertices) for _, vertices in found]
        tables["polygon_offset"] = _starts(tables["polygons_count"])
        tables["vertices_offset"] = _starts(tables["vertices_count"])
    if runs:
        tables["heights"] = [i.height for i in images]
        tables["widths"] = [i.width for i in images]
        crowds = [
            [(k, mask) for k, mask in enumerate(i.masks) if isinstance(mask, dict)] for i in images
        ]
        tables["mask_count"] = list(map(len, crowds))
        tables["masks_offset"] = _starts(tables["mask_count"])
        tables["masks_rles_idx"] = [k for row in crowds for k, _ in row]
        blocks = [
            _rle(mask, image.height, image.width)
            for image, row in zip(images, crowds, strict=True)
            for _, mask in row
        ]
        contents["masks_rles"] = np.uint32(len(blocks)).tobytes() + b"".join(blocks)
    for name, values in tables.items():
        dtype, width = _TYPES[name]
        flat = np.concatenate([np.atleast_1d(v) for v in values]) if values else np.zeros(0)
        data = flat.astype(dtype)
        contents[name] = np.uint32(len(data) // width).tobytes() + data.tobytes()
    try:
        os.makedirs(folder, exist_ok=True)
        for name, content in contents.items():
            place = os.path.join(folder, f"{name}.dat")
            with open(f"{place}.new", "wb") as file:
                file.write(content)
            os.replace(f"{place}.new", place)
    except OSError as error:
        raise OperatorError(
            f"{operator}: save_preprocessed_annotations_dir={os.fspath(folder)!r}: "
            f"{error.strerror}; expected a folder that can be written."
        ) from None


def _starts(counts: Sequence[int]) -> list[int]:
    return (np.cumsum([0, *counts])[:-1]).tolist()


def _rle(mask: Mapping[str, Any], height: int, width: int) -> bytes:
    runs = np.asarray(run_lengths(mask, height, width), "<u4")
    return np.array([height, width, len(runs)], "<u8").tobytes() + runs.tobytes()


def load(operator: str, folder: PathLike, *, polygons: bool, pixels: bool) -> list[Image]:
    """The images of such files.

    Args:
        operator: who asks, for messages.
        folder: where they are.
        polygons: masks are wanted.
        pixels: masks of pixels are wanted, for which sizes and run lengths are needed too.

    Raises:
        OperatorError: a file is missing or malformed.
    """
    where = f"{operator}: preprocessed_annotations={os.fspath(folder)!r}"
    try:
        return _load(folder, polygons=polygons or pixels, pixels=pixels)
    except OSError as error:
        raise OperatorError(
            f"{where}: {error.strerror} ({error.filename}); expected what "
            "save_preprocessed_annotations wrote, with the same kind of masks."
        ) from None
    except (ValueError, IndexError) as error:
        raise OperatorError(f"{where}: {error}. Make the files anew.") from None


def _content(folder: PathLike, name: str) -> bytes:
    with open_file(f"{os.fspath(folder)}/{name}.dat") as file:
        return file.read()


def _table(folder: PathLike, name: str) -> np.ndarray:
    dtype, width = _TYPES[name]
    content = _content(folder, name)
    count = int.from_bytes(content[:4], "little") * width
    if len(content) != 4 + count * np.dtype(dtype).itemsize:
        raise ValueError(f"{name}.dat has {len(content)} bytes, not those of its {count} numbers")
    return np.frombuffer(content, dtype, offset=4)


def _rows(values: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> list[np.ndarray]:
    if len(starts) != len(counts) or (starts < 0).any() or (counts < 0).any():
        raise ValueError("its tables do not fit together")
    if len(starts) and (starts + counts).max() > len(values):
        raise ValueError("a table is shorter than the number of its rows")
    return [values[s : s + n] for s, n in zip(starts.tolist(), counts.tolist(), strict=True)]


def _load(folder: PathLike, *, polygons: bool, pixels: bool) -> list[Image]:
    names = [n.decode() for n in _content(folder, "filenames").split(b"\n") if n]
    ids = _table(folder, "original_ids")
    counts, offsets = _table(folder, "counts"), _table(folder, "offsets")
    boxes = _rows(_table(folder, "boxes").reshape(-1, 4), offsets, counts)
    labels = _rows(_table(folder, "labels"), offsets, counts)
    masks: list[list[Any]] = [[[] for _ in row] for row in boxes]
    heights = widths = np.ones(len(names), np.int32)
    if polygons:
        tables = _rows(
            _table(folder, "polygon_data").reshape(-1, 3),
            _table(folder, "polygon_offset"),
            _table(folder, "polygons_count"),
        )
        points = _rows(
            _table(folder, "vertices").reshape(-1, 2),
            _table(folder, "vertices_offset"),
            _table(folder, "vertices_count"),
        )
        for image, table in enumerate(tables):
            for box, first, end in table.tolist():
                masks[image][box].append(points[image][first:end].reshape(-1).tolist())
    if pixels:
        heights, widths = _table(folder, "heights"), _table(folder, "widths")
        runs = _runs(_content(folder, "masks_rles"))
        numbers = _table(folder, "masks_rles_idx")
        places = _rows(
            np.arange(len(runs)), _table(folder, "masks_offset"), _table(folder, "mask_count")
        )
        for image, row in enumerate(places):
            for k in row.tolist():
                masks[image][int(numbers[k])] = runs[k]
    columns = (names, ids.tolist(), widths.tolist(), heights.tolist(), boxes, labels, masks)
    if {len(column) for column in columns} != {len(names)}:
        raise ValueError("its files are of several data sets")
    return [Image(*row) for row in zip(*columns, strict=True)]


def _runs(content: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    at = 4
    for _ in range(int.from_bytes(content[:4], "little")):
        height, width, count = np.frombuffer(content, "<u8", 3, at).tolist()
        counts = np.frombuffer(content, "<u4", count, at + 24).tolist()
        found.append({"size": [height, width], "counts": counts})
        at += 24 + 4 * count
    return found
