"""The largest value about each pixel: `dynjax.experimental.dilate`."""

from ..._schema import Output, PerFrame, operator
from ..._types.spec import Spec
from .._lib.morphology import LAYOUTS, extremes


@operator("experimental.dilate", layouts=LAYOUTS)
def dilate(
    image: Spec,
    /,
    *,
    anchor: PerFrame[list[int]] = (-1, -1),  # type: ignore[assignment]
    border_mode: str = "constant",
    iterations: int = 1,
    mask_size: PerFrame[list[int]] = (3, 3),  # type: ignore[assignment]
) -> Output:
    """Replaces each pixel by the largest value under a rectangle about it.

    Args:
        image: uint8, uint16 or float32.
        anchor: row and column of the rectangle that lie on the pixel; -1 is the middle. May vary
            by sample or frame.
        border_mode: what lies beyond the border: `"constant"` (nothing), `"replicate"`,
            `"reflect"`, `"reflect_101"` or `"wrap"`.
        iterations: how often this is done.
        mask_size: height and width of the rectangle, or one number for both. May vary by sample
            or frame.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: another type, an empty rectangle, an anchor outside it.

    Inside `jit`, a `mask_size` that is traced is at most 15.

    Source: DALI `experimental.Dilate`, which runs on GPUs only; formula of mathematical morphology.

    Example:
        >>> row = dynjax.tensor(np.uint8([[0, 0, 9, 5, 5]]), layout="HW")
        >>> np.asarray(dynjax.experimental.dilate(row))
        array([[0, 9, 9, 9, 5]], dtype=uint8)
    """
    return extremes(
        "experimental.dilate",
        image,
        anchor=anchor,
        border_mode=border_mode,
        iterations=iterations,
        mask_size=mask_size,
        largest=True,
    )
