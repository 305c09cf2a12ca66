"""Histogram equalisation: `dynjax.equalize`."""

from .._schema import Apply, Output, operator
from .._types.spec import Spec
from ._lib.element_types import check_input_type
from ._lib.equalization import equalization


@operator("equalize", layouts=("HW", "HWC", "CHW", "FHW", "FHWC", "FCHW"))
def equalize(image: Spec, /) -> Output:
    """Spreads the values of each channel over the whole range of a byte.

        out = rint(255 * (cdf(v) - cdf_min) / (pixels - cdf_min))

    with `cdf(v)` the number of pixels up to value v and `cdf_min` that of the smallest value that
    occurs. Each channel and frame is equalised apart. One that is constant stays as it is.

    Args:
        image: uint8.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: another type than uint8.

    Source: DALI `Equalize`; definition checked against recordings.

    Example:
        >>> np.asarray(dynjax.equalize(dynjax.tensor(np.uint8([[10, 20, 20, 30]]), layout="HW")))
        array([[  0, 170, 170, 255]], dtype=uint8)
    """
    check_input_type("equalize", image.dtype, ("uint8",))
    assert image.layout is not None
    return Apply(
        equalization,
        image.shape,
        image.dtype,
        image.layout,
        static={"first_axis": image.layout.index("H")},
    )
