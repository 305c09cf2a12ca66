"""The size rules of `resize` and its relatives: from what is asked for to extents and regions."""

import functools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from ..._types.columns import (
    Column,
    absolute,
    any_of,
    as_double,
    as_integer,
    ceil,
    first_of,
    is_constant,
    maximum,
    minimum,
    round_half_away,
    trunc,
    value_at,
    where,
)
from ..._types.errors import OperatorError

# Kernels count in 32 bits.
_MAX_SIZE = 2.0**31
# The farthest edge of a source region that the native kernel takes.
_MAX_POSITION = 2.0**30
# The original keeps the scale no longer where less of a pixel than this becomes a whole one.
_LEAST_EXACT = 0.1

MODES = ("default", "stretch", "not_larger", "not_smaller")
_TO_INTEGER = {"round": round_half_away, "truncate": trunc, "ceil": ceil}
ROUNDINGS = tuple(_TO_INTEGER)


@final
@dataclass(frozen=True, slots=True)
class Resampling:
    """What a resampling kernel needs to know of one axis.

    Attributes:
        size: extent of the result; 0 where the input's is.
        low, high: source region in pixels; `high < low` flips the axis.
        shrinks: whether the result is smaller than the region.
    """

    size: Column
    low: Column
    high: Column
    shrinks: Column


def scaled(
    requested: Sequence[Column],
    region: Sequence[Column],
    mode: str,
    max_size: Sequence[float] | None,
) -> list[Column]:
    """The real (unrounded) size of each axis.

    Args:
        requested: wanted sizes; 0 leaves an axis free.
        region: extents of the source region.
        mode: `default` keeps the aspect of free axes, `stretch` their extent; `not_larger` and
            `not_smaller` scale all axes alike, so that none is larger (smaller) than requested.
        max_size: upper limits, one for each axis.
    """
    given = [absolute(r) > 0 for r in requested]
    scales = [absolute(r) / maximum(n, 1e-9) for r, n in zip(requested, region, strict=True)]
    if mode in ("not_larger", "not_smaller"):
        common = _extreme(scales, given, largest=mode == "not_smaller")
        if max_size is not None:
            limits = [m / maximum(n, 1e-9) for m, n in zip(max_size, region, strict=True)]
            for limit in limits:
                common = minimum(common, limit)
        return [common * n for n in region]
    free: Column = 1.0 if mode == "stretch" else _geometric_mean(scales, given)
    sizes = [
        where(g, absolute(r), free * n) for g, r, n in zip(given, requested, region, strict=True)
    ]
    if max_size is not None:
        sizes = [minimum(s, m) for s, m in zip(sizes, max_size, strict=True)]
    return sizes


def size_bounds(
    requested: Sequence[Column],
    mode: str,
    max_size: Sequence[float] | None,
    slots: Sequence[int],
) -> list[int | None]:
    """The largest size of each axis that the arguments allow, or None; arguments as above.

    Args:
        slots: the largest extents of the source region.
    """
    result: list[int | None] = []
    for k, (size, slot) in enumerate(zip(requested, slots, strict=True)):
        limits = [] if max_size is None else [max_size[k]]
        if is_constant(size) and size != 0 and mode != "not_smaller":
            limits.append(abs(size))
        elif is_constant(size) and mode == "stretch":
            limits.append(float(slot))
        limit = min(limits, default=math.inf)
        result.append(max(int(round_half_away(float(limit))), 1) if limit < _MAX_SIZE else None)
    return result


def _extreme(scales, given, largest: bool) -> Column:
    """The largest or smallest scale among the axes that are given; 1 if none is."""
    worst = 0.0 if largest else float("inf")
    result: Column = worst
    for scale, g in zip(scales, given, strict=True):
        candidate = where(g, scale, worst)
        result = maximum(result, candidate) if largest else minimum(result, candidate)
    return where(result == worst, 1.0, result)


def _geometric_mean(scales, given) -> Column:
    product: Column = 1.0
    count: Column = 0
    for scale, g in zip(scales, given, strict=True):
        product = product * where(g, scale, 1.0)
        count = count + where(g, 1, 0)
    return product ** (1.0 / maximum(count, 1))


