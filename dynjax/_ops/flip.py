"""Mirror images: `dynjax.flip`."""

from .._schema import Output, PerSample, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.gather_window import window

_LAYOUTS = ("FDHWC", "FHWC", "DHWC", "HWC", "FCDHW", "FCHW", "CDHW", "CHW")


@operator("flip", layouts=_LAYOUTS, chain="continues")
def flip(
    image: Spec,
    /,
    *,
    depthwise: PerSample[int] = 0,
    horizontal: PerSample[int] = 1,
    vertical: PerSample[int] = 0,
) -> Output:
    """Reverses images along their axes.

    Args:
        image: in any image, sequence or volume layout; not bool.
        depthwise: not 0 reverses the depth of volumes.
        horizontal: not 0 exchanges left and right. The default.
        vertical: not 0 exchanges top and bottom.

    Returns:
        Shape, type and layout of the input.

    Raises:
        OperatorError: bool data.

    Source: DALI `Flip`.

    Example:
        >>> row = dynjax.tensor(np.uint8([[[1], [2], [3]]]), layout="HWC")
        >>> np.asarray(dynjax.flip(row)).ravel()
        array([3, 2, 1], dtype=uint8)
    """
    if image.dtype.kind == "b":
        raise OperatorError("flip: the input is bool; expected numbers. Use dynjax.cast before.")
    assert image.layout is not None
    wanted = {"D": depthwise, "H": vertical, "W": horizontal}
    axes = [a for a, letter in enumerate(image.layout) if letter in wanted]
    return window(
        image,
        axes,
        [0] * len(axes),
        [image.shape[a] for a in axes],
        reverse=[wanted[image.layout[a]] for a in axes],
    )
