"""Random crops about a region of interest: `dynjax.roi_random_crop`."""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from .._schema import Known, Output, PerSample, operator
from .._types.columns import (
    Column,
    any_of,
    array_module,
    first_of,
    is_traced,
    maximum,
    minimum,
    value_at,
    where,
)
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.random_windows import integer_below, words_of

_WHAT = "roi_random_crop"


@operator(_WHAT, random=True)
def roi_random_crop(
    data: Spec | None = None,
    /,
    *,
    crop_shape: PerSample[list[int]],
    in_shape: PerSample[list[int]] | None = None,
    roi_end: PerSample[list[int]] | None = None,
    roi_shape: PerSample[list[int]] | None = None,
    roi_start: PerSample[list[int]],
    key: Sequence[Column],
) -> Output:
    """Draws where a crop begins: inside the region if it is smaller, else around it.

    Along each axis the start is uniform on the integers between `roi_start` and
    `roi_end - crop_shape`, of which those are left out for which the crop would leave the input.

    Args:
        data: the data to be cropped, for their shape.
        crop_shape: extents of the crop.
        in_shape: shape of the data, where they are not given. Without both the crop may lie
            anywhere.
        roi_start: where the region begins, one number for each axis or one for all.
        roi_end, roi_shape: where it ends, or its extents; one of them.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        The start of the crop, int64, one number for each axis.

    Raises:
        OperatorError: not one of `roi_end` and `roi_shape`, both `data` and `in_shape`, a number
            of values that does not fit, a region or a crop that is negative or larger than the
            data.

    Source: DALI `ROIRandomCrop`; definition checked against recordings.

    Example:
        >>> start = dynjax.roi_random_crop(
        ...     crop_shape=[4], roi_start=[2], roi_shape=[8], key=jax.random.key(1)
        ... )
        >>> 2 <= int(np.asarray(start)[0]) <= 6
        True
    """
    if (roi_end is None) == (roi_shape is None):
        raise OperatorError(f"{_WHAT}: expected one of roi_end and roi_shape.")
    if data is not None and in_shape is not None:
        raise OperatorError(f"{_WHAT}: in_shape stands for an input; expected only one of them.")
    bounds = data.shape if data is not None else in_shape
    given: dict[str, Any] = {
        "crop_shape": crop_shape,
        "roi_start": roi_start,
        "roi_end": roi_end,
        "roi_shape": roi_shape,
        "in_shape": bounds,
    }
    ndim = data.ndim if data is not None else _axes(given)
    values = {name: _each(name, v, ndim) for name, v in given.items() if v is not None}
    first, second = key
    xp = array_module(first, second)
    words = words_of(xp, (first, second), ndim)[0]
    result = []
    for k in range(ndim):
        start, size = values["roi_start"][k], values["crop_shape"][k]
        end = values["roi_end"][k] if roi_end is not None else start + values["roi_shape"][k]
        limit = values["in_shape"][k] if bounds is not None else None
        _check(k, start, end, size, limit)
        low, high = minimum(start, end - size), maximum(start, end - size)
        if limit is not None:
            low, high = maximum(low, 0), minimum(high, limit - size)
        count = xp.asarray(high - low + 1)
        result.append(low + integer_below(words[k], count).astype(np.int32))
    traced = is_traced(*result)
    dtype = jax.dtypes.canonicalize_dtype(np.int64) if traced else np.dtype(np.int64)
    return Known(result, np.dtype(dtype))


def _axes(given: dict[str, Any]) -> int:
    """How many axes the arguments are for."""
    return max(len(v) for v in given.values() if v is not None)


def _each(name: str, values: Sequence[Any], ndim: int) -> Sequence[Any]:
    if len(values) == 1:
        return list(values) * ndim
    if len(values) != ndim:
        raise OperatorError(f"{_WHAT}: {name} has {len(values)} values; expected {ndim} or one.")
    return values


def _check(axis: int, start: Column, end: Column, size: Column, limit: Column | None) -> None:
    wrong = [
        (size < 0, "a crop of {size} elements"),
        (end < start, "a region [{start}, {end}) that ends before it starts"),
    ]
    if limit is not None:
        beyond = where(start < 0, True, end > limit)
        wrong.append((beyond, "a region [{start}, {end}) beyond the input's {limit} elements"))
        wrong.append((size > limit, "a crop of {size} elements; the input has {limit}"))
    for condition, text in wrong:
        if not is_traced(condition) and any_of(condition):
            i = first_of(condition)
            columns = {"start": start, "end": end, "size": size, "limit": limit}
            values = {n: value_at(c, i) for n, c in columns.items() if c is not None}
            raise OperatorError(f"{_WHAT}: sample {i}: {text.format(**values)} (axis {axis}).")
