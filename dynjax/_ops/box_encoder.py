"""Boxes matched to the anchors of a detector: `dynjax.box_encoder`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, operator
from .._types.columns import any_of
from .._types.errors import OperatorError
from .._types.spec import Spec
from .._types.storage import Dense, Storage
from ._lib.host_samples import batching, views
from ._lib.joint import Joint

_WHAT = "box_encoder"


class _Settings(NamedTuple):
    """What does not vary: anchors and means and deviations as bytes of float32."""

    anchors: bytes
    criteria: float
    offset: bool
    means: bytes
    stds: bytes

    def array(self, name: str, width: int) -> np.ndarray:
        return np.frombuffer(getattr(self, name), np.float32).reshape(-1, width)


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, settings, what):
    del out_extent, tables, out_shape
    # Slots may be wider than what they hold.
    boxes, labels = inputs[0][:, :4], inputs[1]
    labels = labels if labels.ndim == 1 else labels[:, :1].reshape(-1)
    matched, box = _matches(jnp, boxes, extents[0][0], settings)
    if what == "labels":
        if not labels.size:
            return jnp.zeros(len(matched), dtype)
        return jnp.where(matched, jnp.take(labels, box, mode="clip"), 0).astype(dtype)
    return _encoded(jnp, boxes, matched, box, settings)


_boxes = Kernel("box_encoder_boxes", _sample, native=False, cost=32)
_labels = Kernel("box_encoder_labels", _sample, native=False, cost=32)


@operator(_WHAT, outputs=2)
def box_encoder(
    boxes: Spec,
    labels: Spec,
    /,
    *,
    anchors: list[float],
    criteria: float = 0.5,
    means: list[float] = (0.0, 0.0, 0.0, 0.0),  # type: ignore[assignment]
    offset: bool = False,
    scale: float = 1.0,
    stds: list[float] = (1.0, 1.0, 1.0, 1.0),  # type: ignore[assignment]
) -> tuple[Output, Output]:
    """Gives each anchor the box that it overlaps best, as single-shot detectors are trained.

    An anchor takes the box with which its intersection over union is largest, if that exceeds
    `criteria`; moreover each box takes the anchor that it overlaps best. Of equals the last wins.

        offset: ((cx - ax) / aw - m0) / s0, ((cy - ay) / ah - m1) / s1,
                (ln(w / aw) - m2) / s2, (ln(h / ah) - m3) / s3

    Args:
        boxes: float32 `[n, 4]`: left, top, right, bottom, relative to the image.
        labels: int32 `[n]`, or `[n, 1]`.
        anchors: left, top, right, bottom of each anchor, one list.
        criteria: least intersection over union of a match, 0 to 1. Default: 0.5.
        means, stds: m and s of the formula, 4 values each. Default: 0 and 1.
        offset: give the difference between box and anchor, by the formula, and zeros for anchors
            without a box.
        scale: without effect, as in the original, where it cancels out.

    Returns:
        float32 `[anchors, 4]`: centre x, centre y, width, height of the box of each anchor, or of
        the anchor itself where it has none; int32 `[anchors]`: the box's label, or 0.

    Raises:
        OperatorError: other types or shapes, anchors that are not four numbers each, criteria
            outside [0, 1], not four means or deviations, a deviation of 0.

    Source: Liu et al., "SSD: Single Shot MultiBox Detector" (2016); DALI `BoxEncoder`.

    Example:
        >>> boxes, labels = np.array([[0, 0, 1, 0.5]], np.float32), np.array([7], np.int32)
        >>> encoded, classes = dynjax.box_encoder(
        ...     boxes, labels, anchors=[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.25]
        ... )
        >>> np.asarray(encoded)[0], np.asarray(classes)
        (array([0.5 , 0.25, 1.  , 0.5 ], dtype=float32), array([7, 0], dtype=int32))
    """
    del scale
    _check(boxes, labels, anchors, criteria, means, stds)
    settings = _Settings(
        *(np.array(anchors, np.float32).tobytes(), criteria, offset),
        *(np.array(v, np.float32).tobytes() for v in (means, stds)),
    )
    count, batched = batching([boxes, labels])
    joint = Joint(lambda storages: _on_host(storages, (boxes, labels), count, batched, settings))
    n = len(anchors) // 4
    return (
        Apply(
            *(_boxes, (n, 4), np.dtype(np.float32), None),
            static={"settings": settings, "what": "boxes"},
            host=joint.part(0),
        ),
        Apply(
            *(_labels, (n,), np.dtype(np.int32), None),
            static={"settings": settings, "what": "labels"},
            host=joint.part(1),
        ),
    )


def _check(boxes: Spec, labels: Spec, anchors, criteria, means, stds) -> None:
    if boxes.dtype != np.float32 or boxes.ndim != 2 or any_of(boxes.shape[1] != 4):
        raise OperatorError(
            f"{_WHAT}: boxes have {boxes.ndim} axes of {boxes.dtype.name}; expected float32 [n, 4]."
        )
    if labels.dtype != np.int32 or not 1 <= labels.ndim <= 2:
        raise OperatorError(
            f"{_WHAT}: labels have {labels.ndim} axes of {labels.dtype.name}; expected int32 [n]."
        )
    if not len(anchors) or len(anchors) % 4:
        raise OperatorError(
            f"{_WHAT}: anchors has {len(anchors)} values; expected 4 for each anchor."
        )
    if not 0 <= criteria <= 1:
        raise OperatorError(f"{_WHAT}: criteria={criteria}; expected 0 to 1.")
    for name, values in (("means", means), ("stds", stds)):
        if len(values) != 4:
            raise OperatorError(f"{_WHAT}: {name} has {len(values)} values; expected 4.")
    if 0 in stds:
        raise OperatorError(f"{_WHAT}: stds={list(stds)}; expected none of them to be 0.")


def _matches(xp: Any, boxes: Any, count: Any, settings: _Settings) -> tuple[Any, Any]:
    """Which anchors have a box, `[A]`, and its number. Rows from `count` on hold no box."""
    anchors = settings.array("anchors", 4)
    n = boxes.shape[0]
    if not n:
        return xp.zeros(len(anchors), bool), xp.zeros(len(anchors), np.int32)
    left_top = xp.maximum(boxes[:, None, :2], anchors[None, :, :2])
    right_bottom = xp.minimum(boxes[:, None, 2:], anchors[None, :, 2:])
    side = xp.maximum(right_bottom - left_top, 0)
    common = side[..., 0] * side[..., 1]
    union = _area(boxes)[:, None] + _area(anchors)[None] - common
    overlap = xp.where(union > 0, common / xp.where(union > 0, union, 1), 0)
    number = xp.arange(n)
    overlap = xp.where((number < count)[:, None], overlap, -1)
    best = n - 1 - xp.argmax(overlap[::-1], axis=0)
    matched = xp.max(overlap, axis=0) > settings.criteria
    # The last box that claims an anchor keeps it.
    claimed = len(anchors) - 1 - xp.argmax(overlap[:, ::-1], axis=1)
    claims = (claimed[:, None] == xp.arange(len(anchors))) & (number < count)[:, None]
    claimant = xp.max(xp.where(claims, number[:, None], -1), axis=0)
    return matched | (claimant >= 0), xp.where(claimant >= 0, claimant, best)


def _area(boxes: Any) -> Any:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def _centred(xp: Any, boxes: Any) -> tuple[Any, Any]:
    """Centres and sizes."""
    return (boxes[:, :2] + boxes[:, 2:]) * np.float32(0.5), boxes[:, 2:] - boxes[:, :2]


def _encoded(xp: Any, boxes: Any, matched: Any, box: Any, settings: _Settings) -> Any:
    anchors = settings.array("anchors", 4)
    anchor_centre, anchor_size = _centred(xp, anchors)
    if not boxes.shape[0]:
        chosen = xp.asarray(anchors)
    else:
        chosen = xp.where(matched[:, None], boxes[xp.minimum(box, boxes.shape[0] - 1)], anchors)
    centre, size = _centred(xp, chosen)
    if settings.offset:
        centre = (centre - anchor_centre) / anchor_size
        size = xp.log(size / anchor_size)
        means, stds = settings.array("means", 2), settings.array("stds", 2)
        centre, size = (centre - means[0]) / stds[0], (size - means[1]) / stds[1]
    result = xp.concatenate([centre, size], axis=1).astype(np.float32)
    return xp.where(matched[:, None], result, 0) if settings.offset else result


def _on_host(
    storages: Sequence[Storage],
    specs: Sequence[Spec],
    count: int,
    batched: bool,
    settings: _Settings,
) -> tuple[Storage, Storage]:
    n = len(settings.anchors) // 16
    encoded, classes = np.empty((count, n, 4), np.float32), np.empty((count, n), np.int32)
    both = zip(*(views(s, x, count) for s, x in zip(storages, specs, strict=True)), strict=True)
    for i, (boxes, labels) in enumerate(both):
        if labels.size != len(boxes):
            raise OperatorError(
                f"{_WHAT}: sample {i} has {len(boxes)} boxes and {labels.size} labels; expected as "
                "many."
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            matched, box = _matches(np, boxes, len(boxes), settings)
            encoded[i] = _encoded(np, boxes, matched, box, settings)
        classes[i] = 0
        classes[i][matched] = labels.reshape(-1)[box[matched]]
    if batched:
        return Dense(encoded), Dense(classes)
    return Dense(encoded[0], False), Dense(classes[0], False)
