"""Recycled result buffers.

A fresh large XLA result is fresh memory from the system, and touching it the first time costs more
than most kernels (a page fault each 4 KiB). So when the last handle on a large result dies, its
array is kept for the next result of the same shape and dtype, and donated to the program that
computes it. An array that anyone else still holds is never kept; memory that left through DLPack
is protected by JAX, which copies a donated buffer while such a view lives.
"""

import sys
import threading
from collections import OrderedDict

import jax
import numpy as np

# Below this the allocator reuses its own memory and recycling would only cost time.
MIN_BYTES = 1 << 20
_LIMIT_BYTES = 1 << 30

_lock = threading.Lock()
_free: OrderedDict[int, jax.Array] = OrderedDict()  # id -> array, oldest first
_free_bytes = 0


def take(shape: tuple[int, ...], dtype: np.dtype) -> jax.Array | None:
    """Removes a free array of this shape and dtype from the list; its content is arbitrary."""
    global _free_bytes
    with _lock:
        for key in reversed(_free):
            array = _free[key]
            if array.shape == shape and array.dtype == dtype:
                del _free[key]
                _free_bytes -= array.nbytes
                return array
    return None


def offer(holder: list) -> None:
    """Takes the only element out of `holder` and keeps it if nobody else holds it.

    A list, because its element can be moved out: a plain argument would stay referenced by the
    caller, and the reference count is what says that the array is free.
    """
    global _free_bytes
    array = holder.pop()
    # Two references: the local name and the argument of getrefcount.
    if sys.getrefcount(array) != 2 or array.is_deleted():
        return
    # Not waited for: the garbage collector may call this inside one of the blocks below.
    if not _lock.acquire(blocking=False):
        return
    evicted = []
    try:
        _free[id(array)] = array
        _free_bytes += array.nbytes
        while _free_bytes > _LIMIT_BYTES:
            _, oldest = _free.popitem(last=False)
            _free_bytes -= oldest.nbytes
            evicted.append(oldest)
    finally:
        _lock.release()


def clear() -> None:
    """Frees all kept arrays."""
    global _free_bytes
    with _lock:
        kept = list(_free.values())
        _free.clear()
        _free_bytes = 0
    kept.clear()


def kept_bytes() -> int:
    """Bytes held by the free list."""
    return _free_bytes
