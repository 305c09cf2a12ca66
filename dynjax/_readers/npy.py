"""Files of NumPy arrays."""

import ast
import functools
from math import prod
from typing import Any

import numpy as np

_MAGIC = b"\x93NUMPY"
# What NumPy itself reads; a literal is parsed recursively, so a hostile one must stay short.
_MAX_HEADER = 10_000
_KINDS = "biuf"


class NpyError(ValueError):
    """The bytes are no array that can be read."""


def parse_npy(content: np.ndarray) -> np.ndarray:
    """The array of an `.npy` file, as a view of its bytes `[n]` where they are aligned.

    Raises:
        NpyError: it is no such file, is cut off, or holds no numbers.

    Source: NumPy's `numpy.lib.format`, versions 1.0 to 3.0.
    """
    if content[:6].tobytes() != _MAGIC or len(content) < 10:
        raise NpyError("it does not start as an .npy file")
    wide = content[6] >= 2
    start = 12 if wide else 10
    length = int.from_bytes(content[8:start].tobytes(), "little")
    if length > _MAX_HEADER or start + length > len(content):
        raise NpyError(f"its header has {length} bytes")
    dtype, shape, fortran = _header(content[start : start + length].tobytes())
    values = content[start + length :]
    size = prod(shape) * dtype.itemsize
    if size > len(values):
        raise NpyError(f"it holds {len(values)} bytes of the {size} for shape {shape}, {dtype}")
    raw = values[:size]
    if raw.ctypes.data % max(dtype.alignment, 1):
        raw = raw.copy()
    array = raw.view(dtype).reshape(shape, order="F" if fortran else "C")
    return array if dtype.isnative else array.astype(dtype.newbyteorder("="))


@functools.lru_cache(256)
def _header(text: bytes) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    try:
        header = ast.literal_eval(text.decode("latin-1").strip())
        descr, shape, fortran = header["descr"], header["shape"], header["fortran_order"]
        dtype = np.dtype(descr) if isinstance(descr, str) else None
    except (ValueError, TypeError, KeyError, SyntaxError, RecursionError, MemoryError):
        raise NpyError("its header is malformed") from None
    sizes = isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape)
    if not sizes or type(fortran) is not bool or len(shape) > 32:
        raise NpyError("its header is malformed")
    if dtype is None or dtype.kind not in _KINDS or dtype.itemsize > 8:
        raise NpyError(f"it holds elements of type {descr!r}; expected plain numbers")
    return dtype, shape, fortran
