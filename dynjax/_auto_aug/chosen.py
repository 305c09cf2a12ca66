"""One augmentation for each sample: samples with the same one are augmented together."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._types import host
from .._types.batch import Batch
from .._types.construct import as_batch
from .augmentations import AUGMENTATIONS, Border

IDENTITY = "identity"


def apply_chosen(
    images: Batch,
    names: list[str],
    chosen: Any,
    parameters: Mapping[str, Any],
    border: Border,
) -> Batch:
    """Augments each sample.

    Args:
        images: uint8 images.
        names: what is chosen from.
        chosen: int32 `[N]`, numbers of names; a tracer inside `jit`.
        parameters: for each name that takes a parameter, float32 `[N]`.
        border: for geometric augmentations.

    Returns:
        Images of the same shapes.
    """
    if isinstance(chosen, np.ndarray):
        return _grouped(images, names, chosen, parameters, border)
    return _selected(images, names, chosen, parameters, border)


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
) -> Batch:
    """Inside `jit`, where the choice is not known: all of them, and one of the results."""
    result = images
    for number, name in enumerate(names):
        if name != IDENTITY:
            augmented = AUGMENTATIONS[name](images, parameters.get(name), border)
            is_it = as_batch((chosen == number).astype(np.uint8))
            result = result + (augmented - result) * is_it  # modulo 256
    return result
