"""The strengths of augmentations: from a magnitude bin and a sign to a parameter."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._types.errors import ArgumentError, at_call


@dataclass(frozen=True)
class Strength:
    """The range over which the bins are spread evenly.

    Attributes:
        low, high: parameter, or what is added to `center`, of the first and the last bin.
        signed: with a random sign.
        center: the parameter that leaves an image alone, where `low` and `high` are changes of it.
    """

    low: float
    high: float
    signed: bool = False
    center: float = 0.0

    def parameters(self, bins: Any, negative: Any, count: int) -> Any:
        """float32 `[N]` for the bins 0 to `count - 1` of the samples."""
        values = np.linspace(self.low, self.high, count, dtype=np.float32)
        chosen = values[bins] if isinstance(bins, np.ndarray) else jnp.asarray(values)[bins]
        if self.signed:
            chosen = chosen * (1 - 2 * negative.astype(np.float32))
        return chosen + np.float32(self.center)


Suite = Mapping[str, Strength | None]


def _warps(shear: float, angle: float) -> dict[str, Strength]:
    sheared = Strength(0.0, shear, signed=True)
    return {"shear_x": sheared, "shear_y": sheared, "rotate": Strength(0.0, angle, signed=True)}


def _colours(strength: Strength) -> dict[str, Strength]:
    return dict.fromkeys(("brightness", "contrast", "color", "sharpness"), strength)


_PLAIN: dict[str, Strength | None] = dict.fromkeys(("equalize", "auto_contrast", "identity"))

# RandAugment, whose strength grows with the bin.
RAND: Suite = {
    **_warps(0.3, 30.0),
    **_colours(Strength(0.0, 0.9, signed=True, center=1.0)),
    "posterize": Strength(8.0, 4.0),
    "solarize": Strength(256.0, 0.0),
    **_PLAIN,
}
# RandAugment with AutoAugment's ranges.
RAND_NON_MONOTONIC: Suite = {
    **_warps(0.3, 30.0),
    **_colours(Strength(0.1, 1.9)),
    "posterize": Strength(0.0, 4.0),
    "solarize": Strength(0.0, 256.0),
    **_PLAIN,
}
TRIVIAL_WIDE: Suite = {
    **_warps(0.99, 135.0),
    **_colours(Strength(0.01, 0.99, signed=True, center=1.0)),
    "posterize": Strength(8.0, 2.0),
    "solarize": Strength(256.0, 0.0),
    **_PLAIN,
}
AUTO: Suite = {
    **RAND_NON_MONOTONIC,
    "solarize_add": Strength(0.0, 110.0),
    "invert": None,
}

Limit = float | tuple[float, float] | None


def with_translations(
    name: str, suite: Suite, default: float, max_abs: Limit, max_rel: Limit
) -> dict[str, Strength | None]:
    """The suite with shifts by up to a number of pixels, or a share of the image's sides.

    Raises:
        ArgumentError: both limits are given.
    """
    if max_abs is not None and max_rel is not None:
        raise at_call(
            ArgumentError(
                f"{name}: max_translate_abs and max_translate_rel are given; pass one of them."
            )
        )
    given = max_rel if max_abs is None else max_abs
    limit = default if given is None else given
    down, right = limit if isinstance(limit, tuple | list) else (limit, limit)
    kind = "" if max_rel is None else "_share"
    return {
        f"translate_x{kind}": Strength(0.0, float(right), signed=True),
        f"translate_y{kind}": Strength(0.0, float(down), signed=True),
        **suite,
    }


def without(name: str, suite: dict[str, Strength | None], excluded: Any) -> dict:
    """The suite without some of its augmentations.

    Raises:
        ArgumentError: a name that is not in it.
    """
    known = {n.removesuffix("_share"): n for n in suite}
    for wrong in set(excluded or ()) - set(known):
        raise at_call(
            ArgumentError(
                f"{name}: excluded holds {wrong!r}; expected some of {', '.join(sorted(known))}."
            )
        )
    return {n: suite[n] for short, n in known.items() if short not in (excluded or ())}
