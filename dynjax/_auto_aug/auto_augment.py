"""AutoAugment: `dynjax.auto_aug.auto_augment`."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .._types.enums import DALIInterpType
from .._types.errors import ArgumentError, at_call
from .augmentations import Border
from .chosen import IDENTITY, apply_stages
from .draws import Draws
from .images import as_images, is_traced
from .policies import BINS, POLICIES, steps_of
from .suites import AUTO, Limit, with_translations

_WHAT = "auto_augment"


def auto_augment(
    images: Any,
    policy: str = "image_net",
    *,
    fill_value: float | None = 128,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    max_translate_abs: Limit = None,
    max_translate_rel: Limit = None,
    key: Any = None,
    rng: Any = None,
) -> Any:
    """Applies a learnt policy: to each image one of 25 sequences, each of whose steps is a chance.

    Args:
        images: uint8 HWC or FHWC, one or a batch; sizes may differ.
        policy: `"image_net"`, `"reduced_image_net"`, `"svhn"` or `"reduced_cifar10"`.
        fill_value: what is outside the image, 0 to 255. None: the nearest pixel.
        interp_type: `INTERP_LINEAR` or `INTERP_NN`.
        max_translate_abs: pixels of the largest shift; one number, or for height and width.
            Default: 250.
        max_translate_rel: the same as a share of the image's own height and width, instead.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Images of the same shapes.

    Raises:
        OperatorError: images of another dtype or layout.
        ArgumentError: an unknown policy, both limits.

    Source: Cubuk et al., "AutoAugment" (2019); figures as in DALI's `auto_aug`.

    Example:
        >>> images = dynjax.batch(np.zeros((4, 8, 8, 3), np.uint8), layout="HWC")
        >>> dynjax.auto_aug.auto_augment(images, key=jax.random.key(1)).shape[0]
        (8, 8, 3)
    """
    if policy not in POLICIES:
        raise at_call(
            ArgumentError(f"{_WHAT}: policy={policy!r}; expected one of {', '.join(POLICIES)}.")
        )
    data, batched = as_images(_WHAT, images)
    draws = Draws(_WHAT, key, rng, data.batch_size, is_traced(data))
    suite = with_translations(_WHAT, AUTO, 250, max_translate_abs, max_translate_rel)
    names = [IDENTITY, *(n for n in suite if n != IDENTITY)]
    short = [n.removesuffix("_share") for n in names]
    sequences = steps_of(POLICIES[policy])
    border = Border(fill_value, interp_type)
    which = draws.below(0, len(sequences))
    xp = jnp if draws.traced else np
    stages = max(map(len, sequences))
    steps = [[s[k] if k < len(s) else (IDENTITY, 0.0, 0) for s in sequences] for k in range(stages)]
    numbers = np.array([[short.index(name) for name, _, _ in row] for row in steps], np.int32)
    chances = np.array([[p for _, p, _ in row] for row in steps], np.float32)
    bins = np.array([[b for _, _, b in row] for row in steps], np.int32)
    tags = 3 * np.arange(stages)
    happens = draws.unit(tags + 1) < xp.asarray(chances)[:, which]
    negative = draws.below(tags + 2, 2)
    chosen = xp.where(happens, xp.asarray(numbers)[:, which], 0)
    bins = xp.asarray(bins)[:, which]
    parameters = {n: s.parameters(bins, negative, BINS) for n, s in suite.items() if s is not None}
    present = set(numbers.flat)
    names = [n if k in present else IDENTITY for k, n in enumerate(names)]
    data = apply_stages(data, names, chosen, parameters, border)
    return data if batched else data.select(0)
