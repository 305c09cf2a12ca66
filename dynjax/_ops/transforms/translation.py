"""Affine matrices that shift: `dynjax.transforms.translation`."""

from collections.abc import Sequence

from ..._schema import Output, PerFrame, operator
from ..._types.columns import Column
from ..._types.spec import Spec
from .._lib.affine import Matrix
from .._lib.affine_chain import transform


@operator("transforms.translation")
def translation(
    x: Spec | None = None,
    /,
    *,
    offset: PerFrame[list[float]],
    reverse_order: bool = False,
) -> Output:
    """The matrix `[I | offset]`, which maps `p` to `p + offset`.

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first, or with layout `"F**"` a sequence of
            them. Default: none.
        offset: one number for each dimension; may vary by sample or frame.
        reverse_order: apply the new map first, `x` after it.

    Returns:
        float32 `[d, d + 1]`, layout `"**"`; one for each frame, layout `"F**"`, where `x` or an
        argument has frames.

    Raises:
        OperatorError: `x` is of another dimension or has another number of frames.

    Source: DALI `transforms.Translation`.

    Example:
        >>> np.asarray(dynjax.transforms.translation(offset=[3.0, -2.0]))
        array([[ 1.,  0.,  3.],
               [ 0.,  1., -2.]], dtype=float32)
    """
    return transform("transforms.translation", _matrix, x, reverse_order, offset=offset)


def _matrix(offset: Sequence[Column]) -> Matrix:
    d = len(offset)
    return [[*(float(i == j) for j in range(d)), offset[i]] for i in range(d)]
