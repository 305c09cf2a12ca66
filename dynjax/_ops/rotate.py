"""Rotation of images, sequences and volumes: `dynjax.rotate`."""

from collections.abc import Sequence
from contextlib import nullcontext

import jax
import numpy as np

from .._schema import DTypeLike, Output, PerFrame, PerSample, operator
from .._types.columns import Column, is_constant, is_traced
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIInterpType
from .._types.errors import OperatorError
from .._types.frames import Frames, as_frames, frame_count, over_frames
from .._types.spec import Spec
from ._lib.affine import Matrix
from ._lib.borders import MODES
from ._lib.layouts import spatial_axes
from ._lib.maps import output_sizes
from ._lib.rotation import canvas, canvas_bound, centred, shared_canvas, turned
from ._lib.sampling import LINEAR, NEAREST, interpolation
from ._lib.warp import check_warp_types, warped

_DTYPES = ("uint8", "int16", "int32", "float32")


@operator("rotate", layouts=("HWC", "FHWC", "DHWC", "FDHWC"), chain="continues")
def rotate(
    image: Spec,
    /,
    *,
    angle: PerFrame[float],
    axis: PerFrame[list[float]] | None = None,
    dtype: DTypeLike | None = None,
    fill_value: float | None = None,
    interp_type: DALIInterpType = DALIInterpType.INTERP_LINEAR,
    keep_size: bool = False,
    output_dtype: DTypeLike | None = None,
    size: PerSample[list[float]] | None = None,
) -> Output:
    """Rotates about the centre.

        out(p) = image(R (p - c_out) + c_in),   R = [[cos, -sin], [sin, cos]]

    with positions in pixels from the corner (x, y) and the centres of the two canvases. Without
    `keep_size` and `size` the canvas holds all of the rotated image:
    `W' = ceil(W |cos| + H |sin| - 0.01)` and `H'` likewise, plus 1 where that keeps the parity of
    the side that contributes most.

    Args:
        image: uint8, int16, int32 or float32.
        angle: in degrees, counter-clockwise as displayed; may be given `per_frame`.
        axis: x, y, z of the axis of rotation, of any length but 0; for volumes, where it is
            required. Seen from its tip the rotation is clockwise. May be given `per_frame`.
        dtype: the input's (default) or float32; of float32 any of the types above, rounded to
            nearest and clamped. `output_dtype` is its old name.
        fill_value: what is outside the image, rounded and clamped to the image's type where it
            blends in, else to the result's. Default: its nearest pixel.
        interp_type: `INTERP_LINEAR` or `INTERP_NN`.
        keep_size: the canvas has the input's size.
        size: height and width of the canvas (depth first for volumes) in pixels, rounded; where
            they are given for each sample, rounded down.

    Returns:
        The rotated input in its layout. All frames of a sequence share a canvas, whose extents
        are odd where those of most frames are. An image without pixels gives a canvas that holds
        `fill_value`, or 0; inside `jit` all must have some.

    Raises:
        OperatorError: a volume without an axis, a number of values that fits neither the axes nor
            the frames, another interpolation, a type that is not supported.

    Source: DALI `Rotate`; definition checked against recordings.

    Example:
        >>> image = dynjax.tensor(np.array([[[1], [2], [3]]], np.uint8), layout="HWC")
        >>> np.asarray(dynjax.rotate(image, angle=90.0))[..., 0].tolist()
        [[3], [2], [1]]
    """
    assert image.layout is not None
    out_dtype = image.dtype if dtype is None and output_dtype is None else None
    if out_dtype is None:
        out_dtype = numpy_dtype(output_dtype if dtype is None else dtype)
    check_warp_types("rotate", image.dtype, out_dtype, _DTYPES)
    interp = interpolation("rotate", interp_type, (NEAREST, LINEAR))
    angles, axes = as_frames(angle), as_frames(axis)
    frames = frame_count("rotate", image, angle=angles, axis=axes)
    # Inside `jit` too: rounding decides about a canvas at odd multiples of 45 degrees.
    traced = is_traced(*image.shape, angles.columns(frames), *(axes.columns(frames) or ()))
    with jax.enable_x64(True) if traced else nullcontext():
        matrix, sizes = _placed(image, angles, axes, frames, size, keep_size)
    return warped(
        image,
        matrix,
        sizes,
        dtype=out_dtype,
        interp=interp,
        border=MODES.index("clamp" if fill_value is None else "constant"),
        fill=(0.0 if fill_value is None else fill_value,),
        bound=None if size or keep_size else _bound_of(image.layout),
        frames=frames,
    )


def _placed(
    image: Spec,
    angles: Frames,
    axes: Frames,
    frames: int,
    size: Sequence[Column] | None,
    keep_size: bool,
) -> tuple[Matrix, Sequence[Column]]:
    """The map from the result to the image, and the extents of the result."""
    assert image.layout is not None
    extents = [image.shape[a] for a in spatial_axes(image.layout)]
    spread = [over_frames(n, frames) for n in extents]
    linear = turned(angles.columns(frames), _axis_of(axes.columns(frames), len(extents)))
    if size:
        sizes = output_sizes("rotate", image, size, truncates=True)
    elif keep_size:
        sizes = extents
    elif frames == 1:
        sizes = canvas(linear, spread)
    else:
        sizes = _shared(linear, spread, angles, axes, frames)
        if angles.is_constant and axes.is_constant and all(map(is_constant, extents)):
            sizes = [int(n[0]) for n in sizes]
    target = spread if sizes is extents else [over_frames(n, frames) for n in sizes]
    return centred(linear, spread, target), sizes


def _axis_of(axis: Sequence[Column] | None, dimensions: int) -> Sequence[Column] | None:
    if dimensions == 2:
        return None
    if axis is None or len(axis) != 3:
        given = "none" if axis is None else f"{len(axis)} values"
        raise OperatorError(f"rotate: a volume needs axis=[x, y, z]; there is {given}.")
    return axis


def _shared(
    linear: Matrix, extents: Sequence[Column], angles: Frames, axes: Frames, frames: int
) -> list[Column]:
    """The canvas for the frames that a sample has values for."""
    lengths = axes.lengths if angles.lengths is None else angles.lengths
    has = np.arange(frames)[None] < over_frames(lengths, frames)
    return shared_canvas(linear, extents, has)


def _bound_of(layout: str):
    """The bound of each axis from the slots of the input."""
    axes = spatial_axes(layout)

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        largest = canvas_bound([slots[0][a] for a in axes])
        return [largest if a in axes else None for a in range(len(layout))]

    return bound
