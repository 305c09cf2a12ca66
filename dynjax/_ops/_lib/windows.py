"""The crop window of `crop`, `crop_mirror_normalize` and their relatives."""

from collections.abc import Sequence
from typing import Any

from ..._schema import BoundOf
from ..._types.columns import (
    Column,
    absolute,
    any_of,
    as_double,
    as_integer,
    both,
    first_of,
    maximum,
    minimum,
    round_half_away,
    trunc,
    value_at,
    where,
)
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .bounds import largest, window_bound
from .layouts import SPATIAL

POLICIES = ("error", "pad", "trim_to_shape")
_ROUNDINGS = ("round", "truncate")
# Kernels count in 32 bits.
_MAX_SIZE = 2.0**31


def crop_axes(layout: str, crop: Sequence[Any] | None, crop_d: Any) -> tuple[list[int], list[str]]:
    """The axes that `crop` cuts, and whether each is a depth, a height or a width.

    Frames are cut as a depth is, where one is given and the layout has none.
    """
    letters = {x: x for x in SPATIAL}
    if "D" not in layout and (crop_d is not None or (crop is not None and len(crop) == 3)):
        letters["F"] = "D"
    axes = [a for a, letter in enumerate(layout) if letter in letters]
    return axes, [letters[layout[a]] for a in axes]


def crop_sizes(what: str, letters: Sequence[str], crop, crop_d, crop_h, crop_w) -> list[Any]:
    """The wanted extent of each axis, None where the whole axis is meant.

    Args:
        what: the operator, for messages.
        letters: which axes: D, H, W. A size of another axis is not used.
        crop: height and width, or depth, height and width, or None.
        crop_d, crop_h, crop_w: sizes by name, alternatively.
    """
    separate = {"D": crop_d, "H": crop_h, "W": crop_w}
    if (crop_h is None) != (crop_w is None):
        raise OperatorError(f"{what}: crop_h and crop_w must be given together.")
    if crop_d is not None and crop_h is None:
        raise OperatorError(f"{what}: crop_d needs crop_h and crop_w beside it.")
    if crop is not None and crop_h is not None:
        raise OperatorError(f"{what}: crop cannot be combined with crop_h and crop_w.")
    if crop is not None:
        if len(crop) not in (2, 3):
            raise OperatorError(
                f"{what}: crop has {len(crop)} values; expected 2 (height, width) or 3 (depth, "
                "height, width)."
            )
        separate = dict(zip("WHD", reversed(crop), strict=False))
    return [separate.get(x) for x in letters]


def crop_bound(spec: Spec, axes: Sequence[int], sizes: Sequence[Any], policy: str) -> BoundOf:
    """How large the window of `place` can be; arguments as there."""

    def size_of(k: int, slot: int) -> int | None:
        wanted = slot if sizes[k] is None else largest(sizes[k])
        return slot if wanted is not None and wanted <= 0 else wanted

    return window_bound(spec.ndim, axes, policy, size_of)


def place(
    what: str,
    extents: Sequence[Column],
    sizes: Sequence[Any],
    positions: Sequence[Column],
    *,
    rounding: str,
    policy: str,
) -> tuple[list[Column], list[Column]]:
    """Anchor and extent of the window along each axis, in pixels.

    The anchor is `round(position * (extent - size))`, in double precision.

    Args:
        extents: the input's extents.
        sizes: wanted extents; None or 0 means the whole axis.
        positions: where the window lies, 0 (start) to 1 (end).
        rounding: `"round"` (half away from zero) or `"truncate"` (towards zero).
        policy: `"error"`, `"pad"` or `"trim_to_shape"`, for windows beyond the input.
    """
    if rounding not in _ROUNDINGS:
        raise OperatorError(f"{what}: rounding={rounding!r}; expected one of {_ROUNDINGS}.")
    if policy not in POLICIES:
        raise OperatorError(f"{what}: out_of_bounds_policy={policy!r}; expected one of {POLICIES}.")
    to_integer = round_half_away if rounding == "round" else trunc
    anchors: list[Column] = []
    windows: list[Column] = []
    for extent, size, position in zip(extents, sizes, positions, strict=True):
        if size is None:
            anchors.append(0)
            windows.append(extent)
            continue
        outside = both(position >= 0, position <= 1) == False  # noqa: E712 a column; NaN is outside
        if any_of(outside):
            raise OperatorError(
                f"{what}: crop position {value_at(position, first_of(outside))} is outside [0, 1]."
            )
        possible = absolute(size) < _MAX_SIZE  # NaN is not
        if any_of(possible == False):  # noqa: E712
            i = first_of(possible == False)  # noqa: E712
            raise OperatorError(
                f"{what}: sample {i}: a window of {value_at(size, i)} pixels is impossible."
            )
        wanted = as_integer(trunc(size))
        window = where(wanted <= 0, extent, wanted)
        anchor = as_integer(to_integer(as_double(position) * as_double(extent - window)))
        beyond = both(anchor >= 0, anchor + window <= extent) == False  # noqa: E712 a column
        if policy == "error" and any_of(beyond):
            i = first_of(beyond)
            raise OperatorError(
                f"{what}: sample {i}: a window of {value_at(window, i)} pixels does not fit an "
                f"extent of {value_at(extent, i)}. Pass out_of_bounds_policy='pad' or "
                "'trim_to_shape'."
            )
        if policy == "trim_to_shape":
            end = minimum(anchor + window, extent)
            anchor = maximum(anchor, 0)
            window = maximum(end - anchor, 0)
        anchors.append(anchor)
        windows.append(window)
    return anchors, windows
