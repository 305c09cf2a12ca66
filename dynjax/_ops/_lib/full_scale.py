"""Sound as floats and as integers: an integer type's largest value is full scale."""

from typing import Any

import numpy as np


def to_scale(xp: Any, x: Any, source: np.dtype, target: np.dtype) -> Any:
    """Samples of a type as float32 of which `from_scale` makes another.

    Signed types and floats lie around 0, unsigned ones above it: beyond the ends of a signal, 0
    stands for silence in the one case and for the lowest value in the other, as in the original.
    """
    values = x.astype(xp.float32)
    if source == target:
        return values
    if source.kind in "iu":
        values = values / float(np.iinfo(source).max)
    if (source.kind == "u") == (target.kind == "u"):
        return values
    return values * 2 - 1 if source.kind == "u" else values / 2 + 0.5


def largest(source: np.dtype, target: np.dtype) -> float:
    """What the floats of `to_scale` are multiplied by to become the target's integers."""
    return 1.0 if source == target or target.kind == "f" else float(np.iinfo(target).max)
