"""Correlation with given weights: `dynjax.filter`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._schema import Apply, DTypeLike, Output, PerFrame, Table, operator
from .._types.columns import Column, Shape, any_of, first_of, is_traced, value_at, where
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.frames import as_frames, frame_count
from .._types.spec import Spec
from ._lib.borders import MODES
from ._lib.correlation import correlate, correlate_filled
from ._lib.element_types import check_input_type, check_same_or_float
from ._lib.filter_axes import filtered_axes, per_axis

_DTYPES = ("uint8", "uint16", "int16", "float32")
_BORDERS = {**{mode: k for k, mode in enumerate(MODES)}, "101": 0, "1001": 1}


@operator("filter")
def filter(
    data: Spec,
    filter: Spec,
    fill_value: Spec | None = None,
    /,
    *,
    anchor: PerFrame[list[int]] | None = None,
    border: str = "reflect_101",
    dtype: DTypeLike | None = None,
    mode: str = "same",
) -> Output:
    """Correlates images with a window of weights.

        out[y, x] = sum_ij filter[i, j] data[y + i - anchor_y, x + j - anchor_x]

    Integers are rounded to nearest and clamped.

    Args:
        data: uint8, uint16, int16 or float32 with two axes beside frames and channels.
        filter: float32 weights, two axes; one for all samples or one for each. With frames before
            them (`per_frame`), one for each frame of `data`. Data without frames give one for each
            filter.
        fill_value: what lies beyond the border with `border="constant"`: a scalar
            of the same type; frames as in `filter`. Default: 0.
        anchor: the weight that lies on the output pixel: one value, or one for each axis. -1 is the
            middle, `size // 2`. May vary by sample or frame. No effect with `mode="valid"`.
        border: what lies beyond the border: `"reflect_101"` (mirrored about the outermost pixel),
            `"reflect_1001"` (mirrored, the outermost pixel repeated), `"wrap"`, `"clamp"` or
            `"constant"`.
        dtype: the input's (default) or float32.
        mode: `"same"`, or `"valid"`: only pixels whose whole window lies inside.

    Returns:
        The layout of `data`, and its shape unless `mode` is `"valid"`; with frames before it where
        only filters or fill values have some.

    Raises:
        OperatorError: another type or number of axes, other numbers of frames, an anchor outside
            the filter, a filter that is larger than the image with `mode="valid"`.

    Source: DALI `Filter`; definition checked against recordings.

    Example:
        >>> row = dynjax.tensor(np.float32([[1, 2, 4]]), layout="HW")
        >>> np.asarray(dynjax.filter(row, np.float32([[-1, 1]])))
        array([[-1.,  1.,  2.]], dtype=float32)
    """
    check_input_type("filter", data.dtype, _DTYPES)
    out_dtype = data.dtype if dtype is None else numpy_dtype(dtype)
    check_same_or_float("filter", data.dtype, out_dtype)
    if border not in _BORDERS:
        raise OperatorError(f"filter: border={border!r}; expected one of {', '.join(MODES)}.")
    if mode not in ("same", "valid"):
        raise OperatorError(f"filter: mode={mode!r}; expected 'same' or 'valid'.")
    frames = _frames_of(data, filter, fill_value)
    spread = frames is not None and not data.has_frames
    seen = _with_frames(data, frames) if spread else data
    axes = filtered_axes("filter", seen.layout, seen.ndim)
    sizes = filter.shape[1:] if filter.has_frames else filter.shape
    _check_operands(data, filter, fill_value, len(axes))
    anchors = as_frames((-1,) if anchor is None else anchor)
    columns: list[Any] = []
    for frame in range(frame_count("filter", seen, anchor=anchors)):
        placed = _anchors(anchors[frame], sizes)
        columns += [0, 0] if mode == "valid" else placed
    shape = list(seen.shape)
    if mode == "valid":
        for axis, size in zip(axes, sizes, strict=True):
            shape[axis] = _inside(seen.shape[axis], size)
    return Apply(
        correlate if fill_value is None else correlate_filled,
        tuple(shape),
        out_dtype,
        None if data.layout is None else seen.layout,
        tables=(Table(np.int32, columns),),
        static={"first_axis": axes[0], "border": _BORDERS[border], "spread": spread},
        bound=lambda slots: _bound(slots, filter, spread),
    )


def _frames_of(data: Spec, weights: Spec, fill: Spec | None) -> Column | None:
    """How many frames each sample has, or None if neither weights nor fill values have any."""
    named = {"data": data, "filter": weights, "fill_value": fill}
    framed = {name: s for name, s in named.items() if s is not None and s.has_frames}
    if not framed.keys() - {"data"}:
        return None
    first, *others = framed
    have = framed[first].shape[0]
    for name in others:
        found = framed[name].shape[0]
        if not is_traced(have, found) and any_of(wrong := np.not_equal(found, have)):
            i = first_of(wrong)
            raise OperatorError(
                f"filter: sample {i}: {name} has {value_at(found, i)} frames and {first} "
                f"{value_at(have, i)}; expected as many."
            )
    return have


def _with_frames(data: Spec, frames: Any) -> Spec:
    layout = "F" + (data.layout or "*" * data.ndim)
    shape = (frames, *data.shape)
    return Spec(data.count, shape, data.dtype, layout, data.batched, data.device)


def _bound(slots: Sequence[Sequence[int]], weights: Spec, spread: bool) -> Sequence[int]:
    """The slot of the data, behind that of the frames if these come from another input."""
    frames = slots[1 if weights.has_frames else 2][:1] if spread else ()
    return (*frames, *slots[0])


def _check_operands(data: Spec, weights: Spec, fill: Spec | None, axes: int) -> None:
    own = weights.ndim - weights.has_frames
    if axes != 2 or own != 2:
        raise OperatorError(
            f"filter: the input has {axes} axes beside frames and channels and the filter "
            f"{own}; expected 2. Set the layout with dynjax.as_batch(data, layout=...)."
        )
    if weights.dtype != np.float32:
        raise OperatorError(f"filter: the filter is {weights.dtype.name}; expected float32.")
    if fill is not None and (fill.ndim != fill.has_frames or fill.dtype != data.dtype):
        raise OperatorError(
            f"filter: fill_value is {fill.dtype.name} with {fill.ndim} axes; expected a scalar of "
            f"the input's type, {data.dtype.name}."
        )
    for size in weights.shape[-2:]:
        if any_of(size <= 0):
            raise OperatorError("filter: the filter is empty.")


def _anchors(anchor: Any, sizes: Shape) -> list[Any]:
    """Which weight lies on the output pixel, along both axes."""
    anchors = []
    for given, size in zip(per_axis("filter", "anchor", anchor, 2), sizes, strict=True):
        wrong = (given < -1) | (given >= size)
        if any_of(wrong):
            i = first_of(wrong)
            raise OperatorError(
                f"filter: sample {i}: anchor {value_at(given, i)} lies outside a filter of "
                f"{value_at(size, i)} weights."
            )
        anchors.append(where(given == -1, size // 2, given))
    return anchors


def _inside(extent: Any, size: Any) -> Any:
    """How many windows of a size lie wholly inside an extent."""
    count = extent - size + 1
    if any_of(count <= 0):
        i = first_of(count <= 0)
        raise OperatorError(
            f"filter: sample {i}: {value_at(size, i)} weights do not fit an extent of "
            f"{value_at(extent, i)}, as mode='valid' asks."
        )
    return count
