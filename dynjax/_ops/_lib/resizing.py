"""What `resize` and its relatives share: their arguments, and the output of the kernel."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._schema import Apply, Bound, Table
from ..._types.columns import Column, where
from ..._types.dtypes import numpy_dtype
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .resample import resample
from .sizes import MODES, Resampling, size_bounds

_DTYPES = ("uint8", "int16", "uint16", "float32")
_BORDERS = ("clamp", "renormalize")
_UNLIMITED = 1 << 31


def resized_dtype(what: str, image: Spec, dtype: Any) -> np.dtype:
    """The result's type: what is asked for, or the input's.

    Raises:
        OperatorError: a type that cannot be resized.
    """
    wanted = image.dtype if dtype is None else numpy_dtype(dtype)
    if image.dtype.name not in _DTYPES:
        raise OperatorError(
            f"{what}: the input is {image.dtype.name}; expected one of {', '.join(_DTYPES)}. "
            "Convert it with dynjax.cast."
        )
    if wanted != image.dtype and wanted != np.float32:
        raise OperatorError(
            f"{what}: dtype={wanted.name}; expected the input's {image.dtype.name} or float32."
        )
    return wanted


def per_axis(what: str, name: str, values: Sequence[Any], count: int) -> Sequence[Any]:
    """One value for each axis; a single one serves all."""
    if len(values) == 1 and count > 1:
        return list(values) * count
    if len(values) != count:
        raise OperatorError(f"{what}: {name} has {len(values)} values; expected {count} or one.")
    return values


def size_limits(what: str, max_size: Sequence[float] | None, count: int) -> list[float] | None:
    """The largest size of each axis; None if there is no limit."""
    if not max_size:
        return None
    limits = per_axis(what, "max_size", max_size, count)
    return [limit if limit > 0 else float("inf") for limit in limits]


def requested_sizes(
    what: str,
    letters: Sequence[str],
    size: Sequence[Column] | None,
    separate: Mapping[str, Column | None],
    shorter: Column | None,
    longer: Column | None,
    mode: str | None,
) -> tuple[list[Column], str]:
    """The wanted size of each spatial axis (0: free) and the mode, from the arguments of `resize`.

    Args:
        what: the operator, for messages.
        letters: of the axes, in the layout.
        separate: sizes by letter.
    """
    ways = [
        *(["size"] if size is not None else []),
        *(["resize_x/y/z"] if any(v is not None for v in separate.values()) else []),
        *(["resize_shorter"] if shorter is not None else []),
        *(["resize_longer"] if longer is not None else []),
    ]
    if len(ways) != 1:
        raise OperatorError(
            f"{what}: the size is given by {' and '.join(ways) or 'nothing'}; expected exactly one "
            "of size, resize_x/y/z, resize_shorter and resize_longer."
        )
    if shorter is not None or longer is not None:
        if mode is not None:
            raise OperatorError(f"{what}: mode={mode!r} cannot be combined with {ways[0]}.")
        side = shorter if shorter is not None else longer
        return [side] * len(letters), "not_smaller" if shorter is not None else "not_larger"
    mode = checked_mode(what, mode)
    if size is not None:
        return list(per_axis(what, "size", size, len(letters))), mode
    return [0.0 if separate[x] is None else separate[x] for x in letters], mode


def checked_mode(what: str, mode: str | None) -> str:
    """The name of a mode, `default` if there is none."""
    mode = "default" if mode is None else mode
    if mode not in MODES:
        raise OperatorError(f"{what}: mode={mode!r}; expected one of {', '.join(MODES)}.")
    return mode


def source_region(
    what: str,
    extents: Sequence[Column],
    start: Sequence[Column] | None,
    end: Sequence[Column] | None,
    relative: bool,
) -> tuple[Sequence[Column], Sequence[Column]] | None:
    """Start and end of the source region in pixels."""
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise OperatorError(f"{what}: roi_start and roi_end must be given together.")
    count = len(extents)
    corners = [per_axis(what, n, v, count) for n, v in (("roi_start", start), ("roi_end", end))]
    if relative:
        corners = [[c * n for c, n in zip(v, extents, strict=True)] for v in corners]
    return corners[0], corners[1]


def size_bound(
    spec: Spec,
    axes: Sequence[int],
    requested: Sequence[Column],
    mode: str,
    limits: Sequence[float] | None,
    whole: bool,
) -> Bound:
    """How large the result can be; `whole` says that the source region is the whole input."""

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        regions = [slots[0][axis] if whole else _UNLIMITED for axis in axes]
        result: list[int | None] = [None] * spec.ndim
        sizes = size_bounds(requested, mode, limits, regions)
        for axis, size in zip(axes, sizes, strict=True):
            result[axis] = size
        return result

    return bound


def filters_of(
    resampled: Sequence[Resampling], both: Column | None, smaller: Column, larger: Column
) -> list[Column]:
    """The filter of each axis: one for both directions, or that of the axis's direction."""
    smaller = smaller if both is None else both
    larger = larger if both is None else both
    return [where(r.shrinks, smaller, larger) for r in resampled]


def resampled_output(
    what: str,
    spec: Spec,
    axes: Sequence[int],
    resampled: Sequence[Resampling],
    *,
    dtype: np.dtype,
    filters: Sequence[Column],
    antialias: bool,
    border: str = "clamp",
    bound: Bound | None = None,
) -> Apply:
    """The output whose `axes` (ascending) are resampled."""
    if border not in _BORDERS:
        raise OperatorError(f"{what}: border={border!r}; expected one of {_BORDERS}.")
    shape = list(spec.shape)
    for axis, r in zip(axes, resampled, strict=True):
        shape[axis] = r.size
    return Apply(
        resample,
        tuple(shape),
        dtype,
        spec.layout,
        tables=(
            Table(np.float32, [edge for r in resampled for edge in (r.low, r.high)]),
            Table(np.int32, filters),
        ),
        static={"antialias": antialias, "border": _BORDERS.index(border), "axes": tuple(axes)},
        bound=bound,
    )
