"""A random window that keeps objects: `dynjax.random_bbox_crop`."""

from collections.abc import Sequence

import numpy as np

from .._schema import Output, PerSample, operator
from .._types.columns import Column
from .._types.data import Data
from .._types.errors import OperatorError, at_call
from ._lib.box_layouts import BoxLayout
from ._lib.box_windows import Search, found
from ._lib.ready import host_samples, ready

_WHAT = "random_bbox_crop"


@operator(_WHAT, reads_data=True, random=True, devices=("cpu",), outputs=3)
def random_bbox_crop(
    boxes: Data,
    labels: Data | None = None,
    /,
    *,
    all_boxes_above_threshold: bool = True,
    allow_no_crop: bool = True,
    aspect_ratio: list[float] = (1.0, 1.0),  # type: ignore[assignment]
    bbox_layout: str | None = None,
    bbox_prune_threshold: float | None = None,
    crop_shape: PerSample[list[int]] | None = None,
    input_shape: PerSample[list[int]] | None = None,
    ltrb: bool = True,
    num_attempts: int = 1,
    output_bbox_indices: bool = False,
    quiet: bool = False,
    scaling: list[float] = (1.0, 1.0),  # type: ignore[assignment]
    shape_layout: str | None = None,
    threshold_type: str = "iou",
    thresholds: list[float] = (0.0,),  # type: ignore[assignment]
    total_num_attempts: int = -1,
    key: Sequence[Column],
) -> tuple[Output, ...]:
    """Picks a random window of an image that keeps enough of its objects, and crops their boxes.

    One of `thresholds`, or "no crop" if that is allowed, is picked; then up to `num_attempts`
    windows are drawn. The first one is taken whose overlap with every box (or with one of them)
    reaches the threshold and that holds the centre of at least one box. If there is none, another
    threshold is picked, and so on.

    Args:
        boxes: float32 `[n, 4]` (`[n, 6]` for volumes), relative to the image, 0 to 1.
        labels: int32 `[n]` or `[n, 1]`.
        all_boxes_above_threshold: every box has to reach the threshold, not just one.
        allow_no_crop: the whole image is one of the choices.
        aspect_ratio: least and largest width divided by height of the window, in pixels if
            `input_shape` is given. For volumes also three pairs: x/y, x/z, y/z.
        bbox_layout: `"xyXY"`, `"xyWH"`, `"xyzXYZ"` or `"xyzWHD"`. Default: by `ltrb`.
        bbox_prune_threshold: least share of a box inside the window for the box to be kept.
            Default: its centre decides alone.
        crop_shape: the window's extents in pixels, instead of `scaling` and `aspect_ratio`; needs
            `input_shape` and `allow_no_crop=False`.
        input_shape: the image's extents in pixels.
        ltrb: boxes are left, top, right, bottom; otherwise x, y, width, height.
        num_attempts: windows to try with one threshold. Default: 1.
        output_bbox_indices: give the numbers of the kept boxes as well.
        quiet: without effect: no warning is printed.
        scaling: least and largest extent of the window, relative to the image.
        shape_layout: letters of `input_shape` and `crop_shape`. Default: `"WH"`, `"WHD"`.
        threshold_type: `"iou"`, intersection over union of window and box, or `"overlap"`, the
            share of the box inside the window.
        thresholds: choices of the least overlap, 0 to 1.
        total_num_attempts: so many windows in all; then the best of them is taken. Default: 10000,
            and an error if none fits.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Anchor and shape of the window, float32, x first, relative to the image (in pixels with
        `crop_shape`); the boxes whose centre lies inside, clipped and relative to the window; their
        labels, if any were given; their numbers, int32, if asked for.

    Raises:
        OperatorError: other types or shapes, boxes outside [0, 1], ranges or thresholds that make
            no sense, no window that fits.

    Source: Liu et al., "SSD: Single Shot MultiBox Detector" (2016); DALI `RandomBBoxCrop`.

    Example:
        >>> box = np.array([[0.25, 0.25, 0.75, 0.75]], np.float32)
        >>> anchor, shape, kept = dynjax.random_bbox_crop(
        ...     box, scaling=[0.5, 0.9], thresholds=[0.5], threshold_type="overlap", num_attempts=9
        ... )
        >>> kept.shape
        (1, 4)
    """
    del quiet
    count = len(key[0])
    layout = BoxLayout.of(_WHAT, bbox_layout, ltrb, shape_layout)
    samples = _boxes(boxes, layout, count)
    names = None if labels is None else _labels(labels, samples)
    search = Search(
        what=_WHAT,
        axes=layout.axes,
        scaling=scaling,
        aspect_ratio=aspect_ratio,
        thresholds=thresholds,
        relative_to_box=_is_share(threshold_type),
        every_box=all_boxes_above_threshold,
        no_crop=allow_no_crop,
        prune=bbox_prune_threshold,
        attempts=num_attempts,
        total=total_num_attempts,
    )
    sizes = layout.extents("input_shape", input_shape, count)
    windows = layout.extents("crop_shape", crop_shape, count)
    start, shape, inside = found(search, samples, sizes, windows, key)
    kept = [
        _cropped(b[k], start[i], shape[i], layout)
        for i, (b, k) in enumerate(zip(samples, inside, strict=True))
    ]
    if windows is not None:
        assert sizes is not None
        start, shape = np.round(start * sizes), windows
    return _outputs(boxes, labels, start, shape, kept, names, inside, output_bbox_indices)


