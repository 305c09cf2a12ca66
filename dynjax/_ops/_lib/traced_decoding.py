"""Decoding inside `jit`, where the files are known only while the program runs."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._native import ensure_registered
from ..._schema import Apply, Table
from ..._types.batch import Batch
from ..._types.data import Data
from ..._types.device import Device
from ..._types.errors import ArgumentError, OperatorError
from ..._types.spec import Spec
from ..._types.storage import Dense, Padded, Undecoded
from ..._types.tensor import Tensor
from .decoding import decode
from .limits import get_max_image_pixels


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

    Without a bound they are decoded with the steps that follow, once these give them a size
    (`Undecoded`).

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
    if bound is None and fill is not None:
        raise ArgumentError(
            f"{what}: inside jit on_error='fill' needs the size of the pictures. Pass "
            "bound=(height, width), the largest that there are."
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
    ensure_registered()
    if bound is None:
        return _undecoded(encoded, dtype, channels, static)
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
    pixels, extent = call(
        *_slots(encoded),
        **_attributes(static),
        raises=fill is None,
        fill_height=np.int32(shape[0]),
        fill_width=np.int32(shape[1]),
        fill_value=np.float32(value),
    )
    result = Spec(count, (extent[:, 0], extent[:, 1], channels), dtype, "HWC", batched, Device.CPU)
    if batched:
        return Batch._make(result, Padded(pixels, extent))
    return Tensor._make(result, Padded(pixels[0], extent[0], batched=False))


def _undecoded(encoded: Data, dtype: np.dtype, channels: int, static: dict[str, Any]) -> Data:
    """The files, with the sizes that their pictures will have."""
    count, batched = encoded.spec.count, encoded.spec.batched
    files, lengths = _slots(encoded)
    sizes = jax.ffi.ffi_call(
        "dynjax_picture_sizes",
        jax.ShapeDtypeStruct((count, 3), np.int32),
        vmap_method="broadcast_all",
    )(files, lengths, **_attributes(static), max_pixels=np.int64(get_max_image_pixels()))
    shape = (sizes[:, 0], sizes[:, 1], channels)
    # The table is for sources that are no files.
    step = Apply(
        decode, shape, dtype, "HWC", tables=(Table(np.int32, (0, 0, 0, 0, 0)),), static=static
    )
    kind = Batch if batched else Tensor
    spec = Spec(count, shape, dtype, "HWC", batched, Device.CPU)
    return kind._make(spec, Undecoded(files, lengths, (step,)))


def _attributes(static: dict[str, Any]) -> dict[str, Any]:
    return {
        "output_type": np.int32(static["output_type"]),
        "adjust_orientation": static["adjust_orientation"],
        "scale": np.int32(static["scale"]),
    }


def _slots(encoded: Data) -> tuple[Any, Any]:
    """The files, `[N, bytes]`, and how many bytes count, `[N, 1]`."""
    spec, storage = encoded.spec, encoded.storage
    array: Any = storage.array if spec.batched else storage.array[None]
    if isinstance(storage, Dense):
        return array, jnp.full((spec.count, 1), array.shape[1], jnp.int32)
    return array, storage.extents(spec.shape, spec.count)
