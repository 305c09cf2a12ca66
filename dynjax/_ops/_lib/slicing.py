"""The windows of `slice`: starts and ends as positions or as fractions of the extent."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._types.columns import (
    Column,
    any_of,
    as_double,
    as_integer,
    first_of,
    is_constant,
    is_traced,
    maximum,
    minimum,
    round_half_away,
    value_at,
)
from ..._types.errors import OperatorError, SampleError
from .bounds import largest
from .windows import POLICIES


class Bounds:
    """What a call says of its window: one kind of start, one kind of end."""

    def __init__(self, what: str, rank: int):
        self._what = what
        self._rank = rank
        self.start: tuple[str, Sequence[Column]] | None = None
        self.end: tuple[str, Sequence[Column]] | None = None

    def add(self, name: str, values: Sequence[Column] | None) -> None:
        """Notes an argument, if it is given."""
        if values is None or not len(values):
            return
        if len(values) != self._rank:
            raise OperatorError(
                f"{self._what}: {name} has {len(values)} values; expected {self._rank}, one for "
                "each axis."
            )
        side = "start" if name.endswith("start") else "end"
        if (other := getattr(self, side)) is not None:
            raise OperatorError(f"{self._what}: {name} cannot be combined with {other[0]}.")
        setattr(self, side, (name, values))

    def add_input(self, name: str, values: Sequence[Any] | None, normalized: bool) -> None:
        """Notes a positional input: floats are fractions if `normalized`."""
        if values is None:
            return
        real = any(
            isinstance(v, float) if is_constant(v) else np.dtype(v.dtype).kind == "f"
            for v in values
        )
        kind = "start" if name == "anchor" else "shape"
        if real:
            values = [float(np.float32(v)) if is_constant(v) else v for v in values]
        self.add("rel_" + kind if real and normalized else kind, values)

    def static_size(self, k: int) -> int | None:
        """The size along an axis if it is a whole number whatever the start is; None if not."""
        kind, values = self.end or ("", ())
        if kind != "shape" or not is_constant(values[k]):
            return None
        size = float(values[k])
        return int(size) if size >= 0 and size.is_integer() else None

    def largest(self, k: int, slot: int) -> int | None:
        """The largest window along an axis of at most `slot` elements; None if that is unknown."""
        # Between the two extremes the size is linear, but for the rounding of either end.
        sizes = [largest(end - begin) for begin, end in (_limits(self, k, n) for n in (0, slot))]
        known = [size for size in sizes if size is not None]
        return max(*known, 0) + 1 if len(known) == len(sizes) else None


def windows_of(
    what: str, extents: Sequence[Column], bounds: Bounds, policy: str
) -> tuple[list[Column], list[Column]]:
    """Anchor and extent of the window along each axis."""
    if policy not in POLICIES:
        raise OperatorError(f"{what}: out_of_bounds_policy={policy!r}; expected one of {POLICIES}.")
    anchors: list[Column] = []
    sizes: list[Column] = []
    for k, extent in enumerate(extents):
        begin, end = _limits(bounds, k, extent)
        negative = end < begin
        if not is_traced(negative) and any_of(negative):
            i = first_of(negative)
            raise SampleError.of(
                what,
                i,
                f"the window ends at {value_at(end, i)}, before its start at {value_at(begin, i)}.",
            )
        if policy == "trim_to_shape":
            begin = minimum(maximum(begin, 0), extent)
            end = maximum(minimum(end, extent), begin)
        elif policy == "error":
            _check(what, begin, end, extent)
        anchors.append(begin)
        static = bounds.static_size(k) if policy != "trim_to_shape" and is_traced(begin) else None
        sizes.append(_unchanged(begin, end, extent) if static is None else static)
    return anchors, sizes


def _unchanged(begin: Column, end: Column, extent: Column) -> Column:
    """The extent of the window; the input's own column where it is the whole axis."""
    if end is extent and is_constant(begin) and begin == 0:
        return extent
    return end - begin


def _limits(bounds: Bounds, k: int, extent: Column) -> tuple[Column, Column]:
    n = as_double(extent)
    kind, starts = bounds.start or ("start", None)
    start: Column = 0 if starts is None else starts[k]
    begin = as_double(start) * n if kind == "rel_start" else as_double(start)
    first = _whole(begin)
    if bounds.end is None:
        return first, extent
    name, values = bounds.end
    value = values[k]
    if name == "end":
        return first, _whole(value)
    if name == "rel_end":
        return first, _whole(as_double(value) * n)
    if name == "shape":
        return first, _whole(begin + as_double(value))
    if kind == "rel_start":
        # The sum is formed in single precision, as the original holds both.
        return first, _whole(as_double(_single_sum(start, value)) * n)
    return first, _whole(begin + as_double(value) * n)


def _single_sum(a: Column, b: Column) -> Column:
    if is_constant(a) and is_constant(b):
        return float(np.float32(a) + np.float32(b))
    if is_traced(a, b):
        return jnp.asarray(a, jnp.float32) + jnp.asarray(b, jnp.float32)
    return np.asarray(a, np.float32) + np.asarray(b, np.float32)


def _whole(value: Column) -> Column:
    return as_integer(round_half_away(value))


def _check(what: str, begin: Column, end: Column, extent: Column) -> None:
    limits = (begin, end, extent)
    for beyond in (begin < 0, end > extent):
        if any_of(beyond):
            i = first_of(beyond)
            first, last, size = ("?" if is_traced(c) else value_at(c, i) for c in limits)
            raise SampleError.of(
                what,
                i,
                f"the window [{first}, {last}) does not fit an extent of {size}. Pass "
                "out_of_bounds_policy='pad' or 'trim_to_shape'.",
            )
