"""CUDA streams, in name: XLA orders the work of each device by itself.

Programs written for the original may pass streams around. Their handles are kept as hints and have
no effect on when or where something runs.
"""

import threading
from typing import Any, final

from .._types.device import Device


@final
class Stream:
    """A stream of a GPU.

    Args:
        stream: a stream to wrap: an int handle or an object with `__cuda_stream__`. Default: a
            new one.
        device_id: number of the GPU. Default: 0.

    Raises:
        ValueError: `stream` is None, or there is no such GPU.
        TypeError: `stream` is no stream.
        RuntimeError: JAX has no GPU.
    """

    __slots__ = ("_device_id", "_handle")

    create_new = object()

    def __init__(self, *, stream: Any = create_new, device_id: int | None = None):
        if stream is None:
            raise ValueError("Stream: stream=None; omit it to create a stream.")
        device = Device("gpu", device_id)
        self._handle = id(self) if stream is Stream.create_new else _handle(stream)
        self._device_id = device.device_id

    @property
    def handle(self) -> int:
        """The number that tells the stream from others of its device."""
        return self._handle

    @property
    def device_id(self) -> int | None:
        """Number of the GPU."""
        return self._device_id

    def synchronize(self) -> None:
        """Without effect: whoever reads a result waits for it."""

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self._handle)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return (self._handle, self._device_id) == (other._handle, other._device_id)

    def __hash__(self) -> int:
        return hash((self._handle, self._device_id))


def _handle(stream: Any) -> int:
    if isinstance(stream, int):
        return stream
    try:
        return int(stream.__cuda_stream__()[1])
    except AttributeError:
        raise TypeError(f"Stream: stream={stream!r} is no stream.") from None


def stream(*, stream: Any = Stream.create_new, device_id: int | None = None) -> Stream | None:
    """Wraps or creates a stream; None stays None.

    Raises:
        TypeError: `stream` is no stream.
        ValueError: it belongs to another device.
        RuntimeError: JAX has no GPU.
    """
    if stream is None:
        return None
    if isinstance(stream, Stream):
        if device_id is not None and device_id != stream.device_id:
            raise ValueError(
                f"stream: the stream belongs to GPU {stream.device_id}, not {device_id}."
            )
        return stream
    return Stream(stream=stream, device_id=device_id)


_default: dict[int, Any] = {}
_current = threading.local()


def set_default_stream(stream: Any, /, device_id: int | None = None) -> None:
    """Names the stream that work of a device uses by default; None clears it. A hint."""
    _default[device_id or 0] = stream


def get_default_stream(device_id: int | None = None) -> Any:
    """What `set_default_stream` was given, or None."""
    return _default.get(device_id or 0)


def set_current_stream(stream: Any, /) -> None:
    """Names the stream of the calling thread; None clears it. A hint."""
    _current.stream = stream


def get_current_stream() -> Any:
    """What `set_current_stream` was given in this thread, or None."""
    return getattr(_current, "stream", None)
