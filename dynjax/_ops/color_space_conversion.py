"""Conversion between colour spaces: `dynjax.color_space_conversion`."""

from .._schema import Output, operator
from .._types.enums import DALIImageType
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.color_matrix import recoloured
from ._lib.color_spaces import TO_RGB, conversion
from ._lib.element_types import check_input_type


@operator("color_space_conversion", layouts=("FDHWC", "FHWC", "DHWC", "HWC"))
def color_space_conversion(
    image: Spec, /, *, image_type: DALIImageType, output_type: DALIImageType
) -> Output:
    """Converts between RGB, BGR, grey and YCbCr.

    Grey is `0.299 R + 0.587 G + 0.114 B`. YCbCr is ITU-R BT.601 with head- and footroom: luma 16 to
    235, chroma 16 to 240 about 128. Results are rounded to nearest and clamped.

    Args:
        image: uint8, channels last.
        image_type: colour space of the input: `RGB`, `BGR`, `GRAY` or `YCbCr`.
        output_type: colour space of the result, another one.

    Returns:
        Layout of the input, with the channels of the result's space.

    Raises:
        OperatorError: twice the same space, another type than uint8, or a number of channels that
            does not fit.

    Source: DALI `ColorSpaceConversion`; definition checked against recordings.

    Example:
        >>> red = dynjax.tensor(np.uint8([[[200, 0, 0]]]), layout="HWC")
        >>> grey = dynjax.color_space_conversion(
        ...     red, image_type=dynjax.types.RGB, output_type=dynjax.types.GRAY
        ... )
        >>> np.asarray(grey).ravel()
        array([60], dtype=uint8)
    """
    check_input_type("color_space_conversion", image.dtype, ("uint8",))
    for name, space in (("image_type", image_type), ("output_type", output_type)):
        if space not in TO_RGB:
            raise OperatorError(
                f"color_space_conversion: {name}={space.name}; expected one of "
                f"{', '.join(s.name for s in TO_RGB)}."
            )
    if image_type == output_type:
        raise OperatorError(
            f"color_space_conversion: image_type and output_type are both {image_type.name}; "
            "expected two different spaces."
        )
    matrix, offset = conversion(image_type, output_type)
    rows = [[*row, add] for row, add in zip(matrix.tolist(), offset.tolist(), strict=True)]
    return recoloured("color_space_conversion", image, [rows], image.dtype)
