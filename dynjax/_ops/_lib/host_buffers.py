"""Memory for results that are made on the host, used again once nobody holds it.

Touching fresh memory costs a page fault each 4 KiB, more than copying it. A buffer is free when the
only reference left is the one here: NumPy's views, memory views and DLPack exports all keep their
base alive, so a batch in the user's hands never changes.
"""

import math
import os
import sys
import threading

import numpy as np

from ..._native import native
from ..._types.storage import bucket

# Below this the memory comes from the extension's blocks, which cost less to hand out.
MIN_BYTES = 1 << 18
_MIN_BLOCK = 1 << 12  # a page: NumPy's allocator serves what is smaller
_MAX_BUFFERS = 64  # all of them are looked at to find a free one
_LIMIT_BYTES = 1 << 29  # of free buffers
_ALIGNMENT = 64  # what XLA needs to read host memory in place

_lock = threading.Lock()
_buffers: list[np.ndarray] = []  # oldest first


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)


def new_array(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array of arbitrary content."""
    nbytes = math.prod(shape) * dtype.itemsize
    if nbytes < _MIN_BLOCK:
        return np.empty(shape, dtype)
    if nbytes < MIN_BYTES:
        block = native.Block(nbytes)
        return np.ndarray(shape, dtype, block)  # pyright: ignore[reportArgumentType]
    return _aligned(_take(bucket(nbytes)), nbytes).view(dtype).reshape(shape)


def kept_bytes() -> int:
    """Bytes of the buffers that are free."""
    with _lock:
        return sum(_buffers[i].nbytes for i in _free())


def clear() -> None:
    """Lets go of all buffers; those in use stay with their users."""
    with _lock:
        _buffers.clear()


def _take(size: int) -> np.ndarray:
    """A view of a free buffer, or of a new one."""
    with _lock:
        free = _free()
        for i in reversed(free):
            if _buffers[i].nbytes == size + _ALIGNMENT:
                return _buffers[i].view()
        spare = sum(_buffers[i].nbytes for i in free)
        for i in reversed(free):  # the newest first: what was unused longest comes after it
            if spare <= _LIMIT_BYTES and len(_buffers) < _MAX_BUFFERS:
                break
            spare -= _buffers[i].nbytes
            del _buffers[i]
        buffer = np.empty(size + _ALIGNMENT, np.uint8)
        if len(_buffers) < _MAX_BUFFERS:
            _buffers.append(buffer)
        return buffer.view()


def _free() -> list[int]:
    # Two references: the list's and the argument of getrefcount.
    return [i for i in range(len(_buffers)) if sys.getrefcount(_buffers[i]) == 2]


def _aligned(view: np.ndarray, nbytes: int) -> np.ndarray:
    start = -view.ctypes.data % _ALIGNMENT
    return view[start : start + nbytes]
