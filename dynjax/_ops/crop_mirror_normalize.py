"""Crop, flip, normalise and reorder axes in one go: `dynjax.crop_mirror_normalize`."""

import numpy as np

from .._schema import Apply, DTypeLike, Output, PerSample, Table, operator
from .._types.columns import is_traced, where
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIImageType
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import layouts, windows
from ._lib.normalise import crop_mirror_normalize as kernel
from ._lib.normalise import kernel_that_fills_channels

_LAYOUTS = (
    *("HWC", "CHW", "DHWC", "CDHW", "FHWC", "FCHW"),
    *("CFHW", "FDHWC", "FCDHW", "CFDHW"),
)
_IN_DTYPES = ("uint8", "int16", "uint16", "int32", "float16", "float32")
_OUT_DTYPES = ("uint8", "int8", "float16", "float32")


@operator("crop_mirror_normalize", layouts=_LAYOUTS, chain="continues")
def crop_mirror_normalize(
    image: Spec,
    /,
    *,
    crop: PerSample[list[float]] | None = None,
    crop_d: PerSample[float] | None = None,
    crop_h: PerSample[float] | None = None,
    crop_pos_x: PerSample[float] = 0.5,
    crop_pos_y: PerSample[float] = 0.5,
    crop_pos_z: PerSample[float] = 0.5,
    crop_w: PerSample[float] | None = None,
    dtype: DTypeLike = np.float32,
    fill_values: list[float] = (0.0,),  # type: ignore[assignment]
    image_type: DALIImageType | None = None,
    mean: PerSample[list[float]] = (0.0,),  # type: ignore[assignment]
    mirror: PerSample[int] = 0,
    out_of_bounds_policy: str = "error",
    output_dtype: DTypeLike | None = None,
    output_layout: str = "CHW",
    pad_output: bool = False,
    rounding: str = "round",
    scale: float = 1.0,
    shift: float = 0.0,
    std: PerSample[list[float]] = (1.0,),  # type: ignore[assignment]
) -> Output:
    """Cuts a window, flips it, normalises each channel and reorders the axes.

        out = (in - mean) / std * scale + shift

    rounded to nearest and clamped if `dtype` is an integer type.

    Args:
        image: uint8, int16, uint16, int32, float16 or float32, in any image, sequence or volume
            layout.
        crop: height and width of the window, or depth, height and width, in pixels. Frames are cut
            as a depth is; a depth that images do not have is ignored. Default: all.
        crop_d, crop_h, crop_w: the same by name, alternatively.
        crop_pos_x, crop_pos_y, crop_pos_z: place of the window, 0 (start) to 1 (end).
        dtype: float32 (default), float16, uint8 or int8. `output_dtype` is its old name.
        fill_values: what a window beyond the image holds, after normalisation: one value, or one
            for each channel. Integer results hold their whole part.
        image_type: accepted for compatibility; without effect.
        mean, std: one value or one for each channel, in units of the input.
        mirror: not 0 flips horizontally.
        out_of_bounds_policy: for windows beyond the image: `"error"`, `"pad"` or
            `"trim_to_shape"`.
        output_layout: order of the axes of the result, a permutation of the input's letters.
        pad_output: add channels up to the next power of two. They hold 0 or, with the policy
            `"pad"`, what fills: the single value, or those given beyond the image's channels.
        rounding: of the window's anchor: `"round"` or `"truncate"`, towards 0.
        scale, shift: applied after normalisation.

    Returns:
        The window, in `output_layout`.

    Raises:
        OperatorError: a window that does not fit, a wrong number of values, a layout that is no
            permutation of the input's, a type that is not supported.

    Source: DALI `CropMirrorNormalize`; definition checked against recordings.

    Example:
        >>> image = dynjax.tensor(np.full((4, 6, 3), 255, np.uint8), layout="HWC")
        >>> out = dynjax.crop_mirror_normalize(image, mean=[127.5], std=[127.5])
        >>> out.shape, float(np.asarray(out).max())
        ((3, 4, 6), 1.0)
    """
    del image_type
    assert image.layout is not None
    out_dtype = numpy_dtype(dtype if output_dtype is None else output_dtype)
    _check_types(image.dtype, out_dtype)
    if sorted(output_layout) != sorted(image.layout):
        raise OperatorError(
            f"crop_mirror_normalize: output_layout={output_layout!r} is no permutation of the "
            f"input's {image.layout!r}. Pass output_layout={image.layout!r} to keep it."
        )
    axes, letters = windows.crop_axes(image.layout, crop, crop_d)
    positions = {"D": crop_pos_z, "H": crop_pos_y, "W": crop_pos_x}
    wanted = windows.crop_sizes("crop_mirror_normalize", letters, crop, crop_d, crop_h, crop_w)
    anchors, window = windows.place(
        "crop_mirror_normalize",
        [image.shape[a] for a in axes],
        wanted,
        [positions[x] for x in letters],
        rounding=rounding,
        policy=out_of_bounds_policy,
    )
    shape = list(image.shape)
    for axis, extent in zip(axes, window, strict=True):
        shape[axis] = extent
    channel_axis = layouts.axis_of(image.layout, "C")
    channels = _channels(shape[channel_axis])
    padded = 1 << (channels - 1).bit_length() if pad_output else channels
    shape[channel_axis] = padded if pad_output else shape[channel_axis]
    means = _per_channel("mean", mean, channels)
    factors = [_factor(s, scale) for s in _per_channel("std", std, channels)]
    fill = _fill(fill_values, channels, padded, out_of_bounds_policy)
    if out_dtype.kind in "iu":
        fill = np.trunc(fill).tolist()
    shown = any(value != 0 for value in fill[channels:])
    order = tuple(image.layout.index(x) for x in output_layout)
    bound = windows.crop_bound(image, axes, wanted, out_of_bounds_policy)
    return Apply(
        kernel_that_fills_channels if shown else kernel,
        tuple(shape[a] for a in order),
        out_dtype,
        output_layout,
        tables=(
            Table(np.int32, [*anchors, mirror]),
            Table(np.float32, [*means, *factors, float(shift)]),
            Table(np.float32, fill),
        ),
        static={
            "axes": tuple(axes),
            "channel_axis": channel_axis,
            "mirror_axis": layouts.axis_of(image.layout, "W"),
            "perm": order,
        },
        bound=lambda slots: [bound(slots)[a] for a in order],
    )


