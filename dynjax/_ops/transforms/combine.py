"""Composition of affine matrices: `dynjax.transforms.combine`."""

from ..._schema import Output, operator
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib.affine_chain import chain, input_dimensions

_WHAT = "transforms.combine"


@operator(_WHAT)
def combine(first: Spec, /, *others: Spec, reverse_order: bool = False) -> Output:
    """Applies affine maps one after another: the matrix product, the first map rightmost.

    Args:
        first: an affine matrix `[d, d + 1]`, applied first; or with layout `"F**"` a sequence of
            them, as any of the inputs may be.
        others: the maps that follow, at least one.
        reverse_order: apply the last one first.

    Returns:
        float32 `[d, d + 1]`, layout `"**"`; one for each frame, layout `"F**"`, where an input is a
        sequence.

    Raises:
        OperatorError: matrices of different dimensions, sequences of different numbers of frames.
        TypeError: a single input.

    Source: DALI `transforms.Combine`.

    Example:
        >>> grow = dynjax.transforms.scale(scale=[2.0, 2.0])
        >>> shift = dynjax.transforms.translation(offset=[1.0, 0.0])
        >>> np.asarray(dynjax.transforms.combine(grow, shift))
        array([[2., 0., 1.],
               [0., 2., 0.]], dtype=float32)
    """
    if not others:
        raise TypeError(f"{_WHAT}: got 1 input; expected at least 2.")
    dimensions = [input_dimensions(_WHAT, s) for s in (first, *others)]
    if len(set(dimensions)) != 1:
        raise OperatorError(
            f"{_WHAT}: the inputs map {dimensions} dimensions; expected one number."
        )
    return chain(_WHAT, dimensions[0], (first, *others), reverse_order)
