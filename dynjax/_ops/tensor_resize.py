"""Resampling of any axes of any data: `dynjax.tensor_resize`."""

from collections.abc import Sequence
from typing import Any

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.columns import Column, any_of, as_single, both, is_traced
from .._types.enums import DALIInterpType
from .._types.errors import ArgumentError, OperatorError
from .._types.spec import Spec
from ._lib.axes import chosen
from ._lib.resizing import (
    checked_mode,
    filters_of,
    per_axis,
    resampled_output,
    resized_dtype,
    size_bound,
    size_limits,
    source_region,
)
from ._lib.sizes import Resampling, resampling

_LINEAR = DALIInterpType.INTERP_LINEAR
_MOST_AXES = 3


@operator("tensor_resize")
def tensor_resize(
    data: Spec,
    /,
    *,
    alignment: PerSample[list[float]] = (0.5,),  # type: ignore[assignment]
    antialias: bool = True,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    dtype: DTypeLike | None = None,
    interp_type: PerSample[DALIInterpType] | None = None,
    mag_filter: PerSample[DALIInterpType] = _LINEAR,
    max_size: list[float] | None = None,
    min_filter: PerSample[DALIInterpType] = _LINEAR,
    minibatch_size: int = 32,
    mode: str | None = None,
    roi_end: PerSample[list[float]] | None = None,
    roi_relative: bool = False,
    roi_start: PerSample[list[float]] | None = None,
    scales: PerSample[list[float]] | None = None,
    size_rounding: str = "round",
    sizes: PerSample[list[float]] | None = None,
    subpixel_scale: bool = True,
    temp_buffer_hint: int = 0,
) -> Output:
    """Resamples some axes, as `resize` does those of an image.

    Args:
        data: uint8, int16, uint16 or float32, with at least one axis.
        axes: which axes are resized, in the order of the other arguments' values; negative ones
            count from the end. Default: all.
        axis_names: their letters in the layout, alternatively.
        sizes: extents of the result, or one for all axes. 0 leaves an axis free, a negative value
            flips it.
        scales: extents of the result as multiples of the input's, alternatively.
        size_rounding: of fractional extents: `"round"`, `"truncate"` or `"ceil"`.
        subpixel_scale: where a size was rounded, adapt the region so that the scale stays exact.
        alignment: which part of the region stays in its place then: from 0 (start) to 1 (end).
        mode: `"default"` keeps the aspect of free axes, `"stretch"` their extent;
            `"not_larger"` and `"not_smaller"` keep the aspect of all (not with `scales`).
        max_size: limit of the extents, one number or one for each axis; 0 or less is no limit.
        roi_start, roi_end: corners of the source region, in elements or, with `roi_relative`, as
            fractions. An end before its start flips the axis if it has a size of its own; in the
            modes that scale all axes alike, any size will do.
        antialias, dtype, interp_type, min_filter, mag_filter: as of `resize`.
        minibatch_size, temp_buffer_hint: accepted for compatibility; without effect.

    Returns:
        The resized input, in its layout. An axis without elements stays so; inside
        `jit` all must have some.

    Raises:
        OperatorError: not exactly one of `sizes` and `scales`, a number of values that does not
            fit the axes, an unknown mode or rounding, a type that cannot be resized.
        ArgumentError: more than three axes change.

    Source: DALI `TensorResize`; definition checked against recordings.

    Example:
        >>> ramp = dynjax.tensor(np.arange(4, dtype=np.float32))
        >>> np.asarray(dynjax.tensor_resize(ramp, sizes=[2]))
        array([0.625, 2.375], dtype=float32)
    """
    del minibatch_size, temp_buffer_hint
    if not data.ndim:
        raise OperatorError("tensor_resize: the input is a scalar; expected at least one axis.")
    out_dtype = resized_dtype("tensor_resize", data, dtype)
    along = _axes(data, axes, axis_names)
    extents = [data.shape[a] for a in along]
    mode = checked_mode("tensor_resize", mode)
    requested = _requested(extents, sizes, scales, mode)
    limits = size_limits("tensor_resize", max_size, len(along))
    roi = source_region("tensor_resize", extents, roi_start, roi_end, roi_relative)
    resampled = resampling(
        *("tensor_resize", extents, requested),
        mode=mode,
        max_size=limits,
        roi=roi,
        keep_scale=subpixel_scale,
        alignment=per_axis("tensor_resize", "alignment", alignment, len(along)),
        rounding=size_rounding,
    )
    filters = filters_of(resampled, interp_type, min_filter, mag_filter)
    kept = _changing(data, along, resampled, filters)
    return resampled_output(
        *("tensor_resize", data, [k[0] for k in kept], [k[1] for k in kept]),
        dtype=out_dtype,
        filters=[k[2] for k in kept],
        antialias=antialias,
        bound=size_bound(data, along, requested, mode, limits, roi is None),
    )


def _axes(data: Spec, axes: Sequence[int] | None, names: str | None) -> Sequence[int]:
    if axes and names:
        raise OperatorError("tensor_resize: axes and axis_names cannot be combined.")
    return chosen("tensor_resize", data, axes or None, names)


def _requested(
    extents: Sequence[Column],
    sizes: Sequence[Column] | None,
    scales: Sequence[Column] | None,
    mode: str,
) -> list[Column]:
    """The wanted extent of each axis, 0 where it is free."""
    count = len(extents)
    if (sizes is None) == (scales is None):
        given = "both are given" if sizes is not None else "neither is given"
        raise OperatorError(f"tensor_resize: expected one of sizes and scales; {given}.")
    if sizes is not None:
        return list(per_axis("tensor_resize", "sizes", sizes, count))
    assert scales is not None
    if mode in ("not_larger", "not_smaller"):
        raise OperatorError(f"tensor_resize: mode={mode!r} cannot be combined with scales.")
    factors = per_axis("tensor_resize", "scales", scales, count)
    # Formed in single precision, as the original does: 0.7 of 10 is 7 then, and not less.
    return [as_single(f * n) for f, n in zip(factors, extents, strict=True)]


def _changing(
    data: Spec, axes: Sequence[int], resampled: Sequence[Resampling], filters: Sequence[Column]
) -> list[tuple[int, Resampling, Any]]:
    """Axis, region and filter of the axes to resample, in the order of the data."""
    given = sorted(zip(axes, resampled, filters, strict=True), key=lambda k: k[0])
    changing = [k for k in given if not _stays(data.shape[k[0]], k[1])]
    if len(changing) > _MOST_AXES:
        raise ArgumentError(
            f"tensor_resize: {len(changing)} axes change; expected at most {_MOST_AXES}. Resize "
            "the others in a second call."
        )
    # The kernel wants at least one.
    return changing or given[:1]


def _stays(extent: Column, r: Resampling) -> bool:
    """Whether an axis is known to be left as it is."""
    if is_traced(extent, r.size, r.low, r.high):
        # The same column; the same number says nothing about a region that is traced.
        return is_traced(extent) and r.size is extent
    moved = both(both(r.size == extent, r.low == 0), r.high == extent) == False  # noqa: E712
    return not any_of(moved)
