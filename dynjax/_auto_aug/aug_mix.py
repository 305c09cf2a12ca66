"""AugMix: `dynjax.auto_aug.aug_mix`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._ops.cast import cast
from .._ops.random.beta import beta
from .._types.construct import as_batch
from .._types.enums import DALIInterpType
from .._types.errors import ArgumentError, at_call
from .augmentations import Border
from .chosen import IDENTITY, apply_stages
from .draws import Draws
from .images import as_images, is_traced, values_of

_WHAT = "aug_mix"
_LEVELS = 10.0
_OPERATIONS = (
    *("auto_contrast", "equalize", "posterize", "rotate", "solarize"),
    *("shear_x", "shear_y", "translate_x_share", "translate_y_share"),
)
# Those that overlap with the corruptions of the ImageNet-C benchmark.
_ALL_OPERATIONS = (*_OPERATIONS, "color", "contrast", "brightness", "sharpness")


def aug_mix(
    images: Any,
    *,
    severity: float = 3,
    width: int = 3,
    depth: int = -1,
    alpha: float = 1.0,
    all_ops: bool = False,
    fill_value: float | None = 0,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    key: Any = None,
    rng: Any = None,
) -> Any:
    """Mixes each image with a mixture of chains of mild augmentations.

        out = (1 - m) image + m sum_i w_i chain_i(image),   m ~ Beta(alpha, alpha),
        w ~ Dirichlet(alpha, ...)

    rounded to nearest.

    Args:
        images: uint8 HWC or FHWC, one or a batch; sizes may differ.
        severity: largest strength, 0.1 to 10; each augmentation's is uniform in [0.1, severity).
        width: number of chains, at least 1.
        depth: augmentations of a chain; -1: 1 to 3, drawn for each chain.
        alpha: of the distributions, more than 0.
        all_ops: also `color`, `contrast`, `brightness` and `sharpness`, which the authors leave
            out because they overlap with the corruptions they test on.
        fill_value: what is outside the image, 0 to 255. None: the nearest pixel.
        interp_type: `INTERP_LINEAR` or `INTERP_NN`.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        uint8 images of the same shapes.

    Raises:
        OperatorError: images of another dtype or layout.
        ArgumentError: a number out of range.

    Source: Hendrycks et al., "AugMix" (2020), and the authors' program.

    Example:
        >>> images = dynjax.batch(np.full((2, 8, 8, 3), 90, np.uint8), layout="HWC")
        >>> dynjax.auto_aug.aug_mix(images, key=jax.random.key(1)).dtype
        DType(kind=Kind.unsigned, bits=8)
    """
    if not (
        0.1 <= severity <= _LEVELS and width >= 1 and alpha > 0 and (depth >= 1 or depth == -1)
    ):
        raise at_call(
            ArgumentError(
                f"{_WHAT}: severity={severity}, width={width}, depth={depth}, alpha={alpha}; "
                "expected a severity of 0.1 to 10, at least one chain, a depth of at least 1 or "
                "-1, and a positive alpha."
            )
        )
    data, batched = as_images(_WHAT, images)
    count = data.batch_size
    draws = Draws(_WHAT, key, rng, count, is_traced(data))
    names = [IDENTITY, *(_ALL_OPERATIONS if all_ops else _OPERATIONS)]
    border = Border(fill_value, interp_type)
    stages = 3 if depth == -1 else depth
    # Of the chains, and within each of its stages.
    first = 8 * (width + 1) + 4 * (stages + 1) * np.arange(width)[:, None]
    tags = first + 4 * (1 + np.arange(stages))
    length = draws.below(first, 3) + 1 if depth == -1 else np.int32(depth)
    chosen = draws.below(tags, len(names) - 1) + 1
    chosen = chosen * (np.arange(stages, dtype=np.int32)[:, None] < length)
    level = draws.between(tags + 1, 0.1, severity)
    parameters = _parameters(level, draws.below(tags + 2, 2))
    weights = _weights(draws, width, alpha, count)

    def add(mixed: Any, chain: Any) -> tuple[Any, None]:
        numbers, given, weight = chain
        augmented = apply_stages(data, names, numbers, given, border)
        return mixed + cast(augmented, dtype="float32") * as_batch(weight), None

    mixed = cast(data * np.uint8(0), dtype="float32")
    chains = (chosen, parameters, weights)
    if draws.traced:
        # One program for all chains.
        mixed, _ = jax.lax.scan(add, mixed, chains)
    else:
        for k in range(width):
            mixed, _ = add(mixed, jax.tree.map(lambda values, k=k: values[k], chains))
    kept = beta(alpha=alpha, beta=alpha, key=draws.keys(0))
    result = cast(mixed + (cast(data, dtype="float32") - mixed) * kept, dtype="uint8")
    return result if batched else result.select(0)


def _weights(draws: Draws, width: int, alpha: float, count: int) -> Any:
    """Shares of the chains, `[width, N]`, from a stick broken piece by piece."""
    xp = jnp if draws.traced else np
    left = xp.ones(count, np.float32)
    weights = []
    for chain in range(width - 1):
        drawn = beta(alpha=alpha, beta=alpha * (width - 1 - chain), key=draws.keys(8 + chain))
        share = values_of(drawn) * left
        weights.append(share)
        left = left - share
    return xp.stack([*weights, left])


def _parameters(level: Any, negative: Any) -> dict[str, Any]:
    """The authors' strengths: parts of a tenth of the level, whole numbers where they have them."""
    sign = 1 - 2 * negative.astype(np.float32)
    part = level / np.float32(_LEVELS)
    enhanced = part * np.float32(1.8) + np.float32(0.1)
    sheared, shifted = part * np.float32(0.3) * sign, part / np.float32(3) * sign
    whole = np.int32
    return {
        "posterize": 4 - (part * 4).astype(whole).astype(np.float32),
        "rotate": (part * 30).astype(whole).astype(np.float32) * sign,
        "solarize": 256 - (part * 256).astype(whole).astype(np.float32),
        "shear_x": sheared,
        "shear_y": sheared,
        "translate_x_share": shifted,
        "translate_y_share": shifted,
        **dict.fromkeys(("color", "contrast", "brightness", "sharpness"), enhanced),
    }
