"""TrivialAugment: `dynjax.auto_aug.trivial_augment_wide`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._types.enums import DALIInterpType
from .._types.errors import ArgumentError, at_call
from .augmentations import Border
from .chosen import apply_stages
from .draws import Draws
from .images import as_images, is_traced
from .suites import TRIVIAL_WIDE, Limit, with_translations, without

_WHAT = "trivial_augment_wide"


def trivial_augment_wide(
    images: Any,
    *,
    num_magnitude_bins: int = 31,
    fill_value: float | None = 128,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    max_translate_abs: Limit = None,
    max_translate_rel: Limit = None,
    excluded: Sequence[str] | None = None,
    key: Any = None,
    rng: Any = None,
) -> Any:
    """Applies one augmentation to each image; which, and how strong, is drawn uniformly.

    Args:
        images: uint8 HWC or FHWC, one or a batch; sizes may differ.
        num_magnitude_bins: over how many magnitudes the ranges are spread.
        fill_value: what is outside the image, 0 to 255. None: the nearest pixel.
        interp_type: `INTERP_LINEAR` or `INTERP_NN`.
        max_translate_abs: pixels of the largest shift; one number, or for height and width.
            Default: 32.
        max_translate_rel: the same as a share of the image's own height and width, instead.
        excluded: names of augmentations to leave out; those of `rand_augment`.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Images of the same shapes.

    Raises:
        OperatorError: images of another dtype or layout.
        ArgumentError: no magnitudes, an unknown name, nothing left to choose, both limits.

    Source: Müller and Hutter, "TrivialAugment" (2021); figures as in DALI's `auto_aug`.

    Example:
        >>> images = dynjax.batch(np.zeros((4, 8, 8, 3), np.uint8), layout="HWC")
        >>> dynjax.auto_aug.trivial_augment_wide(images, key=jax.random.key(1)).shape[0]
        (8, 8, 3)
    """
    if num_magnitude_bins < 1:
        raise at_call(
            ArgumentError(f"{_WHAT}: num_magnitude_bins={num_magnitude_bins}; expected at least 1.")
        )
    data, batched = as_images(_WHAT, images)
    draws = Draws(_WHAT, key, rng, data.batch_size, is_traced(data))
    suite = with_translations(_WHAT, TRIVIAL_WIDE, 32, max_translate_abs, max_translate_rel)
    suite = without(_WHAT, suite, excluded)
    names = list(suite)
    if not names:
        raise at_call(ArgumentError(f"{_WHAT}: excluded leaves nothing to choose from."))
    chosen, bins, negative = (
        draws.below(np.array([0]), len(names)),
        draws.below(np.array([1]), num_magnitude_bins),
        draws.below(np.array([2]), 2),
    )
    parameters = {
        name: s.parameters(bins, negative, num_magnitude_bins)
        for name, s in suite.items()
        if s is not None
    }
    data = apply_stages(data, names, chosen, parameters, Border(fill_value, interp_type))
    return data if batched else data.select(0)
