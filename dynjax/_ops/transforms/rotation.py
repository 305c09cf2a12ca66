"""Affine matrices that rotate: `dynjax.transforms.rotation`."""

from collections.abc import Sequence

from ..._schema import Output, PerFrame, operator
from ..._types.columns import Column
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib.affine import Matrix, about, about_axis, applied, radians
from .._lib.affine_chain import transform

_WHAT = "transforms.rotation"


@operator(_WHAT)
def rotation(
    x: Spec | None = None,
    /,
    *,
    angle: PerFrame[float],
    axis: PerFrame[list[float]] | None = None,
    center: PerFrame[list[float]] | None = None,
    reverse_order: bool = False,
) -> Output:
    """The rotation `[[cos, -sin], [sin, cos]]`, or that about an axis in three dimensions.

        R = cos I + (1 - cos) u u^T + sin [u]_x,   u = axis / |axis|

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first, or with layout `"F**"` a sequence of
            them. Default: none.
        angle: in degrees; may vary by sample or frame, as the next two may.
        axis: three numbers, of any length but 0; makes the rotation three-dimensional.
        center: the point that stays where it is. Default: the origin.
        reverse_order: apply the new map first, `x` after it.

    Returns:
        float32 `[2, 3]` or `[3, 4]`, layout `"**"`; one for each frame, layout `"F**"`, where `x`
        or an argument has frames.

    Raises:
        OperatorError: `axis` has not three numbers; `center` or `x` is of another dimension;
            numbers of frames do not fit.

    Source: DALI `transforms.Rotation`; Rodrigues' formula.

    Example:
        >>> np.asarray(dynjax.transforms.rotation(angle=90.0)).round(3) + 0.0
        array([[ 0., -1.,  0.],
               [ 1.,  0.,  0.]], dtype=float32)
    """
    return transform(_WHAT, _matrix, x, reverse_order, angle=angle, axis=axis, center=center)


def _matrix(
    angle: Column, axis: Sequence[Column] | None, center: Sequence[Column] | None
) -> Matrix:
    if axis is not None and len(axis) != 3:
        raise OperatorError(f"{_WHAT}: axis has {len(axis)} values; expected 3.")
    cos, sin = applied("cos", radians(angle)), applied("sin", radians(angle))
    rows = [[cos, -sin], [sin, cos]] if axis is None else about_axis(cos, sin, axis)
    return about(rows, center, _WHAT)