def _is_share(threshold_type: str) -> bool:
    if threshold_type not in ("iou", "overlap"):
        raise OperatorError(
            f"{_WHAT}: threshold_type={threshold_type!r}; expected 'iou' or 'overlap'."
        )
    return threshold_type == "overlap"


def _boxes(boxes: Data, layout: BoxLayout, count: int) -> list[np.ndarray]:
    """Lower and upper corners, `[n, 2, axes]`."""
    spec = boxes.spec
    width = 2 * layout.axes
    if spec.dtype != np.float32 or spec.ndim != 2 or np.any(np.asarray(spec.shape[1]) != width):
        raise at_call(
            OperatorError(
                f"{_WHAT}: boxes have {spec.ndim} axes of {spec.dtype.name}; expected float32 "
                f"[n, {width}]."
            )
        )
    samples = [layout.corners(b) for b in host_samples(_WHAT, boxes, count)]
    for i, sample in enumerate(samples):
        if sample.size and not (sample.min() >= 0 and sample.max() <= 1):
            raise at_call(
                OperatorError(
                    f"{_WHAT}: sample {i} has a box outside [0, 1]; expected boxes relative to the "
                    "image."
                )
            )
    return samples


def _labels(labels: Data, samples: Sequence[np.ndarray]) -> list[np.ndarray]:
    spec = labels.spec
    if spec.dtype != np.int32 or not 1 <= spec.ndim <= 2:
        raise at_call(
            OperatorError(
                f"{_WHAT}: labels have {spec.ndim} axes of {spec.dtype.name}; expected int32 [n]."
            )
        )
    names = host_samples(_WHAT, labels, len(samples))
    for i, (sample, given) in enumerate(zip(samples, names, strict=True)):
        if len(given) != len(sample):
            raise OperatorError(
                f"{_WHAT}: sample {i} has {len(sample)} boxes and {len(given)} labels; expected as "
                "many."
            )
    return names


def _cropped(
    corners: np.ndarray, start: np.ndarray, shape: np.ndarray, layout: BoxLayout
) -> np.ndarray:
    """Boxes clipped to a window and relative to it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.clip((corners - start) / shape, 0, 1)
    return layout.boxes(moved.astype(np.float32))


def _outputs(
    boxes: Data,
    labels: Data | None,
    start: np.ndarray,
    shape: np.ndarray,
    kept: Sequence[np.ndarray],
    names: Sequence[np.ndarray] | None,
    inside: Sequence[np.ndarray],
    with_indices: bool,
) -> tuple[Output, ...]:
    batched = boxes.spec.batched or (labels is not None and labels.spec.batched)
    single = np.dtype(np.float32)
    axes = start.shape[1]
    outputs = [
        ready(list(start.astype(single)), 1, single, batched, inner=(axes,)),
        ready(list(shape.astype(single)), 1, single, batched, inner=(axes,)),
        ready(kept, 2, single, batched, boxes.layout, inner=(2 * axes,)),
    ]
    if labels is not None and names is not None:
        left = [n[k] for n, k in zip(names, inside, strict=True)]
        spec = labels.spec
        outputs.append(ready(left, spec.ndim, spec.dtype, batched, spec.layout))
    if with_indices:
        whole = np.dtype(np.int32)
        outputs.append(ready([np.flatnonzero(k).astype(whole) for k in inside], 1, whole, batched))
    return tuple(outputs)
