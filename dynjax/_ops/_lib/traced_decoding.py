"""Decoding inside `jit`, where the files are known only while the program runs."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._native import ensure_registered
from ..._types.batch import Batch
from ..._types.data import Data
from ..._types.device import Device
from ..._types.errors import ArgumentError, OperatorError
from ..._types.spec import Spec
from ..._types.storage import Dense, Padded
from ..._types.tensor import Tensor


def decode_traced(
    what: str,
    encoded: Data,
    dtype: np.dtype,
    channels: int | None,
    bound: tuple[int, int] | None,
    static: dict[str, Any],
    fill: tuple[tuple[int, int, int], Any] | None,
) -> Data:
    """Pictures in slots of the bound's size, with their extents.

    Args:
        what: the operator, for messages.
        encoded: the files, uint8, one axis.
        dtype: of the pixels.
        channels: of the pixels.
        bound: the largest height and width.
        static: output type, orientation and scale, as the kernel takes them.
        fill: shape and value of what takes the place of a picture that cannot be decoded; None:
            the program fails.

    Raises:
        ArgumentError: what has to be known before the program runs is not.
        OperatorError: the input is no uint8 of one axis.
    """
    spec = encoded.spec
    if bound is None:
        raise ArgumentError(
            f"{what}: inside jit the size of the pictures is not known. Pass bound=(height, "
            "width), the largest that there are, or decode before and pass the pictures in."
        )
    if channels is None:
        raise ArgumentError(
            f"{what}: output_type=ANY_DATA has a number of channels that depends on the data, "
            "which inside jit is not known. Choose RGB, BGR, GRAY or YCbCr."
        )
    if spec.ndim != 1 or spec.dtype != np.uint8:
        raise OperatorError(
            f"{what}: the input has {spec.ndim} axes of {spec.dtype.name}; expected encoded "
            "files as one axis of uint8."
        )
    shape, value = fill or ((1, 1, channels), 0)
    if shape[0] > bound[0] or shape[1] > bound[1]:
        raise ArgumentError(f"{what}: fill_shape={shape} does not fit bound={bound}.")
    ensure_registered()
    count, batched = spec.count, spec.batched
    call = jax.ffi.ffi_call(
        "dynjax_decode_slots",
        (
            jax.ShapeDtypeStruct((count, *bound, channels), dtype),
            jax.ShapeDtypeStruct((count, 3), np.int32),
        ),
        vmap_method="broadcast_all",
    )
    pixels, extent = call(
        *_slots(encoded),
        output_type=np.int32(static["output_type"]),
        adjust_orientation=static["adjust_orientation"],
        scale=np.int32(static["scale"]),
        raises=fill is None,
        fill_height=np.int32(shape[0]),
        fill_width=np.int32(shape[1]),
        fill_value=np.float32(value),
    )
    result = Spec(count, (extent[:, 0], extent[:, 1], channels), dtype, "HWC", batched, Device.CPU)
    if batched:
        return Batch._make(result, Padded(pixels, extent))
    return Tensor._make(result, Padded(pixels[0], extent[0], batched=False))


def _slots(encoded: Data) -> tuple[Any, Any]:
    """The files, `[N, bytes]`, and how many bytes count, `[N, 1]`."""
    spec, storage = encoded.spec, encoded.storage
    array: Any = storage.array if spec.batched else storage.array[None]
    if isinstance(storage, Dense):
        return array, jnp.full((spec.count, 1), array.shape[1], jnp.int32)
    return array, storage.extents(spec.shape, spec.count)
