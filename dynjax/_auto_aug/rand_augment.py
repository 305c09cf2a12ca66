"""RandAugment: `dynjax.auto_aug.rand_augment`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._types.enums import DALIInterpType
from .._types.errors import ArgumentError, at_call
from .augmentations import Border
from .chosen import apply_stages
from .draws import Draws
from .images import as_images, is_traced
from .suites import RAND, RAND_NON_MONOTONIC, Limit, with_translations, without

_WHAT = "rand_augment"


def rand_augment(
    images: Any,
    n: int,
    m: int,
    *,
    num_magnitude_bins: int = 31,
    fill_value: float | None = 128,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    max_translate_abs: Limit = None,
    max_translate_rel: Limit = None,
    monotonic_mag: bool = True,
    excluded: Sequence[str] | None = None,
    key: Any = None,
    rng: Any = None,
) -> Any:
    """Applies `n` augmentations to each image, chosen uniformly, all with magnitude `m`.

    Args:
        images: uint8 HWC or FHWC, one or a batch; sizes may differ.
        n: number of augmentations; 0 gives the images.
        m: magnitude, 0 to `num_magnitude_bins - 1`.
        num_magnitude_bins: over how many magnitudes the ranges are spread.
        fill_value: what is outside the image, 0 to 255. None: the nearest pixel.
        interp_type: `INTERP_LINEAR` or `INTERP_NN`.
        max_translate_abs: pixels of the largest shift; one number, or for height and width.
            Default: 100.
        max_translate_rel: the same as a share of the image's own height and width, instead.
        monotonic_mag: a larger magnitude is always stronger; otherwise colour changes have
            AutoAugment's ranges.
        excluded: names of augmentations to leave out: of `auto_contrast`, `brightness`, `color`,
            `contrast`, `equalize`, `identity`, `posterize`, `rotate`, `sharpness`, `shear_x`,
            `shear_y`, `solarize`, `translate_x`, `translate_y`.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Images of the same shapes.

    Raises:
        OperatorError: images of another dtype or layout.
        ArgumentError: a number out of range, an unknown name, nothing left to choose, both limits.

    Source: Cubuk et al., "RandAugment" (2020); figures as in DALI's `auto_aug`.

    Example:
        >>> images = dynjax.batch(np.zeros((4, 8, 8, 3), np.uint8), layout="HWC")
        >>> dynjax.auto_aug.rand_augment(images, n=2, m=9, key=jax.random.key(1)).shape[0]
        (8, 8, 3)
    """
    if n < 0 or num_magnitude_bins < 1 or not 0 <= m < num_magnitude_bins:
        raise at_call(
            ArgumentError(
                f"{_WHAT}: n={n}, m={m}, num_magnitude_bins={num_magnitude_bins}; expected n of "
                "at least 0 and m from 0 to num_magnitude_bins - 1."
            )
        )
    data, batched = as_images(_WHAT, images)
    count = data.batch_size
    draws = Draws(_WHAT, key, rng, count, is_traced(data))
    base = RAND if monotonic_mag else RAND_NON_MONOTONIC
    suite = with_translations(_WHAT, base, 100, max_translate_abs, max_translate_rel)
    suite = without(_WHAT, suite, excluded)
    names = list(suite)
    if n and not names:
        raise at_call(ArgumentError(f"{_WHAT}: excluded leaves nothing to choose from."))
    if n:
        tags = 2 * np.arange(n)
        bins = np.full((n, count), m, np.int32)
        chosen, negative = draws.below(tags, len(names)), draws.below(tags + 1, 2)
        parameters = {
            name: s.parameters(bins, negative, num_magnitude_bins)
            for name, s in suite.items()
            if s is not None
        }
        data = apply_stages(data, names, chosen, parameters, Border(fill_value, interp_type))
    return data if batched else data.select(0)
