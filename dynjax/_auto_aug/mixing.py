"""Batches mixed with themselves: `dynjax.auto_aug.mixup` and `dynjax.auto_aug.cutmix`."""

from typing import Any

import jax
import jax.numpy as jnp

from .._ops.random.beta import beta
from .._types.batch import Batch
from .._types.construct import as_batch
from .._types.errors import ArgumentError, at_call
from .draws import Draws
from .images import is_traced


def mixup(
    images: Any,
    labels: Any,
    *,
    alpha: float = 0.2,
    num_classes: int | None = None,
    key: Any = None,
    rng: Any = None,
) -> tuple[Batch, Batch]:
    """Blends each image and its label with another of the batch.

        image' = l image + (1 - l) other,  label' likewise,   l ~ Beta(alpha, alpha)

    with a share l for each sample. The others are the batch in random order.

    Args:
        images: a batch whose samples have one shape, of any real dtype.
        labels: a class for each sample, with `num_classes`; or float weights of the classes.
        alpha: of the distribution, more than 0; the smaller, the purer.
        num_classes: for integer labels.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        float32 images, and float32 labels `[num_classes]`.

    Raises:
        ArgumentError: samples of several shapes, labels that do not fit, an alpha out of range.

    Source: Zhang et al., "mixup: Beyond empirical risk minimization" (2018).

    Example:
        >>> images = np.zeros((4, 8, 8, 3), np.uint8)
        >>> mixed, soft = dynjax.auto_aug.mixup(
        ...     images, [0, 1, 2, 1], num_classes=3, key=jax.random.key(1)
        ... )
        >>> mixed.shape[0], soft.shape[0]
        ((8, 8, 3), (3,))
    """
    pixels, classes, draws = _prepared("mixup", images, labels, alpha, num_classes, key, rng)
    share = _shares(draws, alpha)
    return _given_back(images, *_blended(pixels, classes, draws.unit(1), share))


def cutmix(
    images: Any,
    labels: Any,
    *,
    alpha: float = 1.0,
    num_classes: int | None = None,
    key: Any = None,
    rng: Any = None,
) -> tuple[Batch, Batch]:
    """Replaces a rectangle of each image by that of another, and mixes the labels by area.

    The rectangle has the image's aspect and the area `1 - l`, `l ~ Beta(alpha, alpha)`; its centre
    is uniform, and what lies outside the image is cut off. The others are the batch in random
    order.

    Args:
        images: a batch whose samples have one shape with layout HWC (the default) or CHW, of any
            real dtype.
        labels: a class for each sample, with `num_classes`; or float weights of the classes.
        alpha: of the distribution, more than 0.
        num_classes: for integer labels.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        float32 images, and float32 labels `[num_classes]`.

    Raises:
        ArgumentError: samples of several shapes, labels that do not fit, an alpha out of range,
            another layout.

    Source: Yun et al., "CutMix" (2019).

    Example:
        >>> images = np.zeros((4, 8, 8, 3), np.uint8)
        >>> mixed, soft = dynjax.auto_aug.cutmix(
        ...     images, [0, 1, 2, 1], num_classes=3, key=jax.random.key(1)
        ... )
        >>> mixed.shape[0], soft.shape[0]
        ((8, 8, 3), (3,))
    """
    pixels, classes, draws = _prepared("cutmix", images, labels, alpha, num_classes, key, rng)
    layout = (images.layout if isinstance(images, Batch) else None) or "HWC"
    if layout not in ("HWC", "CHW") or pixels.ndim != 4:
        raise at_call(
            ArgumentError(
                f"cutmix: the images have layout {layout!r} and {pixels.ndim - 1} axes; expected "
                "HWC or CHW. Set it with dynjax.as_batch(data, layout=...)."
            )
        )
    share = _shares(draws, alpha)
    places = (draws.unit(1), draws.unit(2), draws.unit(3))
    return _given_back(images, *_pasted(pixels, classes, *places, share, layout.index("H") + 1))


def _prepared(
    name: str, images: Any, labels: Any, alpha: float, num_classes: int | None, key: Any, rng: Any
) -> tuple[Any, Any, Draws]:
    """Arrays `[N, ...]` of pixels and of the weights of the classes."""
    if not alpha > 0:
        raise at_call(ArgumentError(f"{name}: alpha={alpha}; expected more than 0."))
    batch = images if isinstance(images, Batch) else as_batch(images)
    if not batch.spec.uniform and (is_traced(batch) or len(set(batch.shape)) > 1):
        raise at_call(
            ArgumentError(f"{name}: the images differ in shape. Resize or crop them before.")
        )
    targets = labels if isinstance(labels, Batch) else as_batch(labels)
    weights = targets.jax()
    count = batch.batch_size
    if jnp.issubdtype(weights.dtype, jnp.integer):
        if num_classes is None:
            raise at_call(
                ArgumentError(f"{name}: labels are numbers of classes; num_classes is missing.")
            )
        weights = jax.nn.one_hot(weights.reshape(-1), num_classes)
    if weights.ndim != 2 or len(weights) != count:
        raise at_call(
            ArgumentError(
                f"{name}: labels have shape {tuple(weights.shape)} for {count} images; expected "
                "one class, or float weights of the classes, for each."
            )
        )
    return batch.jax(), weights, Draws(name, key, rng, count, is_traced(batch))


def _shares(draws: Draws, alpha: float) -> Any:
    """float32 `[N]`."""
    return beta(alpha=alpha, beta=alpha, key=draws.keys(0)).jax()


def _given_back(images: Any, pixels: jax.Array, weights: jax.Array) -> tuple[Batch, Batch]:
    layout = images.layout if isinstance(images, Batch) else None
    return as_batch(pixels, layout=layout), as_batch(weights)


@jax.jit
def _blended(pixels: Any, weights: Any, order: Any, share: Any) -> tuple[Any, Any]:
    return tuple(
        _between(x.astype(jnp.float32), x[jnp.argsort(order)].astype(jnp.float32), share)
        for x in (pixels, weights)
    )  # type: ignore[return-value]


def _between(own: Any, other: Any, share: Any) -> Any:
    share = share.reshape(-1, *[1] * (own.ndim - 1))
    return other + share * (own - other)


def _rectangle(size: int, centre: Any, side: Any) -> tuple[Any, Any]:
    """First pixel of the rectangle and the one behind the last, along an axis."""
    half = jnp.floor(size * side).astype(jnp.int32) // 2
    middle = jnp.floor(centre * size).astype(jnp.int32)
    return jnp.clip(middle - half, 0, size), jnp.clip(middle + half, 0, size)


def _paste(
    pixels: Any, weights: Any, order: Any, y: Any, x: Any, share: Any, axis: int
) -> tuple[Any, Any]:
    others = jnp.argsort(order)
    side = jnp.sqrt(1 - share)
    inside: Any = True
    area: Any = 1.0
    for a, centre in ((axis, y), (axis + 1, x)):
        size = pixels.shape[a]
        first, last = _rectangle(size, centre, side)
        place = jnp.arange(size)
        within = (place >= first[:, None]) & (place < last[:, None])
        inside = inside & within.reshape(-1, *[size if k == a else 1 for k in (1, 2, 3)])
        area = area * ((last - first) / size)
    pasted = jnp.where(inside, pixels[others], pixels).astype(jnp.float32)
    return pasted, _between(weights.astype(jnp.float32), weights[others], 1 - area)


_pasted = jax.jit(_paste, static_argnums=6)
