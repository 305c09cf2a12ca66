"""The shape a picture will have when decoded, from its header: `dynjax.peek_image_shape`."""

import numpy as np

from .._schema import DTypeLike, Known, Output, operator
from .._types.data import Data
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIImageType
from .._types.errors import OperatorError
from ._lib.decoding import Headers


@operator("peek_image_shape", reads_data=True, devices=("cpu",))
def peek_image_shape(
    encoded: Data,
    /,
    *,
    adjust_orientation: bool = True,
    dtype: DTypeLike = np.int64,
    image_type: DALIImageType = DALIImageType.RGB,
) -> Output:
    """Reads height, width and channels of pictures without decoding them.

    Args:
        encoded: the bytes of each file, uint8, one axis.
        adjust_orientation: give the extents as they are after the EXIF orientation is applied.
        dtype: an integer or float type of at least 32 bits. Default: int64.
        image_type: the colour space in which it would be decoded. Default: RGB.

    Returns:
        `[height, width, channels]` for each file.

    Raises:
        OperatorError: data that are no picture.

    Source: DALI `PeekImageShape`.

    Example:
        >>> import io
        >>> from PIL import Image
        >>> buffer = io.BytesIO()
        >>> Image.new("RGB", (30, 20)).save(buffer, "PNG")
        >>> np.asarray(dynjax.peek_image_shape(np.frombuffer(buffer.getvalue(), np.uint8)))
        array([20, 30,  3])
    """
    out_dtype = numpy_dtype(dtype)
    if out_dtype.kind not in "iuf" or out_dtype.itemsize < 4:
        raise OperatorError(f"peek_image_shape: dtype={out_dtype.name}; expected int32 or wider.")
    headers = Headers("peek_image_shape", encoded, image_type, adjust_orientation)
    return Known((headers.height, headers.width, headers.channels), out_dtype)
