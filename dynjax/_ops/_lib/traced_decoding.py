"""Decoding inside `jit` into slots, where the files are known only while the program runs."""

from typing import Any

import jax
import numpy as np

from ..._native import ensure_registered
from ..._types.batch import Batch
from ..._types.data import Data
from ..._types.device import Device
from ..._types.enums import DALIImageType
from ..._types.errors import ArgumentError
from ..._types.spec import Spec
from ..._types.storage import Padded
from ..._types.tensor import Tensor
from .traced_headers import TracedHeaders, checked_channels, decode_attributes, file_slots


def decode_traced(
    what: str,
    encoded: Data,
    dtype: np.dtype,
    output_type: DALIImageType,
    bound: tuple[int, int] | None,
    turn: bool,
    scale: int,
    fill: tuple[tuple[int, int, int], Any] | None,
) -> Data:
    """Pictures in slots of the bound's size, with their extents.

    Without a bound they are decoded with the steps that follow, once these give them a size
    (`Undecoded`).

    Args:
        what: the operator, for messages.
        encoded: the files, uint8, one axis.
        dtype: of the pixels.
        output_type: their colour channels.
        bound: the largest height and width.
        turn: apply the orientation.
        scale: eighths of their size to which JPEG pictures are decoded.
        fill: shape and value of what takes the place of a picture that cannot be decoded; None:
            the program fails.

    Raises:
        ArgumentError: what has to be known before the program runs is not.
        OperatorError: the input is no uint8 of one axis.
    """
    spec = encoded.spec
    if bound is None:
        if fill is not None:
            raise ArgumentError(
                f"{what}: inside jit on_error='fill' needs the size of the pictures. Pass "
                "bound=(height, width), the largest that there are."
            )
        return TracedHeaders(what, encoded, output_type, turn, scale=scale).decoded(dtype)
    channels = checked_channels(what, spec, output_type)
    ensure_registered()
    shape, value = fill or ((1, 1, channels), 0)
    if shape[0] > bound[0] or shape[1] > bound[1]:
        raise ArgumentError(f"{what}: fill_shape={shape} does not fit bound={bound}.")
    count, batched = spec.count, spec.batched
    call = jax.ffi.ffi_call(
        "dynjax_decode_slots",
        (
            jax.ShapeDtypeStruct((count, *bound, channels), dtype),
            jax.ShapeDtypeStruct((count, 3), np.int32),
        ),
        vmap_method="broadcast_all",
    )
    static = {"output_type": int(output_type), "adjust_orientation": turn, "scale": scale}
    pixels, extent = call(
        *file_slots(encoded),
        **decode_attributes(static),
        raises=fill is None,
        fill_height=np.int32(shape[0]),
        fill_width=np.int32(shape[1]),
        fill_value=np.float32(value),
    )
    result = Spec(count, (extent[:, 0], extent[:, 1], channels), dtype, "HWC", batched, Device.CPU)
    if batched:
        return Batch._make(result, Padded(pixels, extent))
    return Tensor._make(result, Padded(pixels[0], extent[0], batched=False))
