"""Affine matrices that scale: `dynjax.transforms.scale`."""

from collections.abc import Sequence

from ..._schema import Output, PerFrame, operator
from ..._types.columns import Column
from ..._types.spec import Spec
from .._lib.affine import Matrix, about, repeated
from .._lib.affine_chain import input_dimensions, transform

_WHAT = "transforms.scale"


@operator(_WHAT)
def scale(
    x: Spec | None = None,
    /,
    *,
    center: PerFrame[list[float]] | None = None,
    ndim: int | None = None,
    reverse_order: bool = False,
    scale: PerFrame[list[float]],
) -> Output:
    """The matrix `[S | center - S center]` with `S = diag(scale)`.

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first, or with layout `"F**"` a sequence of
            them. Default: none.
        center: the point that stays where it is. Default: the origin.
        ndim: number of dimensions where `scale` is one number. Default: that of `x`, else 1.
        reverse_order: apply the new map first, `x` after it.
        scale: a factor for each dimension, or one for all; may vary by sample or frame, as `center`
            may.

    Returns:
        float32 `[d, d + 1]`, layout `"**"`; one for each frame, layout `"F**"`, where `x` or an
        argument has frames.

    Raises:
        OperatorError: `center` or `x` is of another dimension, or numbers of frames do not fit.

    Source: DALI `transforms.Scale`.

    Example:
        >>> np.asarray(dynjax.transforms.scale(scale=[2.0, 0.5], center=[10.0, 20.0]))
        array([[  2. ,   0. , -10. ],
               [  0. ,   0.5,  10. ]], dtype=float32)
    """

    def matrix(scale: Sequence[Column], center: Sequence[Column] | None) -> Matrix:
        d = len(scale)
        if d == 1:
            d = ndim or (1 if x is None else input_dimensions(_WHAT, x))
        factors = repeated(_WHAT, "scale", scale, d, 1.0)
        rows = [[factors[i] if i == j else 0.0 for j in range(d)] for i in range(d)]
        return about(rows, center, _WHAT)

    return transform(_WHAT, matrix, x, reverse_order, scale=scale, center=center)
