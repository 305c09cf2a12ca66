"""Larger extents, filled with a value: `dynjax.pad`."""

from typing import Any

import jax.numpy as jnp

from .._schema import Output, PerSample, operator
from .._types.columns import Column, any_of, is_constant, is_traced, maximum, where
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.axes import chosen
from ._lib.bounds import largest, window_bound
from ._lib.gather_window import window


@operator("pad")
def pad(
    x: Spec,
    /,
    *,
    align: PerSample[list[int]] | None = None,
    axes: PerSample[list[int]] | None = None,
    axis_names: str | None = None,
    fill_value: PerSample[float] = 0.0,
    shape: PerSample[list[int]] | None = None,
) -> Output:
    """Extends data at the end of some axes.

    Args:
        x: any data.
        align: round the extents up to multiples of these: one value, or one for each axis.
        axes: which axes; negative ones count from the end. Default: all.
        axis_names: their letters in the layout, alternatively.
        fill_value: what the new elements hold.
        shape: the wanted extents: one value, or one for each axis; 0 or less means the largest in
            the batch, which is the default. Data are never made smaller.

    Returns:
        The data with larger extents, in the same layout.

    Raises:
        OperatorError: a wrong number of values, or an axis that does not exist.

    Source: DALI `Pad`; definition checked against recordings.

    Example:
        >>> np.asarray(dynjax.pad(dynjax.tensor([1, 2]), shape=[4], fill_value=9))
        array([1, 2, 9, 9], dtype=int32)
    """
    along = chosen("pad", x, axes, axis_names)
    targets = _values("shape", shape, len(along), _LARGEST)
    multiples = _values("align", align, len(along), 1)
    sizes = []
    for axis, target, multiple in zip(along, targets, multiples, strict=True):
        if any_of(multiple < 1):
            raise OperatorError(f"pad: align={multiple}; expected positive values.")
        extent = x.shape[axis]
        wanted = where(target <= 0, _largest(extent), target)
        is_largest = is_constant(target) and target <= 0
        size = wanted if is_largest else maximum(wanted, extent)
        sizes.append(-(-size // multiple) * multiple)

    def size_of(k: int, slot: int) -> int | None:
        target, multiple = largest(targets[k]), largest(multiples[k])
        if target is None or multiple is None:
            return None
        return -(-max(target, slot) // multiple) * multiple

    bound = window_bound(x.ndim, along, "pad", size_of)
    return window(x, along, [0] * len(along), sizes, fill=[fill_value], bound=bound, what="pad")


_LARGEST = -1


def _values(name: str, values: Any, rank: int, default: int) -> list[Column]:
    if values is None or not len(values):
        return [default] * rank
    if len(values) == 1 and rank:
        return list(values) * rank
    if len(values) != rank:
        expected = f"1 or {rank}, one for each axis" if rank > 1 else str(rank)
        raise OperatorError(f"pad: {name} has {len(values)} values; expected {expected}.")
    return list(values)


def _largest(extent: Column) -> Column:
    """The largest extent in the batch."""
    if is_constant(extent):
        return extent
    if is_traced(extent):
        return jnp.broadcast_to(jnp.max(extent, initial=0), extent.shape)
    return int(extent.max(initial=0))
