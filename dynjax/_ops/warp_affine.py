"""Affine warps of images, sequences and volumes: `dynjax.warp_affine`."""

from .._schema import DTypeLike, Output, PerFrame, PerSample, operator
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIInterpType
from .._types.errors import OperatorError
from .._types.frames import as_frames, frame_count
from .._types.spec import Spec
from ._lib.borders import MODES
from ._lib.layouts import spatial_axes
from ._lib.maps import given_map, output_sizes
from ._lib.sampling import LINEAR, NEAREST, interpolation
from ._lib.warp import check_warp_types, warped

_DTYPES = ("uint8", "int16", "int32", "float32")


@operator(
    "warp_affine",
    layouts=("HWC", "FHWC", "DHWC", "FDHWC"),
    late_inputs=("mtx",),
    chain="continues",
)
def warp_affine(
    data: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    fill_value: float | None = None,
    interp_type: DALIInterpType = DALIInterpType.INTERP_LINEAR,
    inverse_map: bool = True,
    matrix: PerFrame[list[list[float]]] | None = None,
    mtx: PerFrame[list[list[float]]] | None = None,
    output_dtype: DTypeLike | None = None,
    size: PerSample[list[float]] | None = None,
) -> Output:
    """Reads the image through an affine map.

        out(p) = image(A p + b),   matrix = [A | b]

    with positions in pixels from the corner, x first: the centre of a pixel is at `i + 0.5`.

    Args:
        data: uint8, int16, int32 or float32.
        mtx: the matrix as second input.
        matrix: `[2, 3]`, for volumes `[3, 4]`, as rows or as a flat list; may be given
            `per_frame`. `dynjax.transforms` makes such matrices.
        inverse_map: the matrix maps the result to the input; otherwise it maps the input to the
            result and is inverted.
        dtype: the input's (default) or float32; of float32 any of the types above, rounded to
            nearest and clamped. `output_dtype` is its old name.
        fill_value: what is outside the image, rounded and clamped to the image's type where it
            blends in, else to the result's. Default: the nearest pixel.
        interp_type: `INTERP_LINEAR` or `INTERP_NN`.
        size: height and width of the result (depth first for volumes) in pixels, rounded; where
            they are given for each sample, rounded down. Default: the input's.

    Returns:
        The warped input in its layout. An image without pixels gives a canvas that holds
        `fill_value`, or 0; inside `jit` all must have some.

    Raises:
        OperatorError: no matrix or one of another shape, a number of values that does not fit,
            another interpolation, a type that is not supported.
        ArgumentError: a singular matrix that has to be inverted.

    Source: DALI `WarpAffine`; definition checked against recordings.

    Example:
        >>> image = dynjax.tensor(np.array([[[1], [2], [3]]], np.uint8), layout="HWC")
        >>> shift = [[1, 0, 1], [0, 1, 0]]
        >>> np.asarray(dynjax.warp_affine(image, shift, fill_value=9)).ravel().tolist()
        [2, 3, 9]
    """
    assert data.layout is not None
    given = output_dtype if dtype is None else dtype
    out_dtype = data.dtype if given is None else numpy_dtype(given)
    check_warp_types("warp_affine", data.dtype, out_dtype, _DTYPES)
    interp = interpolation("warp_affine", interp_type, (NEAREST, LINEAR))
    chosen = matrix if mtx is None else mtx
    if chosen is None:
        raise OperatorError("warp_affine: there is no matrix. Pass it as second input or matrix=.")
    matrices = as_frames(chosen)
    d = len(spatial_axes(data.layout))
    frames = frame_count("warp_affine", data, matrix=matrices)
    return warped(
        data,
        given_map("warp_affine", "matrix", matrices, frames, d, d + 1, inverse_map),
        output_sizes("warp_affine", data, size, truncates=True),
        dtype=out_dtype,
        interp=interp,
        border=MODES.index("clamp" if fill_value is None else "constant"),
        fill=(0.0 if fill_value is None else fill_value,),
        frames=frames,
    )
