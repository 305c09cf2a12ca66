"""Single frames of sequences: `dynjax.element_extract`."""

from .._schema import Output, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.frames import check_sequence, picked


@operator("element_extract")
def element_extract(x: Spec, /, *, element_map: list[int]) -> Output | tuple[Output, ...]:
    """Takes single frames out of a sequence.

    Args:
        x: sequences; the first axis counts frames.
        element_map: numbers of the frames.

    Returns:
        One result for each number (a tuple if there are several), without the axis of frames.

    Raises:
        OperatorError: a frame that does not exist, an empty list, or no sequence.

    Source: DALI `ElementExtract`.

    Example:
        >>> video = dynjax.tensor(np.arange(6).reshape(3, 2), layout="FC")
        >>> first, last = dynjax.element_extract(video, element_map=[0, 2])
        >>> np.asarray(last)
        array([4, 5])
    """
    check_sequence("element_extract", x)
    if not element_map:
        raise OperatorError("element_extract: element_map is empty; expected frame numbers.")
    layout = x.layout[1:] or None if x.layout else None
    return tuple(
        picked("element_extract", x, [number], layout, single=True) for number in element_map
    )
