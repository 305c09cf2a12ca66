"""Native kernels called without XLA.

XLA's dispatch of a compiled program takes several times what a kernel does for a batch of small
samples, and the program has to be compiled first. The handler is the same, and so are the bits.
Large results stay with XLA, whose buffers are recycled.
"""

import functools
from typing import Any

import numpy as np

from ._native import FFI_DTYPE, native

# What stands for the recycled buffer, of which there is none.
NO_BUFFER = np.zeros(1, np.int32)


@functools.cache
def _handlers() -> dict[str, Any]:
    return native.registrations()


@functools.lru_cache(maxsize=4096)
def direct_call(
    kernel: str,
    static: tuple[tuple[str, Any], ...],
    addressed: bool,
    source_dtypes: tuple[np.dtype, ...],
    table_dtypes: tuple[np.dtype, ...],
    out_dtype: np.dtype,
    reports: bool = False,
) -> Any:
    """`run([NO_BUFFER, source, extent, ..., out_extent, *tables], [result[, status]])`.

    All arrays are NumPy's, contiguous; the results are written in place.

    Args:
        kernel: its name.
        static: its attributes.
        addressed: the sources are tables of addresses.
        source_dtypes, table_dtypes, out_dtype: of the samples, the tables and the result.
        reports: whether the kernel writes a table of statuses.
    """
    attributes = {name: _plain(value) for name, value in static}
    attributes["addressed"] = addressed
    attributes["source_dtype"] = FFI_DTYPE[source_dtypes[0].name if source_dtypes else "uint8"]
    int32 = FFI_DTYPE["int32"]
    types = [int32]
    for dtype in source_dtypes:
        types += [int32 if addressed else FFI_DTYPE[dtype.name], int32]
    types.append(int32)
    types += [FFI_DTYPE[dtype.name] for dtype in table_dtypes]
    types += [FFI_DTYPE[out_dtype.name], *([int32] if reports else [])]
    return native.DirectCall(_handlers()[kernel], attributes, types).run


def _plain(value: Any) -> Any:
    """A static parameter as one of the types that the extension tells apart."""
    if isinstance(value, bool | int | float | str):
        return value
    return [int(v) for v in value]
