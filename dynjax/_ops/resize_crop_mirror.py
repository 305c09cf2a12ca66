"""Resampling, cropping and flipping in one go: `dynjax.resize_crop_mirror`."""

from collections.abc import Sequence
from typing import Any

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.columns import Column, any_of, as_double, as_integer, maximum, where
from .._types.enums import DALIInterpType
from .._types.spec import Spec
from ._lib import layouts, windows
from ._lib.resizing import (
    filters_of,
    requested_sizes,
    resampled_output,
    resized_dtype,
    size_bound,
    size_limits,
    source_region,
)
from ._lib.sizes import Resampling, resampling

_LINEAR = DALIInterpType.INTERP_LINEAR
# The bits of `mirror`.
_FLIPS = {"W": 1, "H": 2, "D": 4}


@operator("resize_crop_mirror", layouts=layouts.IMAGES, chain="continues")
def resize_crop_mirror(
    image: Spec,
    /,
    *,
    antialias: bool = True,
    crop: PerSample[list[float]] | None = None,
    crop_d: PerSample[float] | None = None,
    crop_h: PerSample[float] | None = None,
    crop_pos_x: PerSample[float] = 0.5,
    crop_pos_y: PerSample[float] = 0.5,
    crop_pos_z: PerSample[float] = 0.5,
    crop_w: PerSample[float] | None = None,
    dtype: DTypeLike | None = None,
    interp_type: PerSample[DALIInterpType] | None = None,
    mag_filter: PerSample[DALIInterpType] = _LINEAR,
    max_size: list[float] | None = None,
    min_filter: PerSample[DALIInterpType] = _LINEAR,
    minibatch_size: int = 32,
    mirror: PerSample[int] = 0,
    mode: str | None = None,
    resize_longer: PerSample[float] | None = None,
    resize_shorter: PerSample[float] | None = None,
    resize_x: PerSample[float] | None = None,
    resize_y: PerSample[float] | None = None,
    resize_z: PerSample[float] | None = None,
    roi_end: PerSample[list[float]] | None = None,
    roi_relative: bool = False,
    roi_start: PerSample[list[float]] | None = None,
    rounding: str = "round",
    size: PerSample[list[float]] | None = None,
    subpixel_scale: bool = True,
    temp_buffer_hint: int = 0,
) -> Output:
    """What `resize`, then `crop`, then `flip` make, without computing what is cut away.

    Args:
        image: uint8, int16, uint16 or float32, in any image, sequence or volume layout.
        crop, crop_d, crop_h, crop_w, crop_pos_x, crop_pos_y, crop_pos_z, rounding: the window of
            the resized image, as of `crop`, but of all frames. A window beyond it repeats its edge.
        mirror: 1 flips horizontally, 2 vertically, 4 in depth; their sum does each of them.
        antialias, dtype, interp_type, min_filter, mag_filter, size, resize_x, resize_y, resize_z,
        resize_shorter, resize_longer, mode, max_size, roi_start, roi_end, roi_relative,
        subpixel_scale: as of `resize`.
        minibatch_size, temp_buffer_hint: accepted for compatibility; without effect.

    Returns:
        The window, in the input's layout. An axis without pixels stays so; inside `jit` all
        must have some.

    Raises:
        OperatorError: not exactly one way of giving the size, a window's position outside
            [0, 1], an unknown mode, a type that cannot be resized.

    Source: DALI `ResizeCropMirror`; definition checked against recordings.

    Example:
        >>> image = dynjax.tensor(np.zeros((100, 150, 3), np.uint8), layout="HWC")
        >>> dynjax.resize_crop_mirror(image, resize_shorter=50, crop=[32, 48], mirror=1).shape
        (32, 48, 3)
    """
    del minibatch_size, temp_buffer_hint
    assert image.layout is not None
    what = "resize_crop_mirror"
    axes = layouts.spatial_axes(image.layout)
    out_dtype = resized_dtype(what, image, dtype)
    extents = [image.shape[a] for a in axes]
    letters = [image.layout[a] for a in axes]
    separate = {"W": resize_x, "H": resize_y, "D": resize_z}
    requested, mode = requested_sizes(
        what, letters, size, separate, resize_shorter, resize_longer, mode
    )
    limits = size_limits(what, max_size, len(axes))
    roi = source_region(what, extents, roi_start, roi_end, roi_relative)
    resampled = resampling(
        *(what, extents, requested),
        mode=mode,
        max_size=limits,
        roi=roi,
        keep_scale=subpixel_scale,
    )
    positions = {"D": crop_pos_z, "H": crop_pos_y, "W": crop_pos_x}
    wanted = windows.crop_sizes(what, letters, crop, crop_d, crop_h, crop_w)
    anchors, cut = windows.place(
        *(what, [r.size for r in resampled], wanted, [positions[x] for x in letters]),
        rounding=rounding,
        policy="pad",
    )
    # Of an axis without pixels there is nothing to show.
    cut = [
        where(r.size == 0, 0, n) if any_of(r.size == 0) else n
        for r, n in zip(resampled, cut, strict=True)
    ]
    flips = [as_integer(mirror) & _FLIPS[x] for x in letters]
    return resampled_output(
        *(what, image, axes),
        [_window(r, a, n, f) for r, a, n, f in zip(resampled, anchors, cut, flips, strict=True)],
        dtype=out_dtype,
        filters=filters_of(resampled, interp_type, min_filter, mag_filter),
        antialias=antialias,
        bound=_bound(
            size_bound(image, axes, requested, mode, limits, roi is None),
            windows.crop_bound(image, axes, wanted, "pad"),
            image.ndim,
        ),
    )


def _window(r: Resampling, anchor: Column, size: Column, flip: Column) -> Resampling:
    """The part of a resampled axis that a window shows: the region that it comes from."""
    step = (r.high - r.low) / maximum(as_double(r.size), 1.0)
    low, high = r.low + step * anchor, r.low + step * (anchor + size)
    return Resampling(size, where(flip != 0, high, low), where(flip != 0, low, high), r.shrinks)


def _bound(resized: Any, cropped: Any, ndim: int) -> Any:
    """The bound of a window of what has one itself."""

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        sizes = resized(slots)
        inner = [n if n is not None else 1 << 31 for n in sizes]
        result: list[int | None] = [None] * ndim
        for axis, size in enumerate(cropped([inner])):
            if size is not None:
                result[axis] = size if size < 1 << 31 else None
        return result

    return bound
