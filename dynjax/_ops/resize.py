"""Resampling to another size: `dynjax.resize`."""

import numpy as np

from .._schema import DTypeLike, Known, Output, PerSample, operator
from .._types.enums import DALIImageType, DALIInterpType
from .._types.spec import Spec
from ._lib import layouts
from ._lib.resizing import (
    filters_of,
    requested_sizes,
    resampled_output,
    resized_dtype,
    size_bound,
    size_limits,
    source_region,
)
from ._lib.sizes import resampling

_LINEAR = DALIInterpType.INTERP_LINEAR


@operator("resize", layouts=layouts.IMAGES, chain="continues")
def resize(
    image: Spec,
    /,
    *,
    antialias: bool = True,
    border: str = "clamp",
    dtype: DTypeLike | None = None,
    image_type: DALIImageType | None = None,
    interp_type: PerSample[DALIInterpType] | None = None,
    mag_filter: PerSample[DALIInterpType] = _LINEAR,
    max_size: list[float] | None = None,
    min_filter: PerSample[DALIInterpType] = _LINEAR,
    minibatch_size: int = 32,
    mode: str | None = None,
    resize_longer: PerSample[float] | None = None,
    resize_shorter: PerSample[float] | None = None,
    resize_x: PerSample[float] | None = None,
    resize_y: PerSample[float] | None = None,
    resize_z: PerSample[float] | None = None,
    roi_end: PerSample[list[float]] | None = None,
    roi_relative: bool = False,
    roi_start: PerSample[list[float]] | None = None,
    save_attrs: bool = False,
    size: PerSample[list[float]] | None = None,
    subpixel_scale: bool = True,
    temp_buffer_hint: int = 0,
) -> Output | tuple[Output, ...]:
    """Resizes images, sequences or volumes with separable resampling filters.

    Output pixel `o` of an axis takes the weighted mean of source pixels `i` about
    `c = lo + (o + 0.5) s - 0.5`, where `s = (hi - lo) / size`:

        out[o] = sum_i k((i - c) / f) in[i] / sum_i k((i - c) / f)

    `f = max(1, |s|)` with antialiasing, else 1; `[lo, hi)` is the source region. The intermediate
    is float32; the result is rounded to nearest once.

    Args:
        image: uint8, int16, uint16 or float32, in any image, sequence or volume layout.
        antialias: widen the filter when shrinking.
        border: what taps outside the image read: `"clamp"` the nearest edge pixel;
            `"renormalize"` nothing, the other weights being scaled up (as Pillow does).
            An addition to the original.
        dtype: the input's (default) or float32.
        interp_type: filter for both directions; overrides the next two.
        min_filter, mag_filter: filter for axes that shrink, and for those that grow.
        size: height and width (with depth first for volumes) in pixels, or one number for all.
            0 leaves an axis free, a negative value flips it.
        resize_x, resize_y, resize_z: width, height, depth in pixels, alternatively to `size`.
        resize_shorter, resize_longer: length in pixels of the shorter (longer) side,
            alternatively; the aspect is kept.
        mode: `"default"` keeps the aspect of free axes, `"stretch"` their extent,
            `"not_larger"` and `"not_smaller"` keep the aspect of all.
        max_size: limit in pixels, one number or one for each axis; 0 or less is no limit.
        roi_start, roi_end: corners of the source region, in pixels or, with `roi_relative`,
            as fractions. An end before its start flips the axis if it has a size of its own; in
            the modes that scale all axes alike, any size will do.
        subpixel_scale: where a size was rounded, adapt the region so that the scale stays exact.
        save_attrs: also return the original spatial shape, int32.
        image_type, minibatch_size, temp_buffer_hint: accepted for compatibility; without effect.

    Returns:
        The resized input, in its layout; with `save_attrs` a pair. An axis without pixels stays
        so, and the sizes of the others do not depend on it; inside `jit` all must have some.

    Raises:
        OperatorError: not exactly one way of giving the size, an unknown mode, a type that
            cannot be resized.

    Source: DALI `Resize`; definition checked against recordings. The border rule of `jax.image` and
    Pillow is the option `"renormalize"`.

    Example:
        >>> image = dynjax.tensor(np.zeros((100, 150, 3), np.uint8), layout="HWC")
        >>> dynjax.resize(image, resize_shorter=50).shape
        (50, 75, 3)
    """
    del image_type, minibatch_size, temp_buffer_hint
    assert image.layout is not None
    axes = layouts.spatial_axes(image.layout)
    out_dtype = resized_dtype("resize", image, dtype)
    extents = [image.shape[a] for a in axes]
    letters = [image.layout[a] for a in axes]
    separate = {"W": resize_x, "H": resize_y, "D": resize_z}
    requested, mode = requested_sizes(
        "resize", letters, size, separate, resize_shorter, resize_longer, mode
    )
    limits = size_limits("resize", max_size, len(axes))
    roi = source_region("resize", extents, roi_start, roi_end, roi_relative)
    resampled = resampling(
        "resize",
        extents,
        requested,
        mode=mode,
        max_size=limits,
        roi=roi,
        keep_scale=subpixel_scale,
    )
    resized = resampled_output(
        *("resize", image, axes, resampled),
        dtype=out_dtype,
        filters=filters_of(resampled, interp_type, min_filter, mag_filter),
        antialias=antialias,
        border=border,
        bound=size_bound(image, axes, requested, mode, limits, roi is None),
    )
    if not save_attrs:
        return resized
    return resized, Known(extents, np.dtype(np.int32))
