"""The box around an object picked at random: `dynjax.segmentation.random_object_bbox`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._schema import Output, PerSample, operator
from ..._types.columns import Column, is_constant
from ..._types.data import Data
from ..._types.errors import OperatorError
from .._lib import host_draws
from .._lib.ready import host_samples, ready
from .._lib.regions import Regions, find_regions

_WHAT = "segmentation.random_object_bbox"
_FORMATS = ("anchor_shape", "start_end", "box")
_DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32")


@operator(_WHAT, reads_data=True, random=True, devices=("cpu",), outputs=2)
def random_object_bbox(
    mask: Data,
    /,
    *,
    background: PerSample[int] | None = None,
    cache_objects: bool = False,
    class_weights: PerSample[list[float]] | None = None,
    classes: PerSample[list[int]] | None = None,
    foreground_prob: PerSample[float] = 1.0,
    format: str = "anchor_shape",
    ignore_class: bool = False,
    k_largest: int | None = None,
    output_class: bool = False,
    threshold: PerSample[list[int]] | None = None,
    key: Sequence[Column],
) -> tuple[Output, ...]:
    """Picks a class, then an object of that class, and gives the object's bounding box.

    An object is a region of pixels of one label that share sides; diagonal neighbours are separate
    objects.

    Args:
        mask: labels, integers of up to 32 bits or bool, any number of axes.
        background: the label that is no object. Default: 0, or -1 if 0 is among `classes`.
        cache_objects: without effect; accepted for old programs.
        class_weights: relative probability of each of `classes`; without them, of the labels from
            0 on but for the background: of 1, 2, ... where that is 0. Default: equal ones.
        classes: the labels to pick from. Default: all that occur.
        foreground_prob: probability that an object is picked, 0 to 1; otherwise the box is the
            whole mask.
        format: `"anchor_shape"`, `"start_end"` (two outputs each) or `"box"` (start, then end).
        ignore_class: pick among all objects alike.
        k_largest: pick among so many objects of the class with the largest boxes. Default: all.
        output_class: give the label as well.
        threshold: least extents of an object's box, one for each axis or one for all.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        int32 anchor and shape, or start and end, or a box; then the label, int32, if asked for.
        Where there is no object, the whole mask and the background's label.

    Raises:
        OperatorError: another dtype or format, weights that are negative or not one for each
            class, arguments that contradict each other.

    Source: DALI `segmentation.RandomObjectBBox`.

    Example:
        >>> mask = np.array([[0, 1, 1], [0, 0, 1]])
        >>> anchor, shape = dynjax.segmentation.random_object_bbox(mask.astype(np.int32))
        >>> np.asarray(anchor), np.asarray(shape)
        (array([0, 1], dtype=int32), array([2, 2], dtype=int32))
    """
    del cache_objects
    spec = mask.spec
    _check(spec.dtype, spec.ndim, format, k_largest)
    if ignore_class and (classes is not None or class_weights is not None or output_class):
        raise OperatorError(
            f"{_WHAT}: ignore_class cannot be combined with classes, class_weights or output_class."
        )
    if classes is not None and class_weights is not None and len(classes) != len(class_weights):
        raise OperatorError(
            f"{_WHAT}: {len(classes)} classes and {len(class_weights)} class_weights; expected as "
            "many."
        )
    if threshold is not None and len(threshold) not in (1, spec.ndim):
        raise OperatorError(
            f"{_WHAT}: threshold has {len(threshold)} values; expected 1 or {spec.ndim}."
        )
    count = len(key[0])
    draws = host_draws.unit(host_draws.mixed(key, 0, 3))
    boxes: list[np.ndarray] = []
    labels: list[int] = []
    for i, labelled in enumerate(host_samples(_WHAT, mask, count)):
        wanted = _row(classes, i)
        ground = _background(background, wanted, i)
        labelled = labelled.astype(np.int32) if labelled.dtype.kind == "b" else labelled
        box, label = np.array([[0] * spec.ndim, labelled.shape], np.int32), ground
        if draws[i, 0] < _at(foreground_prob, i) and labelled.size:
            regions = find_regions(labelled, ground)
            weights = None if ignore_class else (wanted, _row(class_weights, i))
            picked = _picked(regions, weights, _row(threshold, i), k_largest, ground, draws[i, 1:])
            if picked is not None:
                box, label = picked
        boxes.append(box)
        labels.append(label)
    return _outputs(boxes, labels, spec.ndim, spec.batched, format, output_class)


def _check(dtype: np.dtype, ndim: int, format: str, k_largest: int | None) -> None:
    if dtype.name not in _DTYPES or not ndim:
        raise OperatorError(
            f"{_WHAT}: the mask has {ndim} axes of {dtype.name}; expected at least one axis of "
            f"{', '.join(_DTYPES)}. Use dynjax.cast before."
        )
    if format not in _FORMATS:
        raise OperatorError(f"{_WHAT}: format={format!r}; expected one of {', '.join(_FORMATS)}.")
    if k_largest is not None and k_largest < 1:
        raise OperatorError(f"{_WHAT}: k_largest={k_largest}; expected 1 or more.")


def _at(column: Column, i: int) -> Any:
    return column if is_constant(column) else np.asarray(column)[i].item()


def _row(columns: Sequence[Column] | None, i: int) -> list[Any] | None:
    return None if columns is None else [_at(c, i) for c in columns]


def _background(given: Column | None, classes: list[int] | None, i: int) -> int:
    if given is None:
        return -1 if classes is not None and 0 in classes else 0
    label = int(_at(given, i))
    if classes is not None and label in classes:
        raise OperatorError(f"{_WHAT}: the background, {label}, is among the classes.")
    return label


def _picked(
    regions: Regions,
    weights: tuple[list[int] | None, list[float] | None] | None,
    threshold: list[int] | None,
    k_largest: int | None,
    background: int,
    draws: np.ndarray,
) -> tuple[np.ndarray, int] | None:
    """The box and label of an object; None if there is none to pick from."""
    if threshold is not None:
        extents = regions.ends - regions.starts
        regions = regions.only(np.flatnonzero((extents >= np.asarray(threshold)).all(axis=1)))
    if weights is not None:
        regions = _of_one_class(regions, *weights, background, float(draws[0]))
    if not len(regions):
        return None
    if k_largest is not None:
        regions = regions.only(np.argsort(-regions.volumes(), kind="stable")[:k_largest])
    chosen = min(int(draws[1] * len(regions)), len(regions) - 1)
    box = np.stack([regions.starts[chosen], regions.ends[chosen]])
    return box, int(regions.labels[chosen])


def _of_one_class(
    regions: Regions,
    classes: list[int] | None,
    weights: list[float] | None,
    background: int,
    draw: float,
) -> Regions:
    present = np.unique(regions.labels)
    if weights is not None and min(weights, default=0.0) < 0:
        raise OperatorError(f"{_WHAT}: class_weights={weights}; expected no negative ones.")
    if classes is None and weights is not None:
        classes = [c for c in range(len(weights) + 1) if c != background][: len(weights)]
    share = dict.fromkeys(present.tolist() if classes is None else classes, 1.0)
    if weights is not None:
        share = dict(zip(share, weights, strict=True))
    ends = np.cumsum([share.get(int(label), 0.0) for label in present])
    if not len(ends) or ends[-1] <= 0:
        return regions.only(np.zeros(0, np.int64))
    chosen = int(np.searchsorted(ends, draw * ends[-1], side="right"))
    return regions.only(np.flatnonzero(regions.labels == present[chosen]))


def _outputs(
    boxes: Sequence[np.ndarray],
    labels: Sequence[int],
    ndim: int,
    batched: bool,
    format: str,
    output_class: bool,
) -> tuple[Output, ...]:
    kind = np.dtype(np.int32)
    if format == "box":
        parts = [[b.reshape(-1) for b in boxes]]
    else:
        second = [b[1] - b[0] if format == "anchor_shape" else b[1] for b in boxes]
        parts = [[b[0] for b in boxes], second]
    size = (2 * ndim,) if format == "box" else (ndim,)
    outputs = [ready(p, 1, kind, batched, inner=size) for p in parts]
    if output_class:
        outputs.append(ready([np.array(v, kind) for v in labels], 0, kind, batched))
    return tuple(outputs)
