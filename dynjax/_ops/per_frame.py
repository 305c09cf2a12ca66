"""Values for each frame of a sequence: `dynjax.per_frame`."""

from .._schema import Output, operator
from .._types.columns import Column, is_constant, is_traced
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.refold import refolded


@operator("per_frame")
def per_frame(x: Spec, /, *, replace: bool = False) -> Output:
    """Marks the first axis as counting frames, for arguments that vary within a sequence.

    Args:
        x: data with at least one axis.
        replace: put `F` in the place of another first letter.

    Returns:
        The same data; the layout starts with `F` (`F***` if there was none).

    Raises:
        OperatorError: the layout starts with another letter, or the data are scalars.

    Source: DALI `PerFrame`.

    Example:
        >>> dynjax.per_frame(dynjax.tensor([[1.0], [2.0]])).layout
        'F*'
    """
    if not x.ndim:
        raise OperatorError("per_frame: the input is a scalar; expected an axis of frames.")
    layout = x.layout or "F" + "*" * (x.ndim - 1)
    if layout[0] != "F":
        if not replace:
            raise OperatorError(
                f"per_frame: the input's layout {layout!r} does not start with F. Pass "
                "replace=True to replace its first letter."
            )
        layout = "F" + layout[1:]
    return refolded("per_frame", x, (x.shape[0], *map(_shared, x.shape[1:])), layout)


def _shared(size: Column) -> Column:
    """An axis of the values of a frame: static where all samples agree, which `jit` then knows."""
    if is_constant(size) or is_traced(size) or not len(size) or (size != size[0]).any():
        return size
    return int(size[0])
