"""The headers of files inside `jit`, where they are read when the program runs."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np

from ..._native import ensure_registered
from ..._schema import Apply, Table
from ..._types.batch import Batch
from ..._types.columns import Column, is_constant, is_traced, maximum, minimum, where
from ..._types.data import Data, padded
from ..._types.device import Device
from ..._types.enums import DALIImageType
from ..._types.errors import ArgumentError, OperatorError
from ..._types.spec import Spec
from ..._types.storage import Dense, Padded, Undecoded
from ..._types.tensor import Tensor
from .decoding import FULL_SCALE, Headers, channels_of, decode, pixel_dtype
from .limits import get_max_image_pixels


@final
class TracedHeaders:
    """What `Headers` is for files that are at hand.

    Attributes:
        height, width: traced int32 columns, with the orientation applied if asked for.
        channels: of the result.
        static: parameters of the decode kernel.
    """

    def __init__(
        self,
        what: str,
        encoded: Data,
        output_type: DALIImageType,
        turn: bool,
        *,
        scale: int = FULL_SCALE,
    ):
        """Has them read; arguments as of `Headers`.

        Raises:
            ArgumentError: the number of channels is not known before the program runs.
            OperatorError: the input is no uint8 of one axis.
        """
        self.channels = checked_channels(what, encoded.spec, output_type)
        self.static = {
            "output_type": int(output_type),
            "adjust_orientation": turn,
            "scale": scale,
        }
        self._what = what
        self._count, self._batched = encoded.spec.count, encoded.spec.batched
        self._files, self._lengths = file_slots(encoded)
        ensure_registered()
        sizes = jax.ffi.ffi_call(
            "dynjax_picture_sizes",
            jax.ShapeDtypeStruct((self._count, 3), np.int32),
            vmap_method="broadcast_all",
        )(
            self._files,
            self._lengths,
            **decode_attributes(self.static),
            max_pixels=np.int64(get_max_image_pixels()),
            caller=what,
        )
        self.height: Any = sizes[:, 0]
        self.width: Any = sizes[:, 1]

    def decoded(
        self, dtype: Any, part: tuple[Column, Column, Column, Column] | None = None
    ) -> Data:
        """The pictures, or a part of each, to be decoded with the steps that follow.

        A part that does not fit its picture fails the program.

        Raises:
            OperatorError: an empty part, or a dtype that no decoder gives.
        """
        height, width, origin = self.height, self.width, ()
        if part is not None:
            if any(is_constant(size) and size < 1 for size in part[2:]):
                raise OperatorError(f"{self._what}: the window of {part[2:]} pixels is empty.")
            y, height = _refused_if_outside(part[0], part[2], self.height)
            x, width = _refused_if_outside(part[1], part[3], self.width)
            origin = (y, x)
        # What kind of source it is: a file, of which the kernel reads the rest itself.
        file = (0, 0, 0, 0, 0)
        step = Apply(
            decode,
            (height, width, self.channels),
            pixel_dtype(self._what, dtype),
            "HWC",
            tables=(Table(np.int32, (*file, *origin)),),
            static=self.static,
        )
        kind = Batch if self._batched else Tensor
        spec = Spec(self._count, step.shape, step.dtype, "HWC", self._batched, Device.CPU)
        return kind._make(spec, Undecoded(self._files, self._lengths, (step,), self._what))


def _refused_if_outside(first: Column, size: Column, extent: Column) -> tuple[Column, Column]:
    """The window along one axis with a size that what follows can work with.

    Instead the first pixel of one that is too large or empty lies where the kernel refuses it.
    """
    if is_constant(size) or size is extent:
        return first, size
    within = minimum(maximum(size, 1), extent)
    return where(within == size, first, -1), within


def read_headers(
    what: str,
    encoded: Data,
    output_type: DALIImageType,
    turn: bool,
    count: int,
    *columns: Column,
) -> Headers | TracedHeaders:
    """The headers of files for windows in them; `TracedHeaders` inside `jit`.

    Args:
        what: the operator, for messages.
        encoded: the files.
        output_type: colour channels of the result.
        turn: apply the orientation.
        count: the number of samples of the call.
        columns: what windows are worked out from.
    """
    if encoded.storage.is_traced() or is_traced(*columns):
        return TracedHeaders(what, encoded, output_type, turn)
    return Headers(what, encoded, output_type, turn, count)


def in_double_precision(headers: Headers | TracedHeaders) -> AbstractContextManager[None]:
    """Where windows are worked out from fractions of sizes as they are outside `jit`."""
    return jax.enable_x64(True) if isinstance(headers, TracedHeaders) else nullcontext()


def checked_channels(what: str, spec: Spec, output_type: DALIImageType) -> int:
    """The channels of the result; raises what is wrong with the input or the colours."""
    channels = channels_of(output_type)
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
    return channels


def decode_attributes(static: dict[str, Any]) -> dict[str, Any]:
    """The kernel's parameters as native attributes."""
    return {
        "output_type": np.int32(static["output_type"]),
        "adjust_orientation": static["adjust_orientation"],
        "scale": np.int32(static["scale"]),
    }


def file_slots(encoded: Data) -> tuple[Any, Any]:
    """The files, `[N, bytes]`, and how many bytes count, `[N, 1]`."""
    spec, storage = encoded.spec, encoded.storage
    if not isinstance(storage, Dense | Padded):
        storage = padded(encoded, storage)
    array: Any = storage.array if spec.batched else storage.array[None]
    if isinstance(storage, Dense):
        return array, jnp.full((spec.count, 1), array.shape[1], jnp.int32)
    return array, storage.extents(spec.shape, spec.count)
