"""Resampling to another size: `dynjax.resize`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._schema import Apply, DTypeLike, Known, Output, PerSample, Table, operator
from .._types.columns import where
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIInterpType
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import layouts
from ._lib.resample import resample
from ._lib.sizes import MODES, resampling

_DTYPES = ("uint8", "int16", "uint16", "float32")
_BORDERS = ("clamp", "renormalize")
_LINEAR = DALIInterpType.INTERP_LINEAR


@operator("resize", layouts=layouts.IMAGES)
def resize(
    image: Spec,
    /,
    *,
    antialias: bool = True,
    border: str = "clamp",
    dtype: DTypeLike | None = None,
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
            as fractions; an end before its start flips the axis.
        subpixel_scale: where a size was rounded, adapt the region so that the scale stays exact.
        save_attrs: also return the original spatial shape, int32.
        minibatch_size, temp_buffer_hint: accepted for compatibility; without effect.

    Returns:
        The resized input, in its layout; with `save_attrs` a pair.

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
    del minibatch_size, temp_buffer_hint
    assert image.layout is not None
    axes = layouts.spatial_axes(image.layout)
    out_dtype = image.dtype if dtype is None else numpy_dtype(dtype)
    _check_types(image.dtype, out_dtype)
    if border not in _BORDERS:
        raise OperatorError(f"resize: border={border!r}; expected one of {_BORDERS}.")
    extents = [image.shape[a] for a in axes]
    letters = [image.layout[a] for a in axes]
    separate = {"W": resize_x, "H": resize_y, "D": resize_z}
    requested, mode = _requested(letters, size, separate, resize_shorter, resize_longer, mode)
    resampled = resampling(
        "resize",
        extents,
        requested,
        mode=mode,
        max_size=max_size and _limits(max_size, len(axes)),
        roi=_region(extents, roi_start, roi_end, roi_relative),
        keep_scale=subpixel_scale,
    )
    shape = list(image.shape)
    for axis, r in zip(axes, resampled, strict=True):
        shape[axis] = r.size
    smaller = min_filter if interp_type is None else interp_type
    larger = mag_filter if interp_type is None else interp_type
    filters = [where(r.shrinks, smaller, larger) for r in resampled]
    resized = Apply(
        resample,
        tuple(shape),
        out_dtype,
        image.layout,
        tables=(
            Table(np.float32, [edge for r in resampled for edge in (r.low, r.high)]),
            Table(np.int32, filters),
        ),
        static={"antialias": antialias, "border": _BORDERS.index(border), "axes": axes},
    )
    if not save_attrs:
        return resized
    return resized, Known(extents, np.dtype(np.int32))


def _check_types(given: np.dtype, wanted: np.dtype) -> None:
    if given.name not in _DTYPES:
        raise OperatorError(
            f"resize: the input is {given.name}; expected one of {', '.join(_DTYPES)}. "
            "Convert it with dynjax.cast."
        )
    if wanted != given and wanted != np.float32:
        raise OperatorError(
            f"resize: dtype={wanted.name}; expected the input's {given.name} or float32."
        )


def _per_axis(name: str, values: Sequence[Any], count: int) -> Sequence[Any]:
    """One value for each axis; a single one serves all."""
    if len(values) == 1 and count > 1:
        return list(values) * count
    if len(values) != count:
        raise OperatorError(f"resize: {name} has {len(values)} values; expected {count} or one.")
    return values


def _limits(max_size: Sequence[float], count: int) -> list[float]:
    limits = _per_axis("max_size", max_size, count)
    return [limit if limit > 0 else float("inf") for limit in limits]


def _requested(letters, size, separate, shorter, longer, mode):
    """The wanted size of each axis (0: free) and the mode."""
    ways = [
        *(["size"] if size is not None else []),
        *(["resize_x/y/z"] if any(v is not None for v in separate.values()) else []),
        *(["resize_shorter"] if shorter is not None else []),
        *(["resize_longer"] if longer is not None else []),
    ]
    if len(ways) != 1:
        raise OperatorError(
            f"resize: the size is given by {' and '.join(ways) or 'nothing'}; expected exactly one "
            "of size, resize_x/y/z, resize_shorter and resize_longer."
        )
    if shorter is not None or longer is not None:
        if mode is not None:
            raise OperatorError(f"resize: mode={mode!r} cannot be combined with {ways[0]}.")
        side = shorter if shorter is not None else longer
        return [side] * len(letters), "not_smaller" if shorter is not None else "not_larger"
    mode = "default" if mode is None else mode
    if mode not in MODES:
        raise OperatorError(f"resize: mode={mode!r}; expected one of {', '.join(MODES)}.")
    if size is not None:
        return list(_per_axis("size", size, len(letters))), mode
    return [0.0 if separate[x] is None else separate[x] for x in letters], mode


def _region(extents, start, end, relative: bool):
    """Start and end of the source region in pixels."""
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise OperatorError("resize: roi_start and roi_end must be given together.")
    corners = [_per_axis(n, v, len(extents)) for n, v in (("roi_start", start), ("roi_end", end))]
    if relative:
        corners = [[c * n for c, n in zip(v, extents, strict=True)] for v in corners]
    return corners[0], corners[1]
