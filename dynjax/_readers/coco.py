"""Images with objects: `dynjax.readers.COCO`."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, final

from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike, number, path, paths
from .coco_annotations import Choice, Image, read_annotations
from .coco_preprocessed import load, save
from .coco_source import COCOSource, Outputs, boxes_of, polygons_of
from .options import shared
from .reader import OnError, Reader
from .source import Source


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
        preprocessed_annotations: a folder of annotations that were parsed before, instead of
            `annotations_file`; opening them takes a fraction of the time. They hold what was
            asked for when they were saved: the same `ltrb`, `ratio`, `size_threshold`,
            `include_iscrowd`, `avoid_class_remapping` and kind of masks. `meta_files_path` is its
            old name.
        save_preprocessed_annotations, save_preprocessed_annotations_dir: write such files, which
            the original reads too, before the first read. `dump_meta_files` and
            `dump_meta_files_path` are their old names.
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
        super().__init__("readers.COCO", **shared(locals()))
        saved = preprocessed_annotations or meta_files_path
        self._preprocessed = path(self._label, "preprocessed_annotations", saved)
        self._saves = bool(save_preprocessed_annotations or dump_meta_files)
        folder = save_preprocessed_annotations_dir or dump_meta_files_path
        self._save_to = path(self._label, "save_preprocessed_annotations_dir", folder)
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
            size_threshold=number(self._label, "size_threshold", size_threshold, 0.1),
            skip_empty=bool(skip_empty),
            crowds=include_iscrowd is not False,
            original_labels=bool(avoid_class_remapping),
            images=chosen,
            masks=self._outputs.polygons or self._outputs.pixels,
            sizes=self._outputs.ratio or self._outputs.pixels,
        )

    def _open(self) -> Source:
        given = [p for p in (self._annotations, self._preprocessed) if p]
        if len(given) != 1 or not self._file_root:
            raise OperatorError(
                f"{self._label}: annotations_file={self._annotations!r}, preprocessed_annotations="
                f"{self._preprocessed!r}, file_root={self._file_root!r}; expected file_root "
                "and one of the others."
            )
        if self._outputs.polygons and self._outputs.pixels:
            raise OperatorError(
                f"{self._label}: polygon_masks and pixelwise_masks given; expected one of them."
            )
        if self._saves and not self._save_to:
            raise OperatorError(
                f"{self._label}: save_preprocessed_annotations=True; expected "
                "save_preprocessed_annotations_dir too."
            )
        outputs = self._outputs
        if self._annotations:
            images = read_annotations(self._label, self._annotations, self._choice)
            if self._saves:
                self._save(images)
        else:
            assert self._preprocessed is not None
            images = self._chosen(
                load(
                    *(self._label, self._preprocessed),
                    polygons=outputs.polygons,
                    pixels=outputs.pixels,
                )
            )
            outputs = outputs.as_loaded()
        return COCOSource(self._label, self._file_root, images, outputs)

    def _save(self, images: Sequence[Image]) -> None:
        assert self._save_to is not None
        wanted = self._outputs
        # Masks of pixels are drawn from vertices in pixels, and the table counts vertices.
        kept = replace(wanted, coordinates=False, ratio=wanted.ratio and not wanted.pixels)
        save(
            *(self._label, self._save_to, images),
            lambda image: boxes_of(image, wanted),
            (lambda image: polygons_of(image, kept)) if self._choice.masks else None,
            runs=wanted.pixels,
        )

    def _chosen(self, images: Sequence[Image]) -> list[Image]:
        """Of saved annotations what `images` and `skip_empty` ask for."""
        names = self._choice.images
        if names is not None:
            by_name = {image.name: image for image in images}
            if missing := [name for name in names if name not in by_name]:
                raise OperatorError(
                    f"{self._label}: preprocessed_annotations have no image {missing[0]!r} of "
                    "images. Correct the names."
                )
            images = [by_name[name] for name in names]
        kept = [i for i in images if len(i.boxes) or not self._choice.skip_empty]
        if not kept:
            raise OperatorError(f"{self._label}: no image is left. Check images and skip_empty.")
        return kept
