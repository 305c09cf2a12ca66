"""The kernel of brightness and contrast: `x * gain + offset`; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column
from ..._types.dtypes import numpy_dtype
from ..._types.frames import as_frames, frame_count
from ..._types.spec import Spec
from .by_frame import by_frame
from .element_types import check_input_type, check_output_type
from .rounding import saturate

LAYOUTS = ("FHWC", "DHWC", "HWC")
_DTYPES = ("uint8", "int16", "int32", "float32")
# The largest value of a type, of which shifts are fractions.
_RANGE = {"uint8": 255.0, "int16": 32767.0, "int32": 2147483647.0, "float32": 1.0}
# Half the range, which contrast leaves alone.
_HALF = {"uint8": 128.0, "int16": 16384.0, "int32": 1073741824.0, "float32": 0.5}


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    del extents, out_extent, out_shape
    gain, offset = tables[0][0], tables[0][1]
    return saturate(inputs[0].astype(jnp.float32) * gain + offset, dtype)


def _sample_by_frame(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    def apply(image: Any, row: Any, dropped: int) -> Any:
        del dropped
        return _sample([image], extents, out_extent, [row], out_shape=out_shape, dtype=dtype)

    return by_frame(apply, inputs[0], tables[0].reshape(-1, 2))


_kernel = Kernel("intensity", _sample, pointwise=True)
_kernel_by_frame = Kernel("intensity", _sample_by_frame)


def scaled_intensity(
    what: str,
    image: Spec,
    *,
    brightness: Any = 1.0,
    brightness_shift: Any = 0.0,
    contrast: Any = 1.0,
    contrast_center: Any = None,
    dtype: Any = None,
) -> Apply:
    """The output `shift * range + brightness * (center + contrast * (x - center))`."""
    out_dtype = image.dtype if dtype is None else numpy_dtype(dtype)
    check_input_type(what, image.dtype, _DTYPES)
    check_output_type(what, out_dtype, _DTYPES)
    given = {
        "brightness": as_frames(brightness),
        "brightness_shift": as_frames(brightness_shift),
        "contrast": as_frames(contrast),
        "contrast_center": as_frames(contrast_center),
    }
    count = frame_count(what, image, **given)
    columns: list[Column] = []
    for frame in range(count):
        gain, shift, factor, center = (values[frame] for values in given.values())
        center = _HALF[image.dtype.name] if center is None else center
        offset = shift * _RANGE[out_dtype.name] + gain * (center - factor * center)
        columns += [gain * factor, offset]
    return Apply(
        _kernel if count == 1 else _kernel_by_frame,
        image.shape,
        out_dtype,
        image.layout,
        tables=(Table(np.float32, columns),),
    )
