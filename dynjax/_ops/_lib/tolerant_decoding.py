"""Decoding that goes on where pictures cannot be decoded: they are filled or left out.

Which pictures those are decides the shapes of the result, so they are decoded within the call.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from ..._direct import NO_BUFFER, direct_call
from ..._schema import Apply, Kernel
from ..._statuses import reason
from ..._types.call_sites import user_frame
from ..._types.data import Data
from ..._types.errors import ArgumentError
from ..._types.host import BadSample, SampleSource, rows
from ..._types.storage import Packed, Scattered, capacity
from .decoding import Headers
from .host_buffers import new_array

OnError = Literal["raise", "fill", "skip"]

_decoded = Kernel("decode", cost=0)  # never run: the result is there


@final
@dataclass(frozen=True)
class Tolerance:
    """What becomes of pictures that cannot be decoded.

    Attributes:
        skip: they are left out.
        shape: height, width and channels of what takes their place otherwise.
        value: of its pixels.
    """

    skip: bool
    shape: tuple[int, int, int]
    value: Any

    @staticmethod
    def of(
        what: str,
        on_error: str,
        fill_shape: Sequence[int] | None,
        fill_value: float,
        channels: int | None,
        dtype: np.dtype,
    ) -> "Tolerance | None":
        """From an operator's arguments; None for `"raise"`.

        Raises:
            ArgumentError: another word, a shape that is none, a value that the type cannot hold.
        """
        if on_error == "raise" and fill_shape is None and not fill_value:
            return None
        if on_error not in ("raise", "fill", "skip"):
            raise ArgumentError(
                f"{what}: on_error={on_error!r}; expected 'raise', 'fill' or 'skip'."
            )
        shape = (1, 1) if fill_shape is None else tuple(fill_shape)
        if len(shape) == 2:
            shape = (*shape, 3 if channels is None else channels)
        if len(shape) != 3 or min(shape) < 1 or shape[2] != (channels or shape[2]):
            raise ArgumentError(
                f"{what}: fill_shape={fill_shape}; expected the height and width of a picture, or "
                f"these and its {'' if channels is None else f'{channels} '}channels."
            )
        if dtype.kind != "f":
            limits = np.iinfo(dtype)
            if fill_value != int(fill_value) or not limits.min <= fill_value <= limits.max:
                raise ArgumentError(
                    f"{what}: fill_value={fill_value}; expected a whole number from {limits.min} "
                    f"to {limits.max}, as {dtype.name} holds."
                )
        if on_error == "raise":
            return None
        return Tolerance(on_error == "skip", shape, dtype.type(fill_value))  # type: ignore[arg-type]


def tolerantly_decoded(
    what: str, headers: Headers, encoded: Data, dtype: np.dtype, tolerance: Tolerance
) -> Apply:
    """The pictures; those that cannot be decoded are reported, and filled or left out."""
    status = headers.status.copy()
    good = np.flatnonzero(status[:, 0] == 0)
    flat, extent, status[good] = _decode(headers, good, dtype)
    failed = np.flatnonzero(status[:, 0])
    if len(failed):
        ends = np.cumsum(extent.prod(axis=1, dtype=np.int64))
        pictures = {
            int(i): flat[end - size : end].reshape(shape)
            for i, end, size, shape in zip(
                good, ends, extent.prod(axis=1, dtype=np.int64), extent, strict=True
            )
            if not status[i, 0]
        }
        if not tolerance.skip:
            filling = np.full(tolerance.shape, tolerance.value, dtype)
            pictures |= dict.fromkeys(map(int, failed), filling)
        order = sorted(pictures)
        if order:
            flat, shapes = rows([pictures[i] for i in order])
            extent = np.ascontiguousarray(shapes, np.int32)
        else:
            flat, extent = np.zeros(capacity(0), dtype), np.zeros((0, 3), np.int32)
    flat.flags.writeable = False  # so that views of it can be shared
    storage = Packed(flat, extent)
    channels = headers.channels if isinstance(headers.channels, int) else extent[:, 2]
    return Apply(
        _decoded,
        (extent[:, 0], extent[:, 1], channels),
        dtype,
        "HWC",
        host=lambda _: storage,
        source=_source(what, encoded, status, failed, tolerance),
    )


def _decode(
    headers: Headers, samples: np.ndarray, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some of the pictures one after another, their extents, and what became of each."""
    parts, status = headers.parts(samples.tolist())
    count = len(samples)
    columns = [headers.height, headers.width, headers.channels]
    extent = np.empty((count, 3), np.int32)
    for a, column in enumerate(columns):
        extent[:, a] = column if isinstance(column, int) else column[samples]
    flat = new_array((capacity(int(extent.prod(axis=1, dtype=np.int64).sum())),), dtype)
    if count:
        source = Scattered(parts)
        addresses = source.addresses(count).view(np.int32).reshape(count, 2)
        params = np.stack([c[samples] for c in headers.parameters], axis=1).astype(np.int32)
        native_status = np.empty((count, 2), np.int32)
        static = tuple(headers.static.items())
        run = direct_call(
            "decode", static, True, (np.dtype(np.uint8),), (params.dtype,), dtype, reports=True
        )
        run([NO_BUFFER, addresses, source.extent, extent, params], [flat, native_status])
        # Pillow's word counts where it failed: its pixels are zeros then.
        status = np.where(status[:, :1] != 0, status, native_status)
    return flat, extent, status


def _source(
    what: str, encoded: Data, status: np.ndarray, failed: np.ndarray, tolerance: Tolerance
) -> SampleSource:
    """Which samples the result holds; tells the data source, or the user, of the others."""
    source = encoded.source
    if source is None or len(source) != len(status):
        source = SampleSource(np.arange(len(status)), 0, None)
    bad = [BadSample(i, source.name(i), reason(*map(int, status[i]))) for i in failed.tolist()]
    if bad and source.note is not None:
        for b in bad:
            source.note(source.epoch, int(source.indices[b.sample]), b.reason)
    elif bad:
        first = bad[0]
        name = f" ({first.name})" if first.name else ""
        done = "left out" if tolerance.skip else "filled"
        warnings.warn(
            f"{what}: {len(bad)} of {len(status)} samples could not be decoded and were {done}; "
            f"the first: sample {first.sample}{name}: {first.reason}. "
            "dynjax.decoders.bad_samples(result) lists all.",
            RuntimeWarning,
            stacklevel=user_frame()[1],
        )
    return source.marked(bad, tolerance.skip)