def _check_types(given: np.dtype, wanted: np.dtype) -> None:
    if given.name not in _IN_DTYPES:
        raise OperatorError(
            f"crop_mirror_normalize: the input is {given.name}; expected one of "
            f"{', '.join(_IN_DTYPES)}. Convert it with dynjax.cast."
        )
    if wanted.name not in _OUT_DTYPES:
        raise OperatorError(
            f"crop_mirror_normalize: dtype={wanted.name}; expected one of {', '.join(_OUT_DTYPES)}."
        )


def _channels(column) -> int:
    """The number of channels, which all samples must share."""
    if isinstance(column, int):
        return column
    if is_traced(column):
        raise OperatorError(
            "crop_mirror_normalize: inside jit the number of channels must be the same for all "
            "samples. Name the channel axis: dynjax.as_batch(data, layout='HWC')."
        )
    counts = sorted(set(np.asarray(column).tolist()))
    if len(counts) != 1:
        raise OperatorError(
            f"crop_mirror_normalize: samples have different numbers of channels: {counts}."
        )
    return int(counts[0])


def _per_channel(name: str, values, channels: int) -> list:
    if len(values) == 1:
        return [values[0]] * channels
    if len(values) != channels:
        raise OperatorError(
            f"crop_mirror_normalize: {name} has {len(values)} values; expected 1 or {channels}, "
            "the number of channels."
        )
    return list(values)


def _factor(std, scale: float):
    """`scale / std`; infinite where `std` is 0."""
    if isinstance(std, int | float):
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.float64(scale) / np.float64(std))
    return where(std == 0, np.inf, scale / where(std == 0, 1.0, std))


def _fill(values, channels: int, padded: int, policy: str) -> list:
    """What each channel holds outside the image; those that padding adds hold it everywhere."""
    if len(values) == 1:
        added = values[0] if policy == "pad" else 0.0
        return [values[0]] * channels + [added] * (padded - channels)
    if len(values) not in (channels, padded):
        raise OperatorError(
            f"crop_mirror_normalize: fill_values has {len(values)} values; expected 1 or "
            f"{channels}, the number of channels."
        )
    extra = values[channels:] if policy == "pad" else ()
    return [*values[:channels], *extra, *[0.0] * (padded - channels - len(extra))]
