"""Perspective warps of images and sequences: `dynjax.experimental.warp_perspective`."""

from collections.abc import Sequence

import numpy as np

from ..._schema import Output, PerFrame, PerSample, operator
from ..._types.enums import DALIInterpType
from ..._types.errors import OperatorError
from ..._types.frames import as_frames, frame_count
from ..._types.spec import Spec
from .._lib.affine import Matrix
from .._lib.borders import MODES
from .._lib.channels import channel_count
from .._lib.maps import check_pixels, given_map, output_sizes
from .._lib.sampling import CUBIC, LINEAR, NEAREST, interpolation
from .._lib.warp import check_warp_types, warped

_WHAT = "experimental.warp_perspective"
_DTYPES = ("uint8", "int16", "uint16", "float32")
_BORDERS = {
    "constant": "constant",
    "replicate": "clamp",
    "reflect": "reflect_1001",
    "reflect_101": "reflect_101",
    "wrap": "wrap",
}


@operator(_WHAT, layouts=("HW", "HWC", "FHWC", "CHW", "FCHW"), late_inputs=("matrix_input",))
def warp_perspective(
    image: Spec,
    /,
    *,
    border_mode: str = "constant",
    fill_value: list[float] = (),  # type: ignore[assignment]
    interp_type: DALIInterpType = DALIInterpType.INTERP_LINEAR,
    inverse_map: bool = True,
    matrix: PerFrame[list[list[float]]] | None = None,
    matrix_input: PerFrame[list[list[float]]] | None = None,
    pixel_origin: str = "corner",
    size: PerSample[list[float]] | None = None,
) -> Output:
    """Reads the image through a projective map.

        out(p) = image(q / w),   (q, w) = matrix (p, 1)

    with positions in pixels, x first.

    Args:
        image: uint8, int16, uint16 or float32.
        matrix_input: the matrix as second input.
        matrix: `[3, 3]`, as rows or as a flat list; may be given `per_frame`.
        inverse_map: the matrix maps the result to the input; otherwise it maps the input to the
            result and is inverted.
        border_mode: what is outside the image: `"constant"`, `"replicate"` (the nearest pixel),
            `"reflect"` (`cba|abc`), `"reflect_101"` (`cb|abc`) or `"wrap"`.
        fill_value: one value, or one for each channel, of the constant border, rounded (halves to
            even) and clamped to the image's type. Default: 0.
        interp_type: `INTERP_LINEAR`, `INTERP_NN` or `INTERP_CUBIC` (Keys' filter, a = -0.75).
        pixel_origin: where a pixel's position is: `"corner"`, so that its centre is at `i + 0.5`,
            or `"center"`.
        size: height and width of the result in pixels, or one number for both. Default: the
            input's.

    Returns:
        The warped input in its layout.

    Raises:
        OperatorError: no matrix or one of another shape, a number of values that does not fit,
            an unknown border, origin or interpolation, a type that is not supported, no pixels.
        ArgumentError: a singular matrix that has to be inverted.

    Source: DALI `experimental.WarpPerspective`, which takes OpenCV's: that one rounds positions to
    1/32 pixel, this one does not.

    Example:
        >>> image = dynjax.tensor(np.array([[1, 2, 3]], np.uint8), layout="HW")
        >>> shift = [[1, 0, 1], [0, 1, 0], [0, 0, 1]]
        >>> np.asarray(dynjax.experimental.warp_perspective(image, shift)).tolist()
        [[2, 3, 0]]
    """
    check_warp_types(_WHAT, image.dtype, image.dtype, _DTYPES)
    interp = interpolation(_WHAT, interp_type, (NEAREST, LINEAR, CUBIC))
    if border_mode not in _BORDERS:
        expected = ", ".join(_BORDERS)
        raise OperatorError(f"{_WHAT}: border_mode={border_mode!r}; expected one of {expected}.")
    if pixel_origin not in ("corner", "center"):
        raise OperatorError(
            f"{_WHAT}: pixel_origin={pixel_origin!r}; expected 'corner' or 'center'."
        )
    chosen = matrix if matrix_input is None else matrix_input
    if chosen is None:
        raise OperatorError(f"{_WHAT}: there is no matrix. Pass it as second input or matrix=.")
    check_pixels(_WHAT, image)
    matrices = as_frames(chosen)
    frames = frame_count(_WHAT, image, matrix=matrices)
    given = given_map(_WHAT, "matrix", matrices, frames, 3, 3, inverse_map)
    return warped(
        image,
        _from_centres(given) if pixel_origin == "center" else given,
        output_sizes(_WHAT, image, size, one_for_all=True),
        dtype=image.dtype,
        interp=interp,
        border=MODES.index(_BORDERS[border_mode]),
        fill=_fill(image, fill_value),
        perspective=True,
        frames=frames,
    )


def _from_centres(m: Matrix) -> Matrix:
    """A map between positions counted from the first pixel's centre as one between corners."""
    moved = [[row[0], row[1], row[2] - (row[0] + row[1]) / 2] for row in m]
    return [
        [a + b / 2 for a, b in zip(moved[0], moved[2], strict=True)],
        [a + b / 2 for a, b in zip(moved[1], moved[2], strict=True)],
        moved[2],
    ]


def _fill(image: Spec, values: Sequence[float]) -> Sequence[float]:
    if image.dtype.kind in "iu":
        values = np.rint(values).tolist()  # as OpenCV; what is beyond the type is clamped later
    if len(values) <= 1:
        return tuple(values) or (0.0,)
    assert image.layout is not None
    channels = channel_count(_WHAT, image, image.layout.index("C")) if "C" in image.layout else 1
    if channels != len(values):
        raise OperatorError(
            f"{_WHAT}: fill_value has {len(values)} values; expected 1 or one for each of the "
            f"{channels} channels."
        )
    return values
