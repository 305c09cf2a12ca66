"""Hue, saturation, value, brightness and contrast as one colour matrix."""

from typing import Any

import numpy as np

from ..._schema import Apply
from ..._types.columns import Column, array_module
from ..._types.dtypes import numpy_dtype
from ..._types.frames import as_frames, frame_count
from ..._types.spec import Spec
from .color_matrix import recoloured
from .element_types import check_input_type, check_output_type

LAYOUTS = ("HWC", "FHWC", "DHWC")
_IN_DTYPES = ("uint8", "int16", "int32", "float16", "float32")
_TO_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]])
_TO_RGB = np.linalg.inv(_TO_YIQ)
# A rotation by h in the chroma plane, scaled by s, is LUMA + s cos h PARALLEL + s sin h CROSSED.
_LUMA = _TO_RGB @ np.diag([1.0, 0.0, 0.0]) @ _TO_YIQ
_PARALLEL = _TO_RGB @ np.diag([0.0, 1.0, 1.0]) @ _TO_YIQ
_CROSSED = _TO_RGB @ np.array([[0.0, 0, 0], [0, 0, 1], [0, -1, 0]]) @ _TO_YIQ


def twisted(
    what: str,
    image: Spec,
    *,
    hue: Any = 0.0,
    saturation: Any = 1.0,
    brightness: Any = 1.0,
    contrast: Any = 1.0,
    dtype: Any = None,
) -> Apply:
    """The output `brightness * (half + contrast * (A x - half))` with `A` of hue and saturation.

    `half` is 128 for integer inputs and 0.5 for floats.
    """
    out_dtype = image.dtype if dtype is None else numpy_dtype(dtype)
    check_input_type(what, image.dtype, _IN_DTYPES)
    check_output_type(what, out_dtype, _IN_DTYPES)
    given = {
        "hue": as_frames(hue),
        "saturation": as_frames(saturation),
        "brightness": as_frames(brightness),
        "contrast": as_frames(contrast),
    }
    half = 0.5 if image.dtype.kind == "f" else 128.0
    count = frame_count(what, image, **given)
    frames = [_rows(half, *(values[f] for values in given.values())) for f in range(count)]
    return recoloured(what, image, frames, out_dtype)


def _rows(
    half: float, hue: Column, saturation: Column, brightness: Column, contrast: Column
) -> list[list[Column]]:
    """The rows of the matrix, each followed by its offset."""
    xp = array_module(hue)
    turn = hue * (np.pi / 180)
    gain = brightness * contrast
    parallel, crossed = gain * saturation * xp.cos(turn), gain * saturation * xp.sin(turn)
    offset = brightness * half * (1.0 - contrast)
    return [
        [
            gain * float(_LUMA[o, i])
            + parallel * float(_PARALLEL[o, i])
            + crossed * float(_CROSSED[o, i])
            for i in range(3)
        ]
        + [offset]
        for o in range(3)
    ]
