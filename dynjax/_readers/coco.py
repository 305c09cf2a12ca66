"""Images with objects: `dynjax.readers.COCO`."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike, path, paths
from .coco_annotations import Choice, Image, read_annotations
from .coco_rle import MaskError, label_image, mask_of_polygon, mask_of_runs, run_lengths
from .file_index import index_files
from .options import Options
from .parts import Parts, PartsRequest
from .reader import OnError, Reader
from .source import Output, Ragged, ReadError, Source, Uniform, gathered


@final
class COCO(Reader):
    """Reads COCO data sets: image, boxes, labels, then masks and image id if asked for.

    | output | when | shape and dtype |
    |---|---|---|
    | the file's bytes | always | uint8 `(n,)` |
    | boxes | always | float32 `(B, 4)`: x, y, width, height in pixels |
    | labels | always | int32 `(B,)`, from 1 |
    | polygon table | `polygon_masks` | int32 `(P, 3)`: box, first vertex, vertex after the last |
    | vertices | `polygon_masks` | float32 `(V, 2)`: x, y |
    | mask | `pixelwise_masks` | int32 `(H, W, 1)`, layout HWC: the label of each pixel, or 0 |
    | image id | `image_ids` | int32 `(1,)` |

    Samples are in the order of the image ids.

    Args:
        annotations_file: the JSON file.
        avoid_class_remapping: labels are the category ids instead of 1, 2, ... in the order of the
            file's list of categories.
        file_root: folder of the images.
        image_ids: see above. `save_img_ids` is its old name.
        images: names of the images to read, in this order. Default: all.
        include_iscrowd: whether objects marked as crowds count. They have no polygons.
        ltrb: boxes are left, top, right, bottom.
        masks: old form of `polygon_masks`, whose table counts coordinates instead of vertices.
        pixelwise_masks, polygon_masks: see above; they exclude each other. Where masks overlap, the
            larger label wins.
        ratio: boxes and vertices are divided by the image's width and height.
        size_threshold: objects with a smaller width or height, in pixels, are left out.
        skip_empty: leave out images without objects.
        preprocessed_annotations, save_preprocessed_annotations, save_preprocessed_annotations_dir,
            meta_files_path, dump_meta_files, dump_meta_files_path: the original's cache of parsed
            annotations. Not supported: anything but the default raises.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.COCO`; masks: COCO API `maskApi.c`.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        annotations_file: PathLike | None = None,
        avoid_class_remapping: bool | None = False,
        dont_use_mmap: bool | None = False,
        dump_meta_files: Any = None,
        dump_meta_files_path: Any = None,
        file_root: PathLike | None = None,
        image_ids: bool | None = False,
        images: str | Sequence[str] | None = None,
        include_iscrowd: bool | None = True,
        initial_fill: int | None = 1024,
        lazy_init: bool | None = False,
        ltrb: bool | None = False,
        masks: bool | None = False,
        meta_files_path: Any = None,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        pixelwise_masks: bool | None = False,
        polygon_masks: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        preprocessed_annotations: PathLike | None = None,
        random_shuffle: bool | None = False,
        ratio: bool | None = False,
        read_ahead: bool | None = False,
        save_img_ids: bool | None = None,
        save_preprocessed_annotations: bool | None = False,
        save_preprocessed_annotations_dir: PathLike | None = None,
        seed: int | None = -1,
        shard_id: int | None = 0,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = 0,
        size_threshold: float | None = 0.1,
        skip_cached_images: bool | None = False,
        skip_empty: bool | None = False,
        stick_to_shard: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        options = Options(
            operator="readers.COCO",
            shard_id=shard_id,
            num_shards=num_shards,
            stick_to_shard=stick_to_shard,
            pad_last_batch=pad_last_batch,
            random_shuffle=random_shuffle,
            initial_fill=initial_fill,
            seed=seed,
            shuffle_after_epoch=shuffle_after_epoch,
            shuffle_after_epoch_seed=shuffle_after_epoch_seed,
        )
        super().__init__(
            options,
            max_batch_size=max_batch_size,
            name=name,
            device=device,
            prefetch_queue_depth=prefetch_queue_depth,
            enable_checkpointing=enable_checkpointing,
            on_error=on_error,
        )
        caches = (
            *(preprocessed_annotations, save_preprocessed_annotations),
            *(save_preprocessed_annotations_dir, meta_files_path),
            *(dump_meta_files, dump_meta_files_path),
        )
        self._unsupported = any(caches)
        self._file_root = path(self._label, "file_root", file_root)
        self._annotations = path(self._label, "annotations_file", annotations_file)
        self._outputs = Outputs(
            ltrb=bool(ltrb),
            ratio=bool(ratio),
            polygons=bool(polygon_masks or masks),
            coordinates=bool(masks),
            pixels=bool(pixelwise_masks),
            ids=bool(image_ids or save_img_ids),
        )
        chosen = (
            None if images is None else [os.fspath(p) for p in paths(self._label, "images", images)]
        )
        self._choice = Choice(
            size_threshold=0.1 if size_threshold is None else size_threshold,
            skip_empty=bool(skip_empty),
            crowds=include_iscrowd is not False,
            original_labels=bool(avoid_class_remapping),
            images=chosen,
            masks=self._outputs.polygons or self._outputs.pixels,
            sizes=self._outputs.ratio or self._outputs.pixels,
        )

    def _open(self) -> Source:
        if self._unsupported:
            raise OperatorError(
                f"{self._label}: preprocessed annotations are not supported; expected "
                "annotations_file. Leave the arguments for them out."
            )
        if not self._annotations or not self._file_root:
            raise OperatorError(
                f"{self._label}: annotations_file={self._annotations!r}, file_root="
                f"{self._file_root!r}; expected both."
            )
        if self._outputs.polygons and self._outputs.pixels:
            raise OperatorError(
                f"{self._label}: polygon_masks and pixelwise_masks given; expected one of them."
            )
        images = read_annotations(self._label, self._annotations, self._choice)
        return COCOSource(self._label, self._file_root, images, self._outputs)


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


@final
class COCOSource(Source):
    """Image files with their annotations."""

    def __init__(self, operator: str, root: PathLike, images: Sequence[Image], outputs: Outputs):
        self._images = images
        self._wanted = outputs
        self._files = index_files(operator, [i.name for i in images], [i.id for i in images], root)

    def __len__(self) -> int:
        return len(self._images)

    def name(self, index: int) -> bytes:
        return self._files.path(index)

    def digest(self) -> str:
        return self._files.digest()

    def request(self, indices: np.ndarray) -> PartsRequest:
        def decode(data: np.ndarray, lengths: np.ndarray) -> tuple[Output, ...]:
            images = [self._images[i] for i in indices.tolist()]
            outputs: list[Output] = [
                Ragged(data, lengths[:, None]),
                gathered([self._boxes(image) for image in images]),
                gathered([image.labels for image in images]),
            ]
            if self._wanted.polygons:
                columns = zip(*(self._checked(_polygons, i) for i in indices.tolist()), strict=True)
                outputs += [gathered(column) for column in columns]
            if self._wanted.pixels:
                masks = [self._checked(_pixels, i) for i in indices.tolist()]
                outputs.append(gathered(masks, "HWC"))
            if self._wanted.ids:
                outputs.append(Uniform(self._files.labels[indices][:, None]))
            return tuple(outputs)

        return PartsRequest(Parts(self._files.paths(indices), indices), decode)

    def _boxes(self, image: Image) -> np.ndarray:
        boxes = image.boxes
        if self._wanted.ltrb:
            boxes = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
        if self._wanted.ratio:
            boxes = boxes / np.array([image.width, image.height] * 2, np.float32)
        return boxes

    def _checked(self, make: Callable[[Image, Outputs], Any], index: int) -> Any:
        try:
            return make(self._images[index], self._wanted)
        except MaskError as error:
            raise ReadError(index, f"{error}. Correct the annotations.") from None


def _polygons(image: Image, wanted: Outputs) -> tuple[np.ndarray, np.ndarray]:
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
