"""Affine matrices that shear: `dynjax.transforms.shear`."""

from ..._schema import Output, PerSample, operator
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib.affine import about, applied, radians, transform

_WHAT = "transforms.shear"


@operator(_WHAT)
def shear(
    x: Spec | None = None,
    /,
    *,
    angles: PerSample[list[float]] | None = None,
    center: PerSample[list[float]] | None = None,
    reverse_order: bool = False,
    shear: PerSample[list[float]] | None = None,
) -> Output:
    """The matrix with ones on the diagonal and shear factors elsewhere.

    In two dimensions `[[1, sx], [sy, 1]]`; in three the six factors `xy, xz, yx, yz, zx, zy` row by
    row.

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first. Default: none.
        angles: degrees whose tangents are the factors; instead of `shear`.
        center: the point that stays where it is. Default: the origin.
        reverse_order: apply the new map first, `x` after it.
        shear: two or six factors.

    Returns:
        float32 `[2, 3]` or `[3, 4]`, layout `"**"`.

    Raises:
        OperatorError: neither or both of `shear` and `angles`, or another number of factors;
            `center` or `x` is of another dimension.

    Source: DALI `transforms.Shear`.

    Example:
        >>> np.asarray(dynjax.transforms.shear(shear=[0.5, -0.25]))
        array([[ 1.  ,  0.5 ,  0.  ],
               [-0.25,  1.  ,  0.  ]], dtype=float32)
    """
    if (shear is None) == (angles is None):
        raise OperatorError(f"{_WHAT}: expected either shear or angles, and not both.")
    factors = shear
    if factors is None:
        factors = [applied("tan", radians(a)) for a in angles or ()]
    if len(factors) not in (2, 6):
        raise OperatorError(
            f"{_WHAT}: got {len(factors)} factors; expected 2 (two dimensions) or 6 (three)."
        )
    d = 2 if len(factors) == 2 else 3
    left = iter(factors)
    rows = [[1.0 if i == j else next(left) for j in range(d)] for i in range(d)]
    return transform(_WHAT, about(rows, center, _WHAT), x, reverse_order)
