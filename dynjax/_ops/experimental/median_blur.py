"""The middle value about each pixel: `dynjax.experimental.median_blur`."""

import numpy as np

from ..._schema import Apply, Output, PerSample, Table, operator
from ..._types.columns import any_of, first_of, value_at
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib.element_types import check_input_type
from .._lib.filter_axes import per_axis
from .._lib.morphology import LAYOUTS, largest_size
from .._lib.ranks import LARGEST_WINDOW, median

_DTYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32")


@operator("experimental.median_blur", layouts=LAYOUTS)
def median_blur(
    image: Spec,
    /,
    *,
    window_size: PerSample[list[int]] = (3, 3),  # type: ignore[assignment]
) -> Output:
    """Replaces each pixel by the median of a rectangle about it.

    Beyond the border the outermost pixels repeat.

    Args:
        image: integers of at most 32 bits, or float32.
        window_size: height and width of the rectangle, odd and at most 1023, or one number for
            both. May vary by sample.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: another type, an even size, one that is too large.

    Inside `jit`, a `window_size` that is traced is at most 15.

    Source: DALI `experimental.MedianBlur`, which runs on GPUs only.

    Example:
        >>> row = dynjax.tensor(np.uint8([[0, 0, 9, 0, 5]]), layout="HW")
        >>> np.asarray(dynjax.experimental.median_blur(row))
        array([[0, 0, 0, 5, 5]], dtype=uint8)
    """
    assert image.layout is not None
    what = "experimental.median_blur"
    check_input_type(what, image.dtype, _DTYPES)
    windows = per_axis(what, "window_size", window_size, 2)
    for size in windows:
        if any_of(size % 2 == 0):
            i = first_of(size % 2 == 0)
            raise OperatorError(
                f"{what}: sample {i}: window_size is {value_at(size, i)}; expected an odd number."
            )
        if any_of(size > LARGEST_WINDOW):
            i = first_of(size > LARGEST_WINDOW)
            raise OperatorError(
                f"{what}: sample {i}: window_size is {value_at(size, i)}; expected "
                f"{LARGEST_WINDOW} or less."
            )
    return Apply(
        median,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.int32, windows),),
        static={
            "first_axis": image.layout.index("H"),
            "sizes": tuple(largest_size(what, "window_size", size) for size in windows),
        },
    )
