"""Frames in another order: `dynjax.sequence_rearrange`."""

from collections.abc import Mapping

from .._schema import Output, PerSample, operator
from .._types.columns import Column
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.frames import check_sequence, picked


@operator("sequence_rearrange", ragged=("new_order",))
def sequence_rearrange(
    x: Spec, /, *, lengths: Mapping[str, Column] | None = None, new_order: PerSample[list[int]]
) -> Output:
    """Picks frames of a sequence, in any order and as often as wanted.

    Args:
        x: sequences; the first axis counts frames.
        lengths: set by the call: how many numbers each sample has, by argument.
        new_order: numbers of the frames; as a batch, samples may differ in how many they have.

    Returns:
        One frame for each number, in the input's layout.

    Raises:
        OperatorError: a frame that does not exist, an empty order, or no sequence.

    Source: DALI `SequenceRearrange`.

    Example:
        >>> np.asarray(dynjax.sequence_rearrange(dynjax.tensor([5, 6, 7]), new_order=[2, 0]))
        array([7, 5], dtype=int32)
    """
    check_sequence("sequence_rearrange", x)
    if not len(new_order):
        raise OperatorError("sequence_rearrange: new_order is empty; expected frame numbers.")
    own = None if lengths is None else lengths["new_order"]
    return picked("sequence_rearrange", x, new_order, x.layout, lengths=own)
