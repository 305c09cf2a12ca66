"""How large results can be inside `jit`, where sizes that are data need a static limit."""

from collections.abc import Callable, Sequence

import numpy as np

from ..._schema import BoundOf
from ..._types.columns import Column, is_constant, is_traced


def largest(column: Column) -> int | None:
    """The largest value of a column; None if it is not known inside `jit`."""
    if is_constant(column):
        return int(column)
    return None if is_traced(column) else int(np.max(column, initial=0))


def window_bound(
    ndim: int, axes: Sequence[int], policy: str, size_of: Callable[[int, int], int | None]
) -> BoundOf:
    """The bound of a window of the first input.

    Args:
        ndim: axes of the input.
        axes: those along which the window differs from it.
        policy: `"pad"` for windows that may reach beyond the input.
        size_of: `(k, slot)` gives the largest extent along `axes[k]` for inputs up to that size,
            or None.
    """

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        result: list[int | None] = [None] * ndim
        for k, axis in enumerate(axes):
            slot = slots[0][axis]
            size = size_of(k, slot)
            if policy != "pad":
                size = slot if size is None else min(size, slot)
            result[axis] = size
        return result

    return bound
