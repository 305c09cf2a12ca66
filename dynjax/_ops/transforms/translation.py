"""Affine matrices that shift: `dynjax.transforms.translation`."""

from ..._schema import Output, PerSample, operator
from ..._types.spec import Spec
from .._lib.affine import transform


@operator("transforms.translation")
def translation(
    x: Spec | None = None,
    /,
    *,
    offset: PerSample[list[float]],
    reverse_order: bool = False,
) -> Output:
    """The matrix `[I | offset]`, which maps `p` to `p + offset`.

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first. Default: none.
        offset: one number for each dimension.
        reverse_order: apply the new map first, `x` after it.

    Returns:
        float32 `[d, d + 1]`, layout `"**"`.

    Raises:
        OperatorError: `x` is of another dimension.

    Source: DALI `transforms.Translation`.

    Example:
        >>> np.asarray(dynjax.transforms.translation(offset=[3.0, -2.0]))
        array([[ 1.,  0.,  3.],
               [ 0.,  1., -2.]], dtype=float32)
    """
    d = len(offset)
    rows = [[*(float(i == j) for j in range(d)), offset[i]] for i in range(d)]
    return transform("transforms.translation", rows, x, reverse_order)