def resampling(
    what: str,
    extents: Sequence[Column],
    requested: Sequence[Column],
    *,
    mode: str,
    max_size: Sequence[float] | None,
    roi: tuple[Sequence[Column], Sequence[Column]] | None,
    keep_scale: bool,
    alignment: Sequence[Column] | None = None,
    rounding: str = "round",
) -> list[Resampling]:
    """Sizes and source regions of all axes.

    Args:
        what: the operator, for messages.
        extents: the input's spatial extents.
        requested: wanted sizes; 0 leaves an axis free, a negative size flips it.
        roi: start and end of the source region in pixels, or None for all of it.
        keep_scale: where a size was rounded, adapt the region so that the scale stays exact.
        alignment: for each axis what stays in its place then: 0 is the region's start, 1 its end.
            Default: the centre.
        rounding: of sizes; one of `ROUNDINGS`.
    """
    if rounding not in ROUNDINGS:
        raise OperatorError(f"{what}: size_rounding={rounding!r}; expected one of {ROUNDINGS}.")
    if alignment is None:
        alignment = [0.5] * len(extents)
    lows = [as_double(c) for c in roi[0]] if roi else [0.0 * as_double(n) for n in extents]
    highs = [as_double(c) for c in roi[1]] if roi else [as_double(n) for n in extents]
    present = [_present(n) for n in extents]
    wanted = [where(p, as_double(r), 0.0) for p, r in zip(present, requested, strict=True)]
    if roi:
        lows, highs = _facing(lows, highs, wanted, mode)
    region = [
        where(p, absolute(h - lo), 0.0) for p, lo, h in zip(present, lows, highs, strict=True)
    ]
    real = scaled(wanted, region, mode, max_size)
    for size in (*wanted, *real):
        possible = absolute(size) < _MAX_SIZE  # NaN is not
        if any_of(possible == False):  # noqa: E712 a column
            i = first_of(possible == False)  # noqa: E712
            raise OperatorError(
                f"{what}: sample {i}: a size of {value_at(size, i)} pixels is impossible."
            )
    untouched = mode == "stretch" and roi is None and max_size is None
    axes = []
    for p, given, r, size, lo, hi, n, fixed in zip(
        present, requested, wanted, real, lows, highs, extents, alignment, strict=True
    ):
        if untouched and is_constant(given) and given == 0:
            # The input's own column, so that its bound inside `jit` is known.
            axes.append(Resampling(n, lo, hi, False))
            continue
        rounded = where(p, maximum(as_integer(_TO_INTEGER[rounding](size)), 1), 0)
        lo, hi = where(r < 0, hi, lo), where(r < 0, lo, hi)
        if keep_scale:
            anchor = lo + (hi - lo) * as_double(fixed)
            factor = rounded / maximum(size, _LEAST_EXACT)
            lo, hi = anchor - (anchor - lo) * factor, anchor + (hi - anchor) * factor
        axes.append(Resampling(rounded, lo, hi, rounded < absolute(hi - lo)))
    _check_regions(what, axes)
    return axes


def _present(extent: Column) -> Column:
    """Where an axis has elements; the constant True if it does in all samples, as it mostly does.

    An axis without any stays so, and the sizes of the others do not depend on it. Inside `jit`
    all axes count as present, so that sizes that are given are known there.
    """
    return extent != 0 if any_of(extent == 0) else True


def _facing(
    lows: Sequence[Column], highs: Sequence[Column], wanted: Sequence[Column], mode: str
) -> tuple[list[Column], list[Column]]:
    """Starts and ends of regions, of which not all that are given backwards flip their axis.

    A size that is given turns its own axis round; where the sizes only limit a common scale
    (`not_larger`, `not_smaller`), any of them turns all.
    """
    turns = [absolute(r) > 0 for r in wanted]
    if mode in ("not_larger", "not_smaller"):
        turns = [functools.reduce(operator.or_, turns)] * len(turns)
    pairs = [
        (where(t, lo, minimum(lo, hi)), where(t, hi, maximum(lo, hi)))
        for t, lo, hi in zip(turns, lows, highs, strict=True)
    ]
    return [p[0] for p in pairs], [p[1] for p in pairs]


def _check_regions(what: str, axes: Sequence[Resampling]) -> None:
    for edge in (edge for r in axes for edge in (r.low, r.high)):
        possible = absolute(edge) <= _MAX_POSITION  # NaN is not
        if any_of(possible == False):  # noqa: E712 a column
            i = first_of(possible == False)  # noqa: E712
            raise OperatorError(
                f"{what}: sample {i}: a source region with an edge at {value_at(edge, i)} pixels "
                "is impossible. Check roi_start and roi_end."
            )
