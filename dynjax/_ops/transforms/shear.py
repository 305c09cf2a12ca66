"""Affine matrices that shear: `dynjax.transforms.shear`."""

from collections.abc import Sequence
from typing import Any

from ..._schema import Output, PerFrame, operator
from ..._types.columns import Column
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib.affine import Matrix, about, applied, radians
from .._lib.affine_chain import transform

_WHAT = "transforms.shear"


@operator(_WHAT)
def shear(
    x: Spec | None = None,
    /,
    *,
    angles: PerFrame[list[list[float]]] | None = None,
    center: PerFrame[list[float]] | None = None,
    reverse_order: bool = False,
    shear: PerFrame[list[list[float]]] | None = None,
) -> Output:
    """The matrix with ones on the diagonal and shear factors elsewhere.

    In two dimensions `[[1, sx], [sy, 1]]`; in three the six factors `xy, xz, yx, yz, zx, zy` row by
    row.

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first, or with layout `"F**"` a sequence of
            them. Default: none.
        angles: degrees whose tangents are the factors; instead of `shear`.
        center: the point that stays where it is. Default: the origin.
        reverse_order: apply the new map first, `x` after it.
        shear: two or six factors, flat or as `[d, d - 1]`; may vary by sample or frame, as `angles`
            and `center` may.

    Returns:
        float32 `[2, 3]` or `[3, 4]`, layout `"**"`; one for each frame, layout `"F**"`, where `x`
        or an argument has frames.

    Raises:
        OperatorError: neither or both of `shear` and `angles`, or another number of factors;
            `center` or `x` is of another dimension; numbers of frames do not fit.

    Source: DALI `transforms.Shear`.

    Example:
        >>> np.asarray(dynjax.transforms.shear(shear=[0.5, -0.25]))
        array([[ 1.  ,  0.5 ,  0.  ],
               [-0.25,  1.  ,  0.  ]], dtype=float32)
    """
    if (shear is None) == (angles is None):
        raise OperatorError(f"{_WHAT}: expected either shear or angles, and not both.")
    return transform(_WHAT, _matrix, x, reverse_order, shear=shear, angles=angles, center=center)


def _matrix(
    shear: Sequence[Any] | None, angles: Sequence[Any] | None, center: Sequence[Column] | None
) -> Matrix:
    if shear is not None:
        factors = _flat("shear", shear)
    else:
        factors = [applied("tan", radians(a)) for a in _flat("angles", angles or ())]
    if len(factors) not in (2, 6):
        raise OperatorError(
            f"{_WHAT}: got {len(factors)} factors; expected 2 (two dimensions) or 6 (three)."
        )
    d = 2 if len(factors) == 2 else 3
    left = iter(factors)
    rows = [[1.0 if i == j else next(left) for j in range(d)] for i in range(d)]
    return about(rows, center, _WHAT)


def _flat(name: str, values: Sequence[Any]) -> list[Column]:
    """The factors of a flat list, or of the rows `[d, d - 1]`."""
    rows = [row for row in values if isinstance(row, tuple)]
    if not rows:
        return list(values)
    if (len(rows), len(rows[0])) not in ((2, 1), (3, 2)):
        raise OperatorError(
            f"{_WHAT}: {name} has shape ({len(rows)}, {len(rows[0])}); expected (2, 1) or (3, 2), "
            "or a flat list."
        )
    return [factor for row in rows for factor in row]
