"""One augmentation for each sample: samples with the same one are augmented together."""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._types import host
from .._types.batch import Batch
from .augmentations import AUGMENTATIONS, MAPS, STILL, Border, moved

IDENTITY = "identity"


def apply_stages(
    images: Batch,
    names: list[str],
    chosen: Any,
    parameters: Mapping[str, Any],
    border: Border,
) -> Batch:
    """Augments each sample in one or more stages.

    Args:
        images: uint8 images.
        names: what is chosen from.
        chosen: int32 `[stages, N]`, numbers of names; a tracer inside `jit`.
        parameters: for each name that takes a parameter, float32 `[stages, N]`.
        border: for geometric augmentations.

    Returns:
        Images of the same shapes.
    """
    parameters = {n: p for n, p in parameters.items() if n in names}
    if isinstance(chosen, np.ndarray):
        for stage, numbers in enumerate(chosen):
            here = {n: p[stage] for n, p in parameters.items()}
            images = _grouped(images, names, numbers, here, border)
        return images

    # One program for all stages: compiling takes far longer than augmenting.
    leaves, structure = jax.tree.flatten(images)

    def augmented(pixels: Any, stage: Any) -> tuple[Any, None]:
        numbers, here = stage
        batch = jax.tree.unflatten(structure, [pixels, *leaves[1:]])
        return _selected(batch, names, numbers, here, border), None

    pixels, _ = jax.lax.scan(augmented, leaves[0], (chosen, parameters))
    return jax.tree.unflatten(structure, [pixels, *leaves[1:]])


def _grouped(
    images: Batch,
    names: list[str],
    chosen: np.ndarray,
    parameters: Mapping[str, Any],
    border: Border,
) -> Batch:
    results: dict[int, np.ndarray] = {}
    for number, name in enumerate(names):
        members = np.flatnonzero(chosen == number)
        if name == IDENTITY or not len(members):
            continue
        # A program is compiled for each number of samples: only few numbers occur.
        rows = np.concatenate([members, np.repeat(members[:1], _rounded(len(members)))])
        rows = rows[: max(len(members), _rounded(len(members)))]
        given = parameters.get(name)
        group = AUGMENTATIONS[name](
            images.select(rows.tolist()), None if given is None else given[rows], border
        )
        for place, sample in enumerate(members.tolist()):
            results[sample] = group.storage.sample(place)
    return _with_samples(images, results) if results else images


def _rounded(count: int) -> int:
    """The next power of two, or three halves of one."""
    power = 1 << (count - 1).bit_length()
    return power * 3 // 4 if count <= power * 3 // 4 and power >= 4 else power


def _with_samples(images: Batch, results: dict[int, np.ndarray]) -> Batch:
    """A batch with some samples replaced by others of the same shape."""
    old, spec = images.storage, images.spec
    samples = [results.get(i) for i in range(spec.count)]
    samples = [np.asarray(old.sample(i)) if s is None else s for i, s in enumerate(samples)]
    if spec.uniform:
        return host.dense_batch(np.stack(samples), layout=spec.layout, source=images.source)
    buffer, shapes = host.rows(samples)
    return host.packed_batch(buffer, shapes, layout=spec.layout, source=images.source)


def _selected(
    images: Batch,
    names: list[str],
    chosen: Any,
    parameters: Mapping[str, Any],
    border: Border,
) -> Any:
    """Inside `jit`, where the choice is not known: all of them, and one of the results' pixels."""
    result = jax.tree.leaves(images)[0]
    alone = [n for n in names if n != IDENTITY and n not in MAPS]
    for name in alone:
        augmented = AUGMENTATIONS[name](images, parameters.get(name), border)
        result = _where(chosen == names.index(name), augmented, result)
    warps = [n for n in names if n in MAPS]
    if warps:
        entries: Any = STILL
        for name in warps:
            is_it = chosen == names.index(name)
            own = MAPS[name](images, parameters[name])
            entries = tuple(
                old if isinstance(new, float) else jnp.where(is_it, new, old)
                for old, new in zip(entries, own, strict=True)
            )
        numbers = np.array([names.index(n) for n in warps])
        is_one = (chosen[:, None] == numbers).any(1)
        result = _where(is_one, moved(images, entries, border), result)
    return result


def _where(is_it: Any, augmented: Batch, others: Any) -> Any:
    pixels = jax.tree.leaves(augmented)[0]
    return jnp.where(is_it.reshape(-1, *[1] * (pixels.ndim - 1)), pixels, others)
